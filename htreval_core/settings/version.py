"""The installed version of htreval, which stands in every signature."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("htreval")
except PackageNotFoundError:
    __version__ = "unknown"
