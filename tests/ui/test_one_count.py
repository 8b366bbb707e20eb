"""A thing that is counted has one number, wherever it is shown."""

import json
import re
from collections import Counter

import pytest

import htreval_core as hv
from htreval_core.compare import compare_systems, event_changes
from htreval_core.diagnosis import EventKind
from htreval_core.metrics.kinds import View
from htreval_core.settings import read_settings_file
from htreval_core.show.html import report_html
from htreval_core.show.tables.diagnosis import diagnosis_json
from htreval_core.show.telling.events import tell_event
from htreval_core.show.views.compare import compare_payload
from htreval_core.show.views.head import page_head, ranking
from htreval_core.show.views.opened import Opened
from htreval_core.show.views.overview import overview_payload, told_of
from htreval_core.show.views.page import page_payload
from htreval_core.show.views.styles import part_counts
from htreval_ui.studies import data
from tests.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("one count")]
VIEW: View = "matching"


@pytest.fixture(scope="module", params=list(data.SAMPLES))
def opened(request: pytest.FixtureRequest) -> Opened:
    folder = ROOT / "sample_data" / request.param
    own = folder / "study.toml"
    settings = read_settings_file(own) if own.is_file() else hv.Settings()
    found = Opened(hv.score(hv.pair_path(folder), settings))
    found.diagnoses()
    return found


def number(text: str) -> int:
    return int(text.replace(",", ""))


def test_parts_of_wer_are_the_same_in_head_strip_table_and_json(opened: Opened) -> None:
    study, found = opened.study, opened.diagnoses()
    census = hv.take_census(found)
    told = told_of(study, study, None, census)
    drawn = overview_payload(study, told, None, found, census, chosen=study.systems[0], rank="wer")
    strip = drawn["strip"]
    for row in drawn["rows"]:
        system = row["name"]
        of_system = {one.page_id: one for one in found[system]}
        # The table is the sum of the pages; each has the parts that its head and its column show.
        sums = part_counts(study.table(system)).sum(axis=1).tolist()
        n_words = max(study.corpora[system].n_ref_words, 1)
        assert row["parts"] == pytest.approx([one / n_words for one in sums])
        moved = sum(
            event.words for one in of_system.values() for event in one.events
            if event.of_order and event.kind is not EventKind.REFERENCE
        )  # fmt: skip
        assert number(row["moved"]) == moved
        order = ranking(study, system, "wer")
        for place, page_id in enumerate(order):
            look = opened.look(page_id, system)
            head = page_head(opened, order, place, system, "wer", look, look)
            (own,) = [one for one in head["systems"] if one["name"] == system]
            scores = study.scores_of(page_id, system)
            assert sum(own["parts"]) == scores.wer.errors == of_system[page_id].wer
            at = [column["page"] for column in strip["columns"]].index(page_id)
            height = strip["values"][system][at]
            if height is not None and scores.n_ref_words:
                shares = [one / scores.n_ref_words for one in own["parts"]]
                assert height == pytest.approx(shares, abs=1e-4)


def test_faults_are_the_same_in_cards_census_compare_and_json(opened: Opened) -> None:
    study, found = opened.study, opened.diagnoses()
    pages = [one for of in found.values() for one in of]
    told = json.loads(diagnosis_json(study.signature, pages, hv.take_census(found)))
    of_json: Counter[tuple[str, str]] = Counter()
    for page in told["pages"]:
        for event in page["events"]:
            of_json[page["system"], event["kind"]] += event["errors"]
    of_cards: Counter[tuple[str, str]] = Counter()
    for system, of in found.items():
        for one in of:
            look = opened.look(one.page_id, system)
            cards = page_payload(look.page, VIEW, look)["cards"]
            assert [card["sentence"] for card in cards] == [
                # As the diagnosis tells them, and with what other pages say of them.
                tell_event(event) for event in look.diagnosis.events
            ]  # fmt: skip
            for event in look.diagnosis.events:
                of_cards[system, event.kind.value] += event.errors
    of_census = Counter({(row.system, row.kind.value): row.errors for row in hv.take_census(found)})
    assert of_json == of_cards == of_census
    if len(study.systems) > 1:
        a, b = study.systems[:2]
        changes = event_changes(found, a, b)
        drawn = compare_payload(
            study, compare_systems(study, a, b), changes, (), "", (), looked=True
        )
        both = set(study.pages_of(a)) & set(study.pages_of(b))
        for number_of, system in enumerate((a, b)):
            assert sum(row["errors"][number_of] for row in drawn["changes"]) == sum(
                event.errors for one in found[system] if one.page_id in both
                for event in one.events if event.kind is not EventKind.REFERENCE
            )  # fmt: skip


def test_the_report_says_what_the_census_says(opened: Opened) -> None:
    study, found = opened.study, opened.diagnoses()
    text = re.sub(r"<[^>]*>", " ", report_html(study, diagnoses=found))
    common = opened.study.on_common_pages()
    for row in hv.take_census({
        system: [one for one in of if one.page_id in common.pages_of(system)]
        for system, of in found.items()
    }):  # fmt: skip
        assert re.search(rf"\b{row.errors:,}\b", text), row
