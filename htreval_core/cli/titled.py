"""Options that help shows under titles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

GENERAL = "General"


class TitledOption(click.Option):
    """An option that stands under a title.

    Args:
        title: the title.
    """

    def __init__(self, *args: Any, title: str = GENERAL, **more: Any) -> None:
        super().__init__(*args, **more)
        self.title = title


class TitledCommand(click.Command):
    """A command whose help lists its options by title, in the order in which titles first come."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        titles: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            # What an argument is stands in the text above.
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                titles.setdefault(getattr(param, "title", GENERAL), []).append(record)
        for title, records in titles.items():
            with formatter.section(title):
                formatter.write_dl(records)


def option(title: str, *names: str, **more: Any) -> Callable[..., Any]:
    """``click.option`` under a title."""
    return click.option(*names, cls=TitledOption, title=title, **more)


def command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """``click.command`` with its options under titles."""
    return click.command(name, cls=TitledCommand)
