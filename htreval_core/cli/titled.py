"""Options that help shows under titles, the rare ones only where all are asked for."""

from collections.abc import Callable
from typing import Any

import click

GENERAL = "General"


class TitledOption(click.Option):
    """An option that stands under a title.

    Args:
        title: the title.
        rare: whether ``--help`` passes it over and ``--help-all`` alone shows it.
    """

    def __init__(self, *args: Any, title: str = GENERAL, rare: bool = False, **more: Any) -> None:
        super().__init__(*args, **more)
        self.title = title
        self.rare = rare


class TitledCommand(click.Command):
    """A command whose help lists its options by title, in the order in which titles first come."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if any(getattr(param, "rare", False) for param in self.params):
            self.params.append(
                click.Option(
                    ["--help-all"], is_flag=True, is_eager=True, expose_value=False,
                    callback=_show_all, help="Show every option and exit.",
                )
            )  # fmt: skip

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        titles: dict[str, list[tuple[str, str]]] = {}
        n_rare = 0
        for param in self.get_params(ctx):
            if getattr(param, "rare", False) and not ctx.meta.get(_ALL):
                n_rare += 1
                continue
            # What an argument is stands in the text above.
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                titles.setdefault(getattr(param, "title", GENERAL), []).append(record)
        for title, records in titles.items():
            with formatter.section(title):
                formatter.write_dl(records)
        if n_rare:
            formatter.write(f"\n{n_rare} more options: {ctx.command_path} --help-all\n")


_ALL = "htreval.all_options"


def _show_all(ctx: click.Context, _param: click.Parameter, is_asked: bool) -> None:
    if is_asked and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def option(title: str, *names: str, **more: Any) -> Callable[..., Any]:
    """``click.option`` under a title."""
    return click.option(*names, cls=TitledOption, title=title, **more)


def command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """``click.command`` with its options under titles."""
    return click.command(name, cls=TitledCommand)
