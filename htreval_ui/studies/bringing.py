"""Data that somebody brings: what was put where, what pairs with what, and what is left over."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from htreval_core import Dataset, DataWarning, HtrEvalError
from htreval_core.errors import RemedyKind
from htreval_core.model import WarningKind
from htreval_core.show.telling.counting import counted
from htreval_core.show.telling.warnings import tell_passed_over, tell_warning
from htreval_core.sources.pairing import ChosenPair, Pairing
from htreval_core.sources.reading import spare_images
from htreval_core.sources.suggest import Suggestion, suggest_pairs
from htreval_ui import html
from htreval_ui.studies import jobs, scoring, uploads
from htreval_ui.studies.opening import WITHOUT_TRUTH, show_warnings, watch
from htreval_ui.studies.pairing import (
    Place,
    empty_sides,
    pairing_frame,
    tell_pages,
    tell_unreadable,
)
from htreval_ui.studies.uploads import Upload
from htreval_ui.web import state
from htreval_ui.web.state import go_to

APART, TOGETHER = "Ground truth and each system", "All in one"
"""The two ways to bring data."""
TRUTH = "Ground truth"
_SYSTEMS = "n_systems"
_BY_HAND = "pairs_by_hand"
_BROUGHT = "brought"
_PLACED, _EARLIER = "placed", "placed_earlier"
_LEFT_SHOWN = 40
"""Left-over files that are shown with a choice each."""
_IN_TABLE = frozenset({WarningKind.NO_OUTPUT, WarningKind.LONE_REFERENCE, WarningKind.LONE_OUTPUT})
"""Warnings that the table of pairs says row by row."""


def bring_apart() -> None:
    """Places for the truth and for each system, and what pairs with what."""
    truth = _place(TRUTH, "truth")
    n_systems: int = st.session_state.setdefault(_SYSTEMS, 1)
    places = [_place(f"System {n}", f"system_{n}", named=True) for n in range(1, n_systems + 1)]
    st.button(
        "another system", key="another_system", icon=":material/add:", type="tertiary",
        on_click=lambda: st.session_state.update({_SYSTEMS: n_systems + 1}),
    )  # fmt: skip
    systems = [place for place in places if place.files]
    if not truth.files and not systems:
        return
    names = [place.name for place in systems]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        st.error(
            f"Two systems are called {html.name(twice)}. Give each a name of its own.",
            icon=":material/error:",
        )
        return
    identity = (truth.identity, *(place.identity for place in systems))
    try:
        key = _once(
            "apart", identity,
            lambda: uploads.add_sides(truth.content, {one.name: one.content for one in systems}),
        )  # fmt: skip
        if truth.files and systems:
            show_pairing(uploads.with_pairs(key, [*_chosen(key).values()]), key, [truth, *systems])
        elif not _say_what_is_empty(uploads.upload(key).pairing, [truth, *systems]):
            _say_what_is_missing(truth, systems)
    except HtrEvalError as error:
        st.error(html.label(str(error)), icon=":material/error:")


def _say_what_is_missing(truth: Place, systems: Sequence[Place]) -> None:
    can_compare = not truth.files and len(systems) > 1
    told = "Add the ground truth, or compare these systems without one."
    if truth.files:
        told = "Add the output of a system above."
    elif not can_compare:
        told = ("Add the ground truth above. Without it, add another system, and the two are "
                "compared with each other.")  # fmt: skip
    st.info(told, icon=":material/arrow_upward:")
    if not can_compare:
        return
    first, *others = systems
    if st.button(WITHOUT_TRUTH, key="without_truth", icon=":material/balance:"):
        # The first stands where the truth would; the Overview then speaks of no error.
        key = uploads.add_sides(first.content, {one.name: one.content for one in others})
        uploads.offer(key, first.name)
        state.select(data=key)
        go_to("overview.py")


def _offer_audit(files: uploads.Files) -> None:
    """Folders of systems can be compared with each other, where there are two or more."""
    try:
        key, first = uploads.add_outputs(files)
    except HtrEvalError:
        return
    if st.button(WITHOUT_TRUTH, key="outputs_alone", icon=":material/balance:"):
        uploads.offer(key, first)
        state.select(data=key)
        go_to("overview.py")


def bring_together() -> None:
    """One place for a folder, an archive or files that hold everything."""
    folder, files = st.columns(2, gap="large")
    as_folder = folder.file_uploader(
        "A folder", accept_multiple_files="directory", key="upload_folder"
    )
    as_files = files.file_uploader(
        "A zip archive, or files", accept_multiple_files=True, key="upload_files"
    )
    place = Place("", "", [*(as_folder or []), *(as_files or [])])
    if not place.files:
        return
    try:
        key = _once("together", place.identity, lambda: uploads.add_upload(place.content))
        show_pairing(uploads.with_pairs(key, [*_chosen(key).values()]), key, [])
    except HtrEvalError as error:
        st.error(html.label(str(error)), icon=":material/error:")
        apart = (RemedyKind.NAME_SIDES, RemedyKind.NAME_SUFFIXES)
        if error.remedy is not None and error.remedy.kind in apart:
            st.info(f"Say which are which: put each into its place under “{APART}”.")
            _offer_audit(place.content)
        told = (one for one in error.warnings if isinstance(one, DataWarning))
        show_warnings(told, is_scored=False)


def _place(label: str, key: str, *, named: bool = False) -> Place:
    with st.container(border=True, gap="small"):
        about, files, folder = st.columns([3, 4, 4], gap="medium")
        # A field forgets its files when another view is shown: they stay, for a system more.
        placed: dict[str, list[Any]] = st.session_state.setdefault(_PLACED, {})
        earlier: dict[str, list[Any]] = st.session_state.setdefault(_EARLIER, {})
        if f"{key}_files" not in st.session_state:
            earlier[key] = placed.get(key, [])
        as_files = files.file_uploader(
            f"{label}: files or a zip", accept_multiple_files=True, key=f"{key}_files"
        )
        as_folder = folder.file_uploader(
            f"{label}: a folder", accept_multiple_files="directory", key=f"{key}_folder"
        )
        about.markdown(f"**{label}**")
        if earlier[key]:
            about.button(
                f"{counted(len(earlier[key]), 'file')} from before", key=f"{key}_remove",
                type="tertiary", icon=":material/close:", help="Take them out",
                on_click=lambda: earlier.update({key: []}),
            )  # fmt: skip
        new = [*(as_files or []), *(as_folder or [])]
        names = {file.name for file in new}
        given = placed[key] = [*(one for one in earlier[key] if one.name not in names), *new]
        if not named:
            about.caption("What the pages really say: transcripts made or checked by people.")
            return Place(label, "", given)
        default = uploads.default_name([file.name for file in given], label)
        # Another folder brings another name, unless somebody has edited it. A browser that is
        # slower than the next run sends the name before: that is no edit either.
        known: list[str] = st.session_state.setdefault(f"{key}_default", [])
        before = st.session_state.get(f"{key}_named", "") if given else ""
        if (written := st.session_state.get(f"{key}_name", before)) in ("", *known):
            written = default
        st.session_state[f"{key}_name"] = written
        if default not in known:
            known.append(default)
        name = about.text_input(
            f"Name of {label.lower()}", key=f"{key}_name", placeholder=label, max_chars=80
        )
        st.session_state[f"{key}_named"] = name
        return Place(label, name.strip() or default, given)


def _once(place: str, identity: object, add: Callable[[], str]) -> str:
    """The key of what was put into a place, found again only where that has changed."""
    brought: dict[str, tuple[object, str]] = st.session_state.setdefault(_BROUGHT, {})
    known = brought.get(place)
    if known is None or known[0] != identity or known[1] not in uploads.held():
        # What was there before makes room for what comes instead of it.
        brought.pop(place, None)
        uploads.forget_drafts({key for _, key in brought.values()})
        with st.spinner("Looking through the files"):
            brought[place] = (identity, add())
    uploads.forget_drafts({key for _, key in brought.values()})
    return brought[place][1]


def _chosen(key: str) -> dict[tuple[str, str], ChosenPair]:
    """The pairs made by hand, by system and page: a browser may report one choice twice."""
    chosen: dict[str, dict[tuple[str, str], ChosenPair]] = st.session_state.setdefault(_BY_HAND, {})
    return chosen.setdefault(key, {})


def _choose(key: str, pairs: Sequence[ChosenPair]) -> None:
    chosen = _chosen(key)
    for pair in pairs:
        taken = {(one.system, one.output) for one in chosen.values()}
        if (pair.system, pair.output) not in taken:
            chosen.setdefault((pair.system, pair.page_id), pair)


def _take_choice(key: str, left: tuple[str, str], widget: str) -> None:
    page_id = st.session_state.get(widget)
    if page_id:
        _choose(key, [ChosenPair(*left, page_id)])


def show_pairing(key: str, first: str, places: Sequence[Place]) -> None:
    """What pairs with what, what is left over, and the way to the scores.

    Args:
        key: of the upload, with the pairs that were chosen by hand.
        first: of the upload without them.
        places: what was put where, the truth first; nothing where all came together.
    """
    upload = uploads.upload(key)
    pairing = upload.pairing
    is_empty = _say_what_is_empty(pairing, places)
    found, warnings, n_pages = _texts(key, upload)
    for told in tell_unreadable(pairing, warnings):
        st.error(html.label(told), icon=":material/error:")
    suggestions = suggest_pairs(pairing)
    says, button = st.columns([4, 1], vertical_alignment="center")
    with says:
        if n_pages:
            told = tell_pages(pairing, n_pages, suggestions)
            st.success(html.label(told), icon=":material/check_circle:")
        elif not is_empty and not pairing.pages:
            twice = [one for one in pairing.warnings if one.kind is WarningKind.SEVERAL_FILES]
            if twice:
                told = f"No page can be scored. {html.label(tell_warning(twice[0]))}"
                st.error(told, icon=":material/error:")
            elif pairing.unpaired:
                st.warning(
                    "No page is paired yet: the names of the ground truth and of the output "
                    "differ. Say below which belong together.",
                    icon=":material/link_off:",
                )
    if button.button(
        "Score these pages", key=f"score_{first}", type="primary", icon=":material/play_arrow:",
        disabled=not n_pages, width="stretch",
    ):  # fmt: skip
        # What is not read by now the scoring reads.
        jobs.give_up("reading")
        uploads.offer(key)
        state.select(data=key)
        go_to("overview.py")
    _show_left_over(first, upload, suggestions)
    show_warnings(
        (one for one in warnings if one.kind not in _IN_TABLE or not places), is_scored=n_pages > 0
    )
    rows = pairing_frame(pairing, warnings)
    if len(rows):
        st.dataframe(
            rows, hide_index=True, height=min(36 * len(rows) + 40, 320), key=f"pairing_{first}"
        )
    passed_over = tell_passed_over(pairing.passed_over, len(spare_images(pairing, found)))
    if passed_over:
        st.caption(html.label(passed_over))


def _say_what_is_empty(pairing: Pairing, places: Sequence[Place]) -> bool:
    """Say of which places there is no transcript; whether there is such a place."""
    empty = empty_sides(pairing, places)
    for told in empty:
        st.error(html.label(told), icon=":material/error:")
    return bool(empty)


def _texts(key: str, upload: Upload) -> tuple[Dataset | None, tuple[DataWarning, ...], int]:
    """The texts of an upload as far as they are read, what is to be said, and how many pages hold.

    Pages that are not read yet count as such that can be scored."""
    pairing = upload.pairing
    if upload.bundle is not None:
        opened = upload.bundle.study.dataset
        return opened, pairing.warnings, opened.n_pages
    if not pairing.pages:
        return None, pairing.warnings, 0
    policy = state.current().settings().reading
    try:
        found = upload.read_if_small(policy)
    except HtrEvalError as error:
        told = [one for one in error.warnings if isinstance(one, DataWarning)]
        if not tell_unreadable(pairing, told):
            st.error(html.label(str(error)), icon=":material/error:")
        return None, tuple(told), 0
    if found is None:
        place = ("read", key, repr(policy))
        waiter = jobs.waiting_for("reading", place) or jobs.wait_for(
            "reading", place, lambda: scoring.ReadJob(place, upload, policy)
        )
        if not waiter.is_over:
            watch(waiter, "reading")
        elif waiter.job.problem:
            st.error(html.label(waiter.job.problem), icon=":material/error:")
            return None, pairing.warnings, 0
        elif waiter.has_left:
            st.caption("The files are read only when they are scored.")
        found = upload.texts(policy)
    if found is None:
        return None, pairing.warnings, len(pairing.pages)
    return found, found.warnings, found.n_pages


def _show_left_over(first: str, upload: Upload, suggestions: Sequence[Suggestion]) -> None:
    """Files without a counterpart, each with what it may belong to and a choice of all pages."""
    pairing = upload.pairing
    if pairing.by_hand:
        n = len(pairing.by_hand)
        st.button(
            f"Undo {n} pair{'s' if n > 1 else ''} made by hand", key=f"undo_{first}",
            type="tertiary", icon=":material/undo:", on_click=_chosen(first).clear,
        )  # fmt: skip
    open_pages = {system: pairing.open_pages(system) for system in pairing.given.systems}
    left = [
        (system, output)
        for system, outputs in pairing.unpaired.hypothesis.items()
        for output in outputs
        if open_pages.get(system) and len(pairing.given.systems[system].get(output, ())) == 1
    ]
    if not left:
        return
    of_output = {(one.pair.system, one.pair.output): one for one in suggestions}
    # What can be answered at once stands first.
    left.sort(key=lambda one: one not in of_output)
    with st.container(border=True, gap="small"):
        heading, take_all = st.columns([3, 2], vertical_alignment="center")
        n = len(left)
        heading.markdown(f"**{n:,} file{'s' if n > 1 else ''} without a page of the same name**")
        if suggestions:
            take_all.button(
                "Take all suggestions", key=f"take_all_{first}", icon=":material/done_all:",
                on_click=_choose, args=(first, [one.pair for one in suggestions]), width="stretch",
            )  # fmt: skip
        for one in left[:_LEFT_SHOWN]:
            _show_one_left(first, upload, one, of_output.get(one), open_pages[one[0]])
        if n > _LEFT_SHOWN:
            st.caption(f"… and {n - _LEFT_SHOWN:,} more, when these are done.")


def _show_one_left(
    first: str, upload: Upload, left: tuple[str, str], suggestion: Suggestion | None,
    pages: Sequence[str],
) -> None:  # fmt: skip
    system, output = left
    file = upload.pairing.given.systems[system][output][0].name
    name = hashlib.sha256(repr((first, left)).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    asked = replace(suggestion, file=file).question if suggestion else f"{file}: of which page?"
    asks, yes, choice = st.columns([5, 1, 3], vertical_alignment="center")
    asks.markdown(html.label(asked))
    if suggestion:
        yes.button(
            "Yes", key=f"yes_{name}", on_click=_choose, args=(first, [suggestion.pair]),
            width="stretch",
        )  # fmt: skip
    choice.selectbox(
        f"Page of {html.label(output)}", pages, index=None, key=f"page_of_{name}",
        placeholder="choose a page", label_visibility="collapsed",
        on_change=_take_choice, args=(first, left, f"page_of_{name}"),
    )  # fmt: skip
