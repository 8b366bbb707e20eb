"""Characters that are read as others: mappings from files."""

from pathlib import Path

from htreval_core.errors import ConfigError
from htreval_core.settings.named import read_named
from htreval_core.text import TextPolicy


def read_mapping(path: Path) -> tuple[tuple[str, str], ...]:
    """A character mapping from a file, as ``mapping_pairs`` takes it.

    Raises:
        ReadError: the file cannot be read.
        ConfigError: a line is no pair.
    """
    return mapping_pairs(str(path), read_named(path, _LARGEST_MAPPING))


_LARGEST_MAPPING = 4_000_000


def mapping_pairs(name: str, content: bytes) -> tuple[tuple[str, str], ...]:
    """A character mapping from UTF-8: a character, a tab, its replacement, one pair on each line.

    The character may be written as its code point, U+F1AC. A line that starts with # is a remark.

    Raises:
        ConfigError: the content is no UTF-8, or a line is no pair.
    """
    if len(content) > _LARGEST_MAPPING:
        raise ConfigError(f"{name}: larger than {_LARGEST_MAPPING:,} bytes; give characters alone")
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: not UTF-8 ({error.reason}); save it as UTF-8") from None
    pairs: list[tuple[str, str]] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        source, tab, target = line.partition("\t")
        if source.upper().startswith("U+"):
            try:
                source = chr(int(source[2:], 16))
            except (ValueError, OverflowError):
                source = ""
        if len(source) != 1 or not tab:
            raise ConfigError(
                f"{name}: line {number}: write one character, a tab, and its replacement"
            )
        try:
            TextPolicy(mapping=((source, target),))
        except ConfigError as error:
            raise ConfigError(f"{name}: line {number}: {error}") from None
        pairs.append((source, target))
    return tuple(pairs)
