"""How results show themselves in a notebook."""

import htreval_core as hv
from tests.tools import made

EVIL = "<img/src=x>\u202e"


def test_a_study_is_its_corpus_table() -> None:
    pages = [
        hv.Page.from_text(str(n), "a b c d", {EVIL: "b a c x", "B": "a b c d"}) for n in range(3)
    ]
    study = hv.score(pages)
    shown = study._repr_html_()
    assert shown.count("<tr>") == 3
    for corpus in study.corpora.values():
        for name in ("wer", "bwer", "delta_wer"):
            estimate = corpus.estimates[name]
            low, high = 100 * estimate.low, 100 * estimate.high
            assert f"{100 * estimate.value:.2f} [{low:.2f}, {high:.2f}]" in shown
    assert study.signature in shown
    assert "<img" not in shown
    assert "\u202e" not in shown


def test_a_look_is_a_frame_that_no_text_leaves() -> None:
    page = hv.Page.from_text(f"{EVIL}\"'>", "a </script> b c", {EVIL: "</iframe> c b"})
    shown = hv.score([page]).look(page.page_id, EVIL)._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert shown.endswith("</iframe>")
    assert shown.count("<") == shown.count(">") == 2
    assert 'sandbox="allow-scripts allow-downloads"' in shown
    assert "\u202e" not in shown


def test_whatever_is_printed_is_one_short_line() -> None:
    systems = {f"{EVIL}\n{n}": "b a c x" for n in range(40)}
    pages = [hv.Page.from_text(f"{EVIL}\n", "a b c d " * 50, systems), *made(3)]
    study = hv.score(pages[:1], hv.Settings(resamples=20))
    look = study.look(pages[0].page_id, study.systems[0])
    two = hv.score(made(3), hv.Settings(resamples=20))
    for one in (
        pages[0], pages[0].reference, study.dataset, study, study.table(study.systems[0]),
        study.corpora[study.systems[0]], look, look.page, look.page.trace, look.page.matching,
        look.layout, look.diagnosis, hv.diagnose(study), hv.compare_systems(two, "A", "B"),
        hv.compare_all(two), hv.word_outcomes(two), hv.Polygon([(0, 0), (1, 5)] * 500),
    ):  # fmt: skip
        told = repr(one)
        assert told.startswith(f"<{type(one).__name__}"), told
        assert len(told) < 220, told
        assert told.isprintable(), told
