"""Compare: is B better than A, where, and is it real?"""

import hashlib

import numpy as np
import streamlit as st

from htreval_core import METRICS, HtrEvalError
from htreval_core.compare import COMPARED, page_differences
from htreval_core.show.plotly import (
    figure_agreement,
    figure_buckets,
    figure_differences,
    figure_pairwise,
    figure_versus,
)
from htreval_core.show.warnings import tell_warnings
from htreval_core.show.wording import comparison_verdict, page_verdict
from htreval_core.words.buckets import bucket_of
from htreval_core.words.confusions import confusion_examples, letter_rows
from htreval_core.words.outcomes import Agreement
from htreval_ui import html, state
from htreval_ui.charts import chart, chosen_row, offer_table, picked_point
from htreval_ui.choosing import show_examples, two_systems
from htreval_ui.links import open_page, page_file
from htreval_ui.opening import diagnose_if_quick, found_failures, is_big, open_study
from htreval_ui.story import tell_event
from htreval_ui.tables import (
    DIFFERENCE_COLUMNS,
    confusion_frame,
    difference_frame,
    letters_frame,
    own_columns,
    results_frame,
)
from htreval_ui.threeway import show_threeway

# The most pages that are shown one by one where there are very many.
MOST_PAGES = 2000

opened = open_study()
diagnose_if_quick(opened)
study = opened.study
settings = study.settings
selection = state.current()

st.title("Is B better than A, where, and is it real?")
pair = two_systems(study)
if pair is None:
    st.info(
        "This data has the output of one system. Bring the output of a second one for the same "
        "pages, as a folder beside the first.",
        icon=":material/compare_arrows:",
    )
    st.page_link(page_file("data.py"), label="Bring data", icon=":material/folder_open:")
    st.stop()
a, b = pair
try:
    comparison = opened.comparison(a, b)
except HtrEvalError as error:
    st.error(html.label(str(error)), icon=":material/error:")
    st.stop()
verdict = comparison_verdict(comparison, f"**{html.name(a)}**", f"**{html.name(b)}**")
st.markdown("  \n".join(verdict))
for told in tell_warnings(comparison.warnings):
    st.warning(html.label(told), icon=":material/warning:")

PARTS = {
    "pages": "Where: pages",
    "words": "Which words",
    "characters": "Which characters",
    "systems": "All systems",
}
chosen_part = selection.part if selection.part in PARTS else "pages"
part = st.segmented_control(
    "Part",
    list(PARTS),
    format_func=PARTS.__getitem__,
    default=chosen_part,
    key=state.widget("part", chosen_part),
    on_change=lambda: state.select(part=state.edited("part") or "pages"),
    required=True,
    label_visibility="collapsed",
)


