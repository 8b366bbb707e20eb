"""The commonest confusions of characters, each with the ink of words in which it occurs."""

import base64
from collections import Counter

from htreval_core.errors import HtrEvalError
from htreval_core.markup import Child, Html, join, shorten, tag
from htreval_core.scoring.found import Diagnoses
from htreval_core.scoring.study import Study
from htreval_core.show.html.corpus_pictures import system_mark
from htreval_core.show.html.sections import name, table
from htreval_core.words.confusions import char_confusions, confusions_of, find_errors
from htreval_core.words.crops import word_crops
from htreval_core.words.outcomes import WordOutcomes, word_outcomes

_ROWS = 10
_WORDS = 2
_MOST_PAGES = 2000
"""Pages, times systems, of which every word is followed: it takes a few milliseconds each."""


def confusions(study: Study, diagnoses: Diagnoses) -> Html | None:
    """What is most often read as what by any system; nothing where nothing is, or on many pages.

    Characters left out or added are not among them: most are those of words divided or joined.
    """
    if sum(map(len, study.scores.values())) > _MOST_PAGES:
        return None
    followed: dict[str, WordOutcomes] = {}
    times: Counter[tuple[str, str]] = Counter()
    of_system: dict[str, Counter[tuple[str, str]]] = {}
    for system in study.systems:
        try:
            followed[system] = word_outcomes(study, [system], diagnoses=diagnoses or None)
        except HtrEvalError:  # none of its pages can be read any more
            continue
        found = char_confusions(followed[system], system)
        both = (one for one in found if one.reference and one.read_as)
        of_system[system] = Counter({(one.reference, one.read_as): one.count for one in both})
        times += of_system[system]
    ranked = sorted(times, key=lambda pair: (-times[pair], pair))[:_ROWS]
    if not ranked:
        return None
    rows: list[list[Child]] = []
    for ref, hyp in ranked:
        most = max(of_system, key=lambda system: of_system[system][ref, hyp])
        numbers = (f"{of_system[system][ref, hyp]:,}" for system in of_system)
        example = _words(followed[most], most, f"{ref}→{hyp}")
        rows.append([tag("bdi", ref), tag("bdi", hyp), *numbers, example])
    heads = [join([system_mark(study.systems.index(one)), name(one)]) for one in of_system]
    return table(["reference", "read as", *heads, "for example"], rows, "numbers confusions")


def _words(outcomes: WordOutcomes, system: str, wanted: str) -> Html:
    """A few words that show a confusion and little else, with their ink where it is known."""
    read = outcomes.read_words[outcomes.system_at(system)]
    policy = outcomes.settings.policy
    # Of words as clear as each other those of different pages.
    pages: Counter[int] = Counter()
    ranked = []
    for one in find_errors(outcomes, system, wanted).tolist():
        page = int(outcomes.page_of[one])
        others = confusions_of(outcomes.words[one], read[one] or "", policy).total()
        ranked.append((others, pages[page], one))
        pages[page] += 1
    chosen = [one for *_, one in sorted(ranked)[:_WORDS]]
    ink = {one: base64.b64encode(jpeg) for one, jpeg in word_crops(outcomes, chosen).items()}
    return join(
        [
            tag(
                "figure",
                tag("img", src=f"data:image/jpeg;base64,{ink[one].decode()}", alt="")
                if one in ink else None,
                tag("figcaption", tag("bdi", shorten(outcomes.words[one], 40)), " → ",
                    tag("bdi", shorten(read[one] or "", 40))),
                class_="ink",
            )
            for one in chosen
        ]
    )  # fmt: skip
