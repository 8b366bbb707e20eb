"""The end of what a terminal shows."""

from collections.abc import Iterable

from htreval_core.settings import short_signature
from htreval_core.show.tables.values import plain


def signed(lines: Iterable[str], signature: str) -> str:
    """Lines for a terminal, and below them how the values were made, in short."""
    short = f"{short_signature(signature)} (the JSON has the whole signature)"
    return "\n".join([*lines, "", plain(short)]) + "\n"