def show_pages() -> None:
    """The tests, every page as a dot, the ranking by difference, and one page under both."""
    forest, versus = st.columns([1, 1], gap="large")
    with forest:
        st.header("What changes from A to B?")
        chart(
            figure_differences(comparison, html.plotly),
            "forest",
            "Paired difference of each metric with its interval",
        )
        st.caption(
            f"B − A over {comparison.n_pages} pages with the 95 % interval of a paired bootstrap "
            "over pages. Filled: real by a paired permutation test at 5 % after Holm’s "
            "correction over these metrics; hollow: it may be chance."
        )
        with st.expander("The smallest difference that this number of pages can show"):
            st.markdown(
                "  \n".join(
                    f"{METRICS[name].label}: {100 * one.smallest:.1f} points"
                    for name, one in comparison.metrics.items()
                    if one.smallest == one.smallest
                )
                + "  \nA true difference of this size is found four times in five."
            )
    metric = selection.metric if selection.metric in COMPARED else "wer"
    with versus:
        st.header("Page by page")
        st.segmented_control(
            "Metric",
            COMPARED,
            format_func=lambda name: METRICS[name].label,
            default=metric,
            key=state.widget("metric", metric),
            on_change=lambda: state.select(metric=state.edited("metric") or "wer"),
            required=True,
            label_visibility="collapsed",
        )
        at_most = MOST_PAGES if is_big(study) else None
        pages = page_differences(study, a, b, metric, at_most=at_most)
        if at_most:
            st.caption(
                f"The {len(pages):,} pages that differ most, of {len(comparison.page_ids):,}."
            )
        flips = [flip.page_id for flip in comparison.rank_flips]
        chart(
            figure_versus(pages, metric, (a, b), flips, html.plotly, selected=selection.page),
            "versus",
            f"{METRICS[metric].label} of A against B, a dot a page",
            on_select=take_dot,
            selection_mode="points",
        )
        st.caption("Below the diagonal B is better. Click a page to see it under both systems.")
    if comparison.rank_flips:
        show_flips()
    shown = selection.page if selection.page in comparison.page_ids else ""
    failures = found_failures(opened)
    table = difference_frame(pages, comparison, failures, metric)
    st.header("Pages by difference")
    identity = hashlib.sha256("\0".join((a, b, metric)).encode()).hexdigest()[:12]
    row = chosen_row(
        st.dataframe(
            table,
            hide_index=True,
            key=f"differences_{identity}",
            on_select="rerun",
            selection_mode=["single-row", "single-cell"],
            height=min(36 * len(table) + 40, 300),
            column_config={
                "difference": st.column_config.NumberColumn(
                    f"{METRICS[metric].label}, B − A", format="%+.1f"
                ),
                **{
                    column: st.column_config.NumberColumn(format="%.1f")
                    for column in own_columns((a, b), DIFFERENCE_COLUMNS).values()
                },
            },
        )
    )
    offer_table(table, "differences")
    if row is not None:
        shown = table["page"].iloc[row]
    page_under_both(shown or table["page"].iloc[0])


def take_dot() -> None:
    """The page of the dot that was clicked."""
    point = picked_point(st.session_state["versus"])
    if point:
        state.select(page=point[0])


def show_flips() -> None:
    """Pages on which the choice of metric decides which system is better."""
    flips = comparison.rank_flips
    title = f"{len(flips)} page{'s' if len(flips) > 1 else ''} where WER and bWER disagree"
    with st.expander(f":material/swap_vert: {title}"):
        st.markdown(
            "The system with the lower WER misreads more words there but keeps the better order: "
            "which one is better depends on whether you need the order."
        )
        for flip in flips[:50]:
            by_wer, by_bwer = (a, b) if flip.wer_a < flip.wer_b else (b, a)
            st.markdown(
                f"- **{html.name(flip.page_id)}**: WER prefers {html.name(by_wer)} "
                f"({flip.wer_a} errors in A, {flip.wer_b} in B), bWER "
                f"{html.name(by_bwer)} ({flip.bwer_a} in A, {flip.bwer_b} in B)."
            )


def page_under_both(page_id: str) -> None:
    """One page: what went wrong in each system, and all three texts side by side."""
    st.header(f"{html.name(page_id)} under both")
    told = [opened.look(page_id, system) for system in (a, b)]
    for column, letter, system, story in zip(st.columns(2), "AB", (a, b), told, strict=True):
        with column, st.container(border=True, gap="xsmall"):
            said = page_verdict(story.page.scores, story.diagnosis.parts)
            st.markdown(f"**{letter}: {html.name(system)}**  {said}")
            for number, event in enumerate(story.diagnosis.events[:3]):
                tell_event(number, event)
            left = len(story.diagnosis.events) - 3
            if left > 0:
                st.caption(f"and {left} smaller events")
            if st.button(
                "Open this page", key=f"open_{letter}", type="tertiary", icon=":material/article:"
            ):
                open_page(page_id, system)
    show_threeway(
        told[0].page, told[1].page, (told[0].bands, told[1].bands), height=520, key="threeway"
    )


