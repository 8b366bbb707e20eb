"""The one selection that all pages share, kept in the session and in the URL.

Nothing else touches ``st.session_state`` keys of the selection or ``st.query_params``.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from typing import Any, NoReturn, TypeVar, get_args
from urllib.parse import urlencode

import streamlit as st

from htreval_core import ConfigError, OrderRules, ReadPolicy, Settings, TextPolicy
from htreval_core.metrics.kinds import View
from htreval_core.settings import gamma_text
from htreval_core.settings.orders import orders_json, orders_of_json
from htreval_core.show.views.contract import Wish
from htreval_ui import places

T = TypeVar("T")
_MAPPING = "character_mapping"
_PLACES = ("data", "page", "system")
_SELECTION = "selection"
_WRITTEN = "selection_in_url"
_SEEN = "address_seen"
_LOST = "settings_lost"


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user looks at.

    Empty ``data``, ``system`` or ``page`` mean the first there is.
    """

    data: str = ""
    system: str = ""
    page: str = ""
    other: str = ""
    """The system that the chosen one is compared with."""
    both: str = ""
    """ "yes": errors are shown of two systems beside each other."""
    find: str = ""
    """Which errors are shown: "rn→m", or a part of a word; empty for all."""
    which: str = ""
    """Of what kind they are, or which of two systems read them right; empty for all."""
    sort: str = ""
    """ "often": the commonest errors come first, not the first pages."""
    tab: str = ""
    """What of the errors is open: "words" or "lines"; empty for characters."""
    lesson: str = ""
    """The chapter of Learn that is open."""
    reference: str = ""
    """A text of one's own for the lessons; empty for that of the story."""
    output: str = ""
    """The same, as it was read."""
    view: View = "matching"
    mode: str = ""
    """ "lines": a page stands line by line, not side by side."""
    rank: str = "delta_wer"
    """By what pages are ranked."""
    all_pages: str = ""
    """ "yes": each system is shown on all of its pages, not on those that all have read."""
    cluster: str = ""
    """What pages belong to: a facet, or a pattern of their ids."""
    where: str = ""
    """The expression to which pages are narrowed; see ``htreval_core.scoring.filters``."""
    more: str = ""
    """What is open below the Overview's first screen."""
    panel: str = ""
    """The page in whose place it is shown what each switch of the text is worth."""
    gamma: str = "1"
    solver: str = "exact"
    trace: str = "refined"
    text: TextPolicy = field(default_factory=TextPolicy)
    """The switches of the text but for the mapping, which an address cannot hold."""
    reading: ReadPolicy = field(default_factory=ReadPolicy)
    """The switches of reading; limits, encoding and line ids are as usual."""
    stand_in: str = ""
    """The system whose output stands in for the reference, so that no figure is an error rate: the
    data say so, and no address."""
    orders: str = ""
    """The rules of reading order as ``orders_json`` writes them; empty for none."""
    event: str = ""
    """The number of the event that is brought out, from 1."""
    repaired: str = ""
    """Numbers of the events that are put right, from 1, with "+" between."""
    word: str = ""
    """The word picked on the page: "ref:12" or "hyp:7", counted from 0."""

    @property
    def picked(self) -> tuple[str, int] | None:
        side, _, number = self.word.partition(":")
        index = _whole_number(number)
        return (side, index) if side in ("ref", "hyp") and index is not None else None

    @property
    def events_put_right(self) -> frozenset[int]:
        """Numbers of the events that are put right, from 0."""
        numbers = map(_whole_number, self.repaired.split("+"))
        return frozenset(number - 1 for number in numbers if number)

    @property
    def event_number(self) -> int | None:
        """The number of the event that is brought out, from 0."""
        number = _whole_number(self.event)
        return number - 1 if number else None

    @property
    def rules(self) -> OrderRules:
        """The rules of reading order; none where words are counted without regard to lines."""
        if self.orders and self.text.words != "space":
            with suppress(ConfigError):
                return orders_of_json(self.orders)
        return OrderRules()

    def settings(self) -> Settings:
        """The settings of the scoring.

        What is impossible, as only a damaged address can make it, falls back to the defaults.
        """
        policy = replace(self.text, mapping=st.session_state.get(_MAPPING, ()))
        return _possible(
            Settings, gamma=self.gamma if len(self.gamma) <= _LONGEST_NUMBER else "1",
            solver=self.solver, trace=self.trace, policy=policy, reading=self.reading,
            orders=self.rules,
        )  # fmt: skip


_LONGEST_NUMBER = 20
_LONGEST_ORDERS = 6000
"""Characters of rules up to which an address holds them."""


def _whole_number(text: str) -> int | None:
    """A number of words as an address holds it; None where it could not be one."""
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _possible(kind: Callable[..., T], **values: Any) -> T:
    """The settings with all values that are possible by themselves, defaults for the others."""
    kept = {}
    for name, value in values.items():
        try:
            kind(**{name: value})
        except ConfigError:
            continue
        kept[name] = value
    return kind(**kept)


