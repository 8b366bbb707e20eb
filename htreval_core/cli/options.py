"""The command line's arguments that say where data come from and how they are counted."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import wraps
from pathlib import Path
from typing import Any

import click

from htreval_core.cli.titled import option
from htreval_core.settings import PRESETS, READ_SWITCHES, Limits
from htreval_core.settings.written import MARKUP_RULES, USUAL_MARKUP
from htreval_core.sources.columns import Columns
from htreval_core.text import SWITCHES, Switch, TextPolicy

DATA, READING, COUNTING, WORK, OUTPUT = "Data", "Reading", "Counting", "Work", "Output"
EITHER_SIDES = "give either PATH alone, or two or more --system; an audit reads no references"


@dataclass(frozen=True, slots=True)
class Where:
    """Where the arguments say that data come from, and how they are to be read and counted.

    Args:
        path: a folder, archive, table or run bundle.
        reference: the references alone; goes with ``outputs``.
        outputs: of each system the path of its output.
        systems: only these of the systems; all where none is named.
        facets: a table of page metadata; one that stands beside the pages is found by itself.
        fits: only pages with one of these values in each of these facets.
        cluster: what the pages belong to, a facet or a pattern of their ids.
        counting: what the other arguments say of the settings, as ``data.read_settings`` takes it.
    """

    path: Path | None = None
    reference: Path | None = None
    outputs: Mapping[str, Path] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    reference_suffix: str | None = None
    hypothesis_suffix: str | None = None
    facets: Path | None = None
    fits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cluster: str | None = None
    id_column: str | None = None
    reference_column: str | None = None
    text_columns: Mapping[str, str] = field(default_factory=dict)
    counting: Mapping[str, Any] = field(default_factory=dict)

    @property
    def named(self) -> tuple[Path, ...]:
        """The paths that hold the pages."""
        return tuple(one for one in (self.path, self.reference, *self.outputs.values()) if one)

    @property
    def columns(self) -> Columns:
        """The columns of tables that the arguments name."""
        return Columns(self.id_column, self.reference_column, self.text_columns)


def _by_system(values: tuple[str, ...], form: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for value in values:
        name, _, given = value.partition("=")
        if not name or not given:
            raise click.BadParameter(f"{value!r}: write it as {form}")
        if name in found:
            raise click.BadParameter(f"system {name!r} is given twice")
        found[name] = given
    return found


def _outputs(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> Mapping[str, Path]:
    paths = _by_system(values, "NAME=PATH")
    return {name: Path(path) for name, path in paths.items()}


def _fits(
    _ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]
) -> Mapping[str, tuple[str, ...]]:
    wanted: dict[str, tuple[str, ...]] = {}
    for value in values:
        name, separator, text = value.partition("=")
        if not separator or not name:
            raise click.BadParameter(f"{value!r}: write it as FACET=VALUE, such as hand=A")
        wanted[name] = (*wanted.get(name, ()), text)
    return wanted


def _limits(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> Limits:
    known = [entry.name for entry in fields(Limits)]
    chosen: dict[str, int] = {}
    for value in values:
        name, _, number = value.partition("=")
        if name not in known or not (number.isascii() and number.isdecimal()):
            raise click.BadParameter(
                f"{value!r}: write it as NAME=NUMBER, the name any of {', '.join(known)}"
            )
        chosen[name] = int(number[:18])
    return Limits(**chosen)


_SAID = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def told(section: str, name: str, *names: str, **more: Any) -> Callable[..., Any]:
    """An option with what ``options.toml`` says of it."""
    return option(section, name, *names, **_SAID[name.removeprefix("--")], **more)


jobs_option = told(WORK, "--jobs", type=click.IntRange(min=1))
all_pages_option = told(COUNTING, "--all-pages", is_flag=True)
MORE_PAGES = "--all-pages scores each system on all of its pages"
"""What is offered where pages are left out."""


def output_option(
    what: str, *, required: bool = False, file: bool = True, folder: bool = False
) -> Callable[..., Any]:
    """-o and --output: a file, a folder, or either."""
    kind = click.Path(path_type=Path, file_okay=file, dir_okay=folder)
    return option(OUTPUT, "-o", "--output", help=what, required=required, type=kind)


def format_option(
    *kinds: str, default: str, text: str = "Write in this format."
) -> Callable[..., Any]:
    """--format, kept in ``kind``."""
    return option(
        OUTPUT, "--format", "kind", type=click.Choice(kinds), default=default, show_default=True,
        help=text,
    )  # fmt: skip


reference_option = told(DATA, "--reference", type=click.Path(path_type=Path))
outputs_option = told(DATA, "--system", "outputs", multiple=True, callback=_outputs)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_WHERE = (
    click.argument("path", required=False, type=click.Path(path_type=Path)), reference_option,
    outputs_option, told(DATA, "--systems", multiple=True), told(DATA, "--reference-suffix"),
    told(DATA, "--hypothesis-suffix"), told(DATA, "--facets", type=_FILE),
    told(DATA, "--where", "fits", multiple=True, callback=_fits), told(DATA, "--cluster"),
    told(DATA, "--id-column", rare=True), told(DATA, "--reference-column", rare=True),
    told(DATA, "--text-column", "text_columns", multiple=True,
         callback=lambda _ctx, _param, values: _by_system(values, "SYSTEM=COLUMN")),
)  # fmt: skip
_PATHS = 4
"""The first of these, which say where the outputs are."""
_MARKUP = [*USUAL_MARKUP, "all"], [name for name in MARKUP_RULES if name not in USUAL_MARKUP]
_READING = (
    told(READING, "--settings", type=click.Path(path_type=Path, exists=True)),
    told(READING, "--encoding"),
    told(READING, "--line-pattern", rare=True),
    told(READING, "--limit", "limits", multiple=True, callback=_limits, rare=True),
    told(READING, "--keep-markup", multiple=True, type=click.Choice(_MARKUP[0]), rare=True),
    told(READING, "--take-off", multiple=True, type=click.Choice(_MARKUP[1]), rare=True),
    *(
        option(
            READING, switch.option, switch.name, type=click.Choice(switch.choices),
            multiple=switch.several, rare=switch.name != "level",
            help=f"{switch.help.rstrip('.')}; repeatable." if switch.several else switch.help,
        )
        for switch in READ_SWITCHES
    ),
)  # fmt: skip
READING_NAMES = (
    "settings", "encoding", "line_pattern", "limits", "keep_markup", "take_off",
    *(switch.name for switch in READ_SWITCHES),
)  # fmt: skip


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say how a file is read, each under its name of ``READING_NAMES``."""
    for one in reversed(_READING):
        command = one(command)
    return command


