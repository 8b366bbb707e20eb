"""Where the app's files are: in a checkout beside the packages, in a wheel inside this one."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
ASSETS = PACKAGE / "assets"
MAIN = PACKAGE / "main.py"


def root() -> Path:
    """The folder that holds ``app.py``, ``pages`` and ``sample_data``."""
    checkout = PACKAGE.parent
    return checkout if (checkout / "sample_data").is_dir() else PACKAGE / "_bundle"