def adopt(settings: Settings) -> None:
    """Take over all settings of a preset or a file."""
    select(
        gamma=gamma_text(settings.gamma), solver=settings.solver, trace=settings.trace,
        text=replace(settings.policy, mapping=()),
        reading=ReadPolicy.of_text(settings.reading.as_text()),
        orders=orders_json(settings.orders) if settings.orders else "",
    )  # fmt: skip


def order_by(rules: OrderRules) -> None:
    """Take these rules of reading order."""
    select(orders=orders_json(rules) if rules else "")


def switch(name: str, value: Any) -> None:
    """Throw one switch of the text policy."""
    st.session_state[_LOST] = ()
    select(text=replace(current().text, **{name: value}))


def read_as(name: str, value: Any) -> None:
    """Throw one switch of how files are read."""
    st.session_state[_LOST] = ()
    select(reading=replace(current().reading, **{name: value}))


def use_mapping(pairs: tuple[tuple[str, str], ...]) -> bool:
    """Read these characters as others, in this session. Returns whether that is news."""
    is_new: bool = st.session_state.get(_MAPPING, ()) != pairs
    st.session_state[_MAPPING] = pairs
    return is_new


_DEFAULT = Selection()


def current() -> Selection:
    """The selection of this session."""
    selection: Selection = st.session_state.get(_SELECTION, _DEFAULT)
    return selection


def select(**changes: Any) -> None:
    """Change the selection. Other data means another first page; another page means no word."""
    before = current()
    if changes.get("data", before.data) != before.data:
        changes = {"page": "", "system": "", "where": "", "cluster": "", **changes}
    if any(changes.get(name, getattr(before, name)) != getattr(before, name) for name in _PLACES):
        changes = {"word": "", "event": "", "repaired": "", **changes}
    st.session_state[_SELECTION] = replace(before, **changes)


def select_pair(a: str, b: str) -> None:
    """Compare these two; a system is not compared with itself."""
    select(system=a, page=current().page, other=b if b != a else "")


def select_pair_page(a: str, b: str, page: str) -> None:
    """Look at a page under both of two systems."""
    select(system=a, page=page)
    select(other=b)


def take_up(wish: Wish, order: Sequence[str]) -> None:
    """Take up what any page may be asked for: another page, the other alignment, what to mark."""
    what, value = wish.what, wish.value
    if what == "step" and wish.page in order:
        wanted = order.index(wish.page) + int(value)
        select(page=order[min(max(wanted, 0), len(order) - 1)])
    elif what == "page" and value in order:
        select(page=value)
    elif what == "view" and value in get_args(View):
        select(view=value)
    elif what == "mode" and value in ("", "lines"):
        select(mode=value)
    elif what == "word":
        select(word=f"{value[0]}:{int(value[1])}")
    elif what == "event":
        select(event="" if current().event_number == value else str(int(value) + 1))


def read_url(*, is_wanted: bool = False) -> None:
    """Take the selection from the address where it names anything new.

    An address that has not changed since the last run is no news: the browser may not have drawn
    what was chosen then. Moving between pages empties the address; that is no wish to forget.

    Args:
        is_wanted: whether the address is what the user asked for, as with Back.
    """
    given = st.query_params.to_dict()
    known = (st.session_state.get(_SEEN), st.session_state.get(_WRITTEN))
    st.session_state[_SEEN] = given
    if not given or (given in known and not is_wanted):
        return
    changes: dict[str, Any] = {
        entry.name: given[entry.name]
        for entry in fields(Selection)
        if entry.name in given and entry.name not in ("text", "reading")
    }
    changes["text"], lost_in_text = with_address(current().text, given)
    changes["reading"], lost_in_reading = with_address(current().reading, given)
    if changes.get("view", "matching") not in get_args(View):
        changes.pop("view")
    before = current()
    same_data = changes.get("data", before.data) == before.data
    # What an address of ours does not name was not chosen when it was written.
    changes = dict.fromkeys(_CHOSEN, "") | changes
    found = replace(before if same_data else _DEFAULT, **changes)
    st.session_state[_SELECTION] = found
    lost = ["orders"] if found.orders and not found.rules and found.text.words != "space" else []
    for name in _SETTINGS:
        try:
            Settings(**{name: getattr(found, name)})
        except ConfigError:
            lost.append(name)
    st.session_state[_LOST] = (*lost_in_text, *lost_in_reading, *lost)


def settle(**values: Any) -> None:
    """Take over what a page found to show where nothing was chosen, or nothing that there is."""
    st.session_state[_SELECTION] = replace(current(), **values)


