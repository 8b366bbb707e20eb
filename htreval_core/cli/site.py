"""``htreval site``: a study as static files for people without this program."""

from pathlib import Path

import click

from htreval_core.cli.data import find_data, scored_and_diagnosed
from htreval_core.cli.group import warn
from htreval_core.cli.options import OUTPUT, Where, data_options, jobs_option, told
from htreval_core.cli.running import ProgressLine
from htreval_core.cli.titled import command, option
from htreval_core.errors import ConfigError


@command("site")
@data_options(seed=True)
@jobs_option
@told(OUTPUT, "--pages", "wanted", default="all", show_default=True)
@told(OUTPUT, "--images", "side", type=click.IntRange(0, 4000), default=1600, show_default=True)
@option(OUTPUT, "--title", help="Title of the site [default: the name of the data].")
@option(
    OUTPUT, "-o", "--output", type=click.Path(path_type=Path), required=True,
    help="Write into this folder: new, empty, or a site that is replaced.",
)  # fmt: skip
def site_command(
    where: Where, jobs: int | None, wanted: str, side: int, title: str | None, output: Path
) -> None:
    """Write a site of static files: Overview, Page, Compare and Errors as in the app.

    Any web space serves it, and it opens from a disk. Nothing is fetched from elsewhere.
    """
    from htreval_core.run.mark_files import beside, read_folder
    from htreval_core.run.marks import standing
    from htreval_core.show.site.contents import Contents, Wanted
    from htreval_core.show.site.write import check_folder, choose_pages, write_site
    from htreval_core.show.tables.values import plain
    from htreval_core.show.views.opened import Opened

    check_folder(output)
    first = next(iter(where.named), None)
    found, warnings = read_folder(beside(first)) if isinstance(first, Path) else ([], ())
    warn(warnings)
    study, diagnoses = scored_and_diagnosed(find_data(where), jobs)
    pages = choose_pages(study, wanted)
    if not pages:
        raise ConfigError(f"--pages {wanted} chooses no page")
    opened = Opened(study, side=side or 1)
    opened.diagnoses(diagnoses)
    contents = Contents(
        opened, Wanted(title or study.dataset.name, pages, images=side > 0, marks=standing(found))
    )
    size = write_site(
        contents,
        output,
        tell=lambda size: click.echo(
            f"about {size.length / 1e6:.1f} MB in {size.files:,} files", err=True
        ),
        progress=ProgressLine(),
    )
    click.echo(
        f"{plain(str(output))}: {size.length / 1e6:.1f} MB in {size.files:,} files; open "
        f"{plain(str(output / 'index.html'))}, or put the folder on any web space",
        err=True,
    )
