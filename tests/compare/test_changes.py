"""Layout faults of two systems as changes."""

import htreval_core as hv
from htreval_core.compare import Change, event_changes
from tests.conftest import SAMPLES
from tests.tools import Tree, invoke


def lines_of(n: int) -> str:
    """Lines of words that stand once on the page."""
    return "\n".join(" ".join(f"w{line}x{word}" for word in range(6)) for line in range(n))


def study_of(*outputs: str) -> hv.Study:
    reference = lines_of(24)
    names = "ab"
    return hv.score([hv.Page.from_text("p", reference, dict(zip(names, outputs, strict=True)))])


def changed(a: str, b: str) -> list[tuple[Change, bool, bool]]:
    found = event_changes(hv.diagnose(study_of(a, b)), "a", "b")
    return [(one.change, bool(one.errors_a), bool(one.errors_b)) for one in found]


def moved(text: str, start: int, end: int, to: int) -> str:
    lines = text.split("\n")
    block, rest = lines[start:end], lines[:start] + lines[end:]
    return "\n".join(rest[:to] + block + rest[to:])


def test_what_b_mends_breaks_and_has_in_common() -> None:
    right = lines_of(24)
    early, late = moved(right, 2, 6, 12), moved(right, 16, 20, 4)
    assert changed(early, right) == [(Change.FIXED, True, False)]
    assert changed(right, early) == [(Change.ADDED, False, True)]
    assert changed(early, early) == [(Change.BOTH, True, True)]
    assert changed(right, right) == []
    # Two faults of other words are two changes: one is fixed, one is added.
    assert {one for one, *_ in changed(early, late)} == {Change.FIXED, Change.ADDED}


def test_text_left_out_is_not_text_moved() -> None:
    right = lines_of(24)
    gone = "\n".join(right.split("\n")[:2] + right.split("\n")[6:])
    assert {one for one, *_ in changed(moved(right, 2, 6, 12), gone)} == {
        Change.FIXED, Change.ADDED,
    }  # fmt: skip


def test_every_fault_of_either_system_is_in_one_change() -> None:
    study = hv.score(hv.pair_path(SAMPLES / "letterbook"), hv.Settings(resamples=20))
    found = hv.diagnose(study)
    for a, b in (("reads-across", "skips-margins"), ("misreads", "reads-across")):
        changes = event_changes(found, a, b)
        for at, system in enumerate((a, b)):
            own = {
                (one.page_id, number)
                for one in found[system]
                for number, event in enumerate(one.events)
                if event.kind is not hv.EventKind.REFERENCE
            }
            told = [(one.page_id, one.numbers[at]) for one in changes]
            told = [pair for pair in told if pair[1] is not None]
            assert sorted(told) == sorted(own)
        swapped = event_changes(found, b, a)
        mended = sum(one.change is Change.FIXED for one in changes)
        assert mended == sum(one.change is Change.ADDED for one in swapped)


def test_a_gate_is_corrected_for_its_own_metrics_alone(tree: Tree) -> None:
    """Six pages, each worse: p is 2/64 of every metric."""
    files = {f"reference/{n}.txt": "aa bb cc" for n in range(6)}
    files |= {f"A/{n}.txt": "aa bb cc" for n in range(6)}
    root = tree(files | {f"B/{n}.txt": "aa bb xx" for n in range(6)})
    asked = ("compare", root, "--systems", "A,B", "--metrics", "wer,bwer,cer,hcer",
             "--fail-if-worse")  # fmt: skip
    one = invoke(*asked, "cer")
    assert one.exit_code == 1
    assert "(p 0.0312)" in one.stderr
    two = invoke(*asked, "cer,bwer")
    assert two.exit_code == 0
    assert "B" in two.stdout
    assert "A is better, uncorrected" in two.stdout