_SETTINGS = ("gamma", "solver", "trace")
_CHOSEN = (
    "where", "cluster", "orders", "event", "repaired", "word", "more",
    "all_pages", "panel", "both", "mode", "find", "which", "sort", "tab", "reference", "output",
)  # fmt: skip
"""What may be empty, and then stands in no address."""
_OF_PAGE = {
    "overview": ("system", "rank", "more", "all_pages"),
    "page": ("page", "system", "rank", "view", "mode", "event", "repaired", "word"),
    "compare": ("system", "other", "page"),
    "errors": ("system", "both", "find", "which", "sort", "tab"),
    "learn": ("lesson", "reference", "output"), "data": (),
}  # fmt: skip
"""What each page shows of the selection besides data and settings."""


def is_audit() -> bool:
    """Whether the Overview compares systems with each other, without a truth."""
    return bool(current().stand_in) or current().more == "audit"


def is_on_data(page: str) -> bool:
    """Whether what a page shows comes from the data; a lesson brings its own texts."""
    return page != "learn"


def in_url(page: str) -> dict[str, str]:
    """What the address of a page says: data, what the page shows of them, and every setting.

    Settings stand in it also where they are the usual ones: what is usual may change.
    """
    selection = current()
    if not is_on_data(page):
        return {name: told for name in _OF_PAGE[page] if (told := getattr(selection, name))}
    names = ["data", "where", "cluster", "panel", *_OF_PAGE[page], *_SETTINGS]
    if page == "overview" and is_audit():
        names += ["page", "other", "event", "mode"]
    if page == "errors" and selection.both:
        names.append("other")
    if len(selection.orders) <= _LONGEST_ORDERS:
        names.append("orders")
    chosen = {name: getattr(selection, name) for name in names}
    switches = {**selection.text.as_text(), **selection.reading.as_text()}
    chosen |= {name.replace("-", "_"): value for name, value in switches.items()}
    return {name: value for name, value in chosen.items() if value}


def address(page: str, data: str) -> str:
    """The whole address of what is shown, for whoever is to see the same."""
    told = in_url(page) | {"data": data}
    return f"{str(st.context.url or '').split('?')[0]}?{urlencode(told)}"


def query(page: str) -> str:
    """What the address of a page is to say from now on."""
    wanted = in_url(page)
    st.session_state[_WRITTEN] = wanted
    return urlencode(wanted)


_Policy = TypeVar("_Policy", TextPolicy, ReadPolicy)


def with_address(policy: _Policy, given: Mapping[str, str]) -> tuple[_Policy, list[str]]:
    """The policy with what an address says of its switches, and the names of those it cannot say.

    A plus sign that nobody wrote as %2B arrives as a space.
    """
    lost: list[str] = []
    for name in policy.as_text():
        key = name.replace("-", "_")
        if key in given:
            wanted = policy.as_text() | {name: given[key].replace(" ", "+")}
            try:
                policy = policy.of_text(wanted)
            except (ConfigError, KeyError, ValueError):
                lost.append(key)
    return policy, lost


def lost_settings() -> tuple[str, ...]:
    """Settings of the address that do not exist, so that the usual ones hold in their place."""
    lost: tuple[str, ...] = st.session_state.get(_LOST, ())
    return lost


def widget(name: str, value: Any) -> str:
    """The key of the widget that edits ``name``, set to show ``value`` in this run.

    Give the widget the value as its default, too: where the next run begins before the browser
    has drawn this one, it reports the default as the user's choice.
    """
    key = f"edit_{name}"
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    return key


def edited(name: str) -> Any:
    """What the user put into the widget that edits ``name``."""
    return st.session_state[f"edit_{name}"]


def bound(name: str, value: Any, otherwise: Any = "") -> dict[str, Any]:
    """What ties a widget to ``name`` of the selection: its key, and that a choice is taken up."""
    return {"key": widget(name, value), "on_change": _take, "args": (name, otherwise)}


def _take(name: str, otherwise: Any) -> None:
    st.session_state[_LOST] = ()
    value = edited(name)
    if isinstance(value, bool):
        value = "yes" if value else ""
    select(**{name: value or otherwise})


PAGES = (
    ("overview.py", "Overview", "overview"), ("page.py", "Page", "page"),
    ("compare.py", "Compare", "compare"), ("errors.py", "Errors", "errors"),
    ("learn.py", "Learn", "learn"), ("data.py", "Data", "data"),
)  # fmt: skip
"""The pages: script, title, address. The first is the one that the app opens with."""


def page_file(name: str) -> str:
    """The path of a page script, as navigation wants it."""
    return str(places.root() / "pages" / name)


def go_to(name: str) -> NoReturn:
    """Show another page; what it shows stands in its address as soon as it is drawn."""
    # With any other query Streamlit would take two steps where Back is to take back one.
    st.switch_page(page_file(name), query_params=st.query_params.to_dict())


def open_page(page_id: str, system: str) -> None:
    """Go to the Page view of a page."""
    select(page=page_id, system=system)
    go_to("page.py")