def show_words() -> None:
    """Which words only one of the two reads, and of what kind they are."""
    outcomes = opened.outcomes((a, b))
    counts = outcomes.counts(a, b)
    st.header("Who reads which word?")
    chart(
        figure_agreement(counts, (a, b), html.plotly), "agreement", "Words by who reads them right"
    )
    st.caption(
        "Every reference word, matched with its reading wherever it stands: order plays no part."
    )
    titles = {
        Agreement.ONLY_A: f"only {html.name(a)} right",
        Agreement.ONLY_B: f"only {html.name(b)} right",
        Agreement.BOTH_WRONG: "both wrong",
    }
    wanted = st.segmented_control(
        "Words",
        list(titles),
        format_func=titles.__getitem__,
        default=Agreement.ONLY_A,
        required=True,
        label_visibility="collapsed",
        key="agreement_kind",
    )
    numbers = np.flatnonzero(outcomes.agreement(a, b) == wanted).tolist()
    show_examples(outcomes, numbers, "agreement_examples")

    st.header("What kind of word is lost?")
    rows = opened.buckets((a, b))
    present = list(dict.fromkeys(row.dimension for row in rows))
    dimension = st.segmented_control(
        "By", present, default=present[0], required=True, key="dimension",
        label_visibility="collapsed",
    )  # fmt: skip
    own = [row for row in rows if row.dimension == dimension]
    picture, examples = st.columns([1, 1], gap="large")
    with picture:
        chart(figure_buckets(own, (a, b), html.plotly), "buckets", "Words wrong by kind of word")
    with examples:
        bucket = st.selectbox(
            "Examples of",
            [row.bucket for row in own],
            key="bucket",
        )
        labels, of_word = bucket_of(outcomes, dimension)
        inside = of_word == labels.index(bucket)
        either = inside & (outcomes.wrong(a) | outcomes.wrong(b))
        show_examples(outcomes, np.flatnonzero(either).tolist(), "bucket_examples")


def show_characters() -> None:
    """Which characters are taken for others, in either system."""
    outcomes = opened.outcomes((a, b))
    of_systems = {system: opened.confusions((a, b), system) for system in (a, b)}
    st.header("Which characters are taken for others?")
    st.caption(
        "From matched pairs of unequal words, so that a line in the wrong place confuses no "
        "characters. Choose a row for its examples."
    )
    table = confusion_frame(of_systems)
    left, right = st.columns([2, 3], gap="large")
    with left:
        row = chosen_row(
            st.dataframe(
                table, hide_index=True, key="confusions", height=420, on_select="rerun",
                selection_mode=["single-row", "single-cell"],
            )
        )  # fmt: skip
    with right:
        if row is not None:
            one = table.iloc[row]
            found = [
                confusion_examples(outcomes, system, one["reference"], one["read as"])
                for system in (a, b)
            ]
            show_examples(outcomes, np.unique(np.concatenate(found)).tolist(), "confusion_examples")
    st.header("How well is each character read?")
    letters = st.text_input(
        "Only these characters", key="letters", placeholder="all, the most frequent first"
    )
    wanted = [letter for letter in dict.fromkeys(letters) if not letter.isspace()] or None
    st.dataframe(
        letters_frame({s: letter_rows(outcomes, s, wanted) for s in (a, b)}),
        hide_index=True,
        key="letters_table",
        height=360,
        column_config={
            f"right in {s}": st.column_config.ProgressColumn(
                format="%.1f", min_value=0.0, max_value=100.0
            )
            for s in (a, b)
        },
    )


def show_systems() -> None:
    """Every two systems, and the ranking that the tests allow."""
    pairwise = opened.pairwise()
    st.dataframe(results_frame(study, pairwise), hide_index=True, key="results")
    st.caption("★ is significantly better than every other system.")
    metric = st.segmented_control(
        "Metric",
        COMPARED,
        format_func=lambda name: METRICS[name].label,
        default="wer",
        required=True,
        label_visibility="collapsed",
        key="matrix_metric",
    )
    matrix, ranking = st.columns([3, 2], gap="large")
    with matrix:
        chart(
            figure_pairwise(pairwise, metric, html.plotly),
            "matrix",
            "Differences of every two systems",
        )
        st.caption(
            "Column less row, in points; a star where the difference is real at 5 % after "
            "Holm’s correction over the pairs."
        )
    with ranking:
        st.header(f"Ranking by {METRICS[metric].label}")
        ranks = pairwise.ranks[metric]
        for system in sorted(ranks, key=lambda name: ranks[name]):
            tied = sum(rank == ranks[system] for rank in ranks.values()) > 1
            st.markdown(f"{ranks[system]}{'=' if tied else '.'}  {html.name(system)}")
        st.caption("Systems that the test cannot tell apart share a rank.")


{"pages": show_pages, "words": show_words, "characters": show_characters, "systems": show_systems}[
    part
]()
