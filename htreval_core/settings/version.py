"""The version of htreval, which stands in every signature, and the build, which none can forge."""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

try:
    __version__ = version("htreval")
except PackageNotFoundError:
    __version__ = "unknown"


@cache
def build() -> str:
    """A digest of the engine's own code and its tables, 16 hexadecimal digits.

    Two installations whose code differs in one byte have two builds, whatever version they claim:
    what one of them has kept, the other works out again.
    """
    engine = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(path for path in engine.rglob("*") if path.suffix in (".py", ".toml")):
        code = path.read_bytes()
        digest.update(f"{path.relative_to(engine).as_posix()} {len(code)}\n".encode())
        digest.update(code)
    return digest.hexdigest()[:16]
