"""Files at addresses such as ``s3://bucket/folder``, through fsspec; an optional extra."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from htreval_core.errors import ReadError
from htreval_core.model import SourceFile
from htreval_core.settings import Limits
from htreval_core.sources.readers.loading import too_large


def as_path(path: Path | str) -> Path:
    """A path of this machine, or what stands for an address and does what a path does.

    Raises:
        ReadError: what it takes to read from such an address is not installed.
    """
    if not isinstance(path, str):
        return path
    if "://" not in path:
        return Path(path)
    try:
        from upath import UPath
    except ImportError:
        raise ReadError(
            f"{path}: addresses take an extra; install it with: pip install 'htreval[remote]'"
        ) from None
    try:
        return cast(Path, UPath(path))
    except ValueError as error:
        raise ReadError(f"{path}: cannot be read from ({error})") from None


def is_remote(path: object) -> bool:
    """Whether it stands for an address."""
    return not isinstance(path, Path | str)


def files_at_address(address: Path, limits: Limits) -> list[SourceFile]:
    """The files of a folder and its subfolders at an address, or the one that is there.

    They are listed with one request where the server can do so, and each is fetched when it is
    read. Hidden ones are passed over.

    Raises:
        ReadError: nothing is there, or nobody answers.
    """
    try:
        # fsspec names the package that knows the protocol, where that is missing.
        system, root = cast(Any, address).fs, cast(Any, address).path
        listed = system.find(root, detail=True)
    except Exception as error:  # each server fails in its own way
        raise _failed(address, error) from None
    if not listed:
        raise ReadError(f"{address}: there is no such file or folder; check the address")

    files = []
    for place, about in sorted(listed.items()):
        name = place.removeprefix(root).strip("/") or address.name
        if not any(part.startswith(".") for part in name.split("/")):
            files.append(SourceFile(name, _Remote(system, place, name, about.get("size"), limits)))
    return files


@dataclass(frozen=True, slots=True)
class _Remote:
    """A file at an address of a file system that fsspec knows."""

    system: Any
    place: str
    name: str
    told_size: int | None
    limits: Limits

    @property
    def size(self) -> int:
        """Its bytes, as the server says."""
        return self.told_size or 0

    def __call__(self) -> bytes:
        if self.size > self.limits.file_bytes:
            raise too_large(self.name, self.size, self.limits)
        try:
            content: bytes = self.system.cat_file(self.place)
        except Exception as error:
            raise _failed(self.name, error) from None
        return content


def _failed(what: object, error: Exception) -> ReadError:
    said = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return ReadError(f"{what}: cannot be fetched ({said}); check the address and your access")
