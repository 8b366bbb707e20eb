"""LaTeX that no text from outside can leave: tables and escaped text."""

from collections.abc import Sequence

from htreval_core.metrics.catalog import METRICS
from htreval_core.settings import short_signature
from htreval_core.show.tables.values import plain

_SPECIAL = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}", "Δ": r"$\Delta$", "β": r"$\beta$", "τ": r"$\tau$",
    "±": r"$\pm$",
})  # fmt: skip


def latex_text(text: str) -> str:
    r"""Text from outside for a cell: nothing in it is a command.

    The empty group before it keeps a bracket or star from becoming an argument of ``\\``.

    >>> print(latex_text("50% of A_b & \\input{x}"))
    {}50\% of A\_b \& \textbackslash{}input\{x\}
    """
    return "{}" + plain(text).translate(_SPECIAL)


def latex_label(name: str) -> str:
    """The label of a metric, its Greek letters as commands."""
    return METRICS[name].label.translate(_SPECIAL)


def latex_table(rows: Sequence[Sequence[str]], signature: str, note: str) -> str:
    """Rows of cells that are LaTeX already, the first the head; needs the booktabs package.

    Above them stand the full signature and what a caption should say, as comments.
    """
    head, *body = [" & ".join(row) + r" \\" for row in rows]
    return "\n".join(
        [
            f"% {plain(signature)}",
            f"% {plain(f'{note}; {short_signature(signature)}' if signature else note)}",
            rf"\begin{{tabular}}{{l{'r' * (len(rows[0]) - 1)}}}", r"\toprule", head, r"\midrule",
            *body, r"\bottomrule", r"\end{tabular}", "",
        ]
    )  # fmt: skip