_SEED = told(COUNTING, "--seed", type=int, rare=True)


_OFTEN = ("ignore_case", "ignore_punctuation", "join_hyphens")


def _switch(switch: Switch) -> Any:
    said: dict[str, Any] = {"help": switch.help, "rare": switch.name not in _OFTEN}
    if switch.name == "mapping":
        said["type"] = click.Path(path_type=Path, exists=True, dir_okay=False)
    elif switch.choices:
        said |= {"type": click.Choice(list(switch.choices)), "multiple": switch.several}
    else:
        said["is_flag"] = True
    return option(COUNTING, switch.option, **said)


def _counting() -> tuple[Any, ...]:
    """The options that change how text counts; the switches are those of the text policy."""
    return (
        told(COUNTING, "--preset", type=click.Choice(list(PRESETS))),
        told(COUNTING, "--gamma", rare=True), *map(_switch, SWITCHES),
        told(COUNTING, "--order-rules", type=_FILE),
    )  # fmt: skip


def data_options(
    *, counting: bool = True, seed: bool = False, paired: bool = True
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The arguments that say where data come from, gathered into one ``Where``.

    Args:
        counting: whether the command counts text.
        seed: whether it draws at random.
        paired: whether outputs belong to references.
    """
    where = _WHERE if paired else (_WHERE[0], *_WHERE[2:_PATHS])
    options = [*where, *_READING, *(_counting() if counting else ()), *([_SEED] if seed else ())]
    own = {entry.name for entry in fields(Where)} - {"counting"}
    settings = {*READING_NAMES}
    settings |= {"preset", "gamma", "seed", "order_rules"}
    settings |= {entry.name for entry in fields(TextPolicy)}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def gathered(*args: Any, **given: Any) -> None:
            place = {name: given.pop(name) for name in own & given.keys()}
            chosen = {name: given.pop(name) for name in settings & given.keys()}
            command(*args, where=Where(**place, counting=chosen), **given)

        for one in reversed(options):
            gathered = one(gathered)
        return gathered

    return decorate


def metric_names(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    """Names of metrics, or of sets of them, with commas between."""
    from htreval_core.metrics.catalog import METRIC_SETS, METRICS

    if value is None:
        return None
    given = [name.strip() for name in value.split(",") if name.strip()]
    names = tuple(dict.fromkeys(one for name in given for one in METRIC_SETS.get(name, (name,))))
    unknown = [name for name in names if name not in METRICS]
    if unknown or not names:
        raise click.BadParameter(
            f"{', '.join(unknown) or value!r}: use any of {', '.join((*METRICS, *METRIC_SETS))}"
        )
    return names


metrics_option = option(
    OUTPUT, "--metrics", callback=metric_names, metavar="A,B,…",
    help="Show only these metrics; 'paper' is all of the paper's, 'all' is every one.",
)  # fmt: skip
