"""What the web side is started with: paths, sides and names, as its environment holds them."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

OPEN_VARIABLE = "HTREVAL_OPEN"
"""The environment variable that tells the app which paths it was started with."""
SIDES_VARIABLE = "HTREVAL_SIDES"
"""The one that tells it the references and systems it was started with, as JSON: an object with
``reference``, a path or null, and ``systems``, an object of paths by name."""
HOST_NAMES_VARIABLE = "HTREVAL_HOST_NAMES"
"""The one that tells it under which names, with commas between, others reach it."""


def paths_told(paths: Sequence[Path]) -> str:
    """What ``OPEN_VARIABLE`` holds: paths as PATH has them, or a JSON list where that cannot be."""
    places = [str(path.resolve()) for path in paths]
    return json.dumps(places) if os.pathsep in "".join(places) else os.pathsep.join(places)


def paths_read(told: str) -> list[Path]:
    """The paths that ``paths_told`` wrote."""
    places = json.loads(told) if told.startswith("[") else told.split(os.pathsep)
    return [Path(place) for place in places if place]
