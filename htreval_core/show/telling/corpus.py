"""What many pages say together, in sentences."""

from htreval_core.diagnosis import Catastrophe, Suspicion
from htreval_core.show.telling.counting import counted, tell_lines
from htreval_core.show.telling.events import tell_event


def tell_catastrophe(found: Catastrophe) -> str:
    """What took a page over, in a sentence."""
    if found.event is not None:
        return tell_event(found.event)
    return (
        f"WER charges {counted(found.errors, 'error')}, order set aside, on "
        f"{counted(found.n_words, 'word')}."
    )


def tell_suspicion(suspicion: Suspicion) -> str:
    """Why a reference is in doubt, in a sentence or two, and what to do."""
    if suspicion.event is not None:
        several = len(suspicion.systems) > 1
        whose = f" The figures are those of {suspicion.systems[0]}." if several else ""
        return f"{tell_event(suspicion.event)}{whose} Compare it with the page."
    lines = suspicion.reference_lines
    stand = "stands" if len(lines) == 1 else "stand"
    return (
        f"{tell_lines(lines).capitalize()} of the reference {stand} above the preceding line of "
        "the same region: the reference may be out of order. Compare it with the page."
    )
