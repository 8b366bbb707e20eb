"""What the rules of markup take off a file, shown piece by piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from htreval_core.settings.written import MARKUP_RULES, sign_markup

if TYPE_CHECKING:
    from htreval_core.sources.readers.blocks import Marked

Named = tuple[str, "Marked"]


def markup_text(files: Iterable[Named], rules: Sequence[str]) -> str:
    """Each file as it is written, ``⟦rule: what⟧`` where something is taken off, then the counts.

    What stands in its place, where that is text, follows an arrow: ``⟦escapes: &amp; → &⟧``.
    """
    told: list[str] = []
    for name, marked in files:
        told.append(f"{name}: {marked.form}, rules {sign_markup(rules)}\n")
        counts: Counter[str] = Counter()
        for piece in marked.told(rules):
            if piece.rule is None:
                told.append(piece.source)
                continue
            counts[piece.rule] += 1
            shown = piece.source.rstrip("\n")
            instead = f" → {piece.text}" if piece.text.strip() else ""
            told.append(f"⟦{piece.rule}: {shown}{instead}⟧")
            told.append("\n" * (len(piece.source) - len(shown) or piece.text.count("\n")))
        told.append("\n")
        told += [
            f"{counts[rule]:>6}  {rule}: {what}\n"
            for rule, what in MARKUP_RULES.items()
            if counts[rule]
        ]
        told.append("" if counts else "nothing is taken off\n")
    return "".join(told)
