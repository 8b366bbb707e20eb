"""The project's own site: ``make site`` writes build/site.

The documents as pages, the API, and the samples as sites that can be clicked through. Any place
that serves files can publish the folder; it asks nothing of other hosts.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from pathlib import Path

from api import render_api
from sphinx.cmd.build import build_main

import htreval_core as hv
from htreval_core.settings.file import settings_of_toml
from htreval_core.show.site.contents import Contents, Wanted
from htreval_core.show.site.write import write_site
from htreval_core.show.views.opened import Opened

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = {
    "berlin": ("Early prints", "page.html?page=plague-advice&system=tesseract-auto&event=1"),
    "letterbook": ("The letter-book", "index.html"),
    "seite0418": ("A page of the paper", "page.html?system=RPN%2BCRNN"),
}
"""Which samples can be clicked through: what they are called, and where one begins."""
OPTIONS = {
    "extensions": "myst_parser", "project": "htreval", "html_theme": "furo",
    "html_title": "htreval", "myst_heading_anchors": "4", "html_show_sphinx": "0",
    "html_copy_source": "0", "copyright": "Apache-2.0",
    # Files of the repository that documents name are no pages of the site.
    "suppress_warnings": "myst.xref_missing",
}  # fmt: skip


def write_sample(name: str, title: str, folder: Path) -> None:
    """A sample as a site of its own, with the settings that it brings."""
    given = ROOT / "sample_data" / name
    own = given / "study.toml"
    settings = settings_of_toml(own.name, own.read_bytes()) if own.exists() else hv.Settings()
    study = hv.score(hv.pair_path(given), settings)
    opened = Opened(study)
    opened.diagnoses()
    write_site(Contents(opened, Wanted(title, frozenset(study.page_ids))), folder)


def write_documents(folder: Path) -> None:
    """The documents and the API as pages; a link within them that leads nowhere is an error."""
    with tempfile.TemporaryDirectory() as made:
        source = Path(made) / "docs"
        shutil.copytree(ROOT / "docs", source, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        doors = (source / "README.md").read_text("utf-8").partition("\n")[2]
        (source / "README.md").unlink()
        # The order of the doors, then what no door names.
        named = re.findall(r"\]\(([\w/-]+)\.md[)#]", doors)
        every = (str(one.relative_to(source).with_suffix("")) for one in source.rglob("*.md"))
        pages = "\n".join(dict.fromkeys([*named, *sorted(every)]))
        clicks = " · ".join(
            f'<a href="try/{name}/{start}">{title}</a>' for name, (title, start) in SAMPLES.items()
        )
        first = SAMPLES["berlin"][1]
        (source / "index.md").write_text(
            "# htreval\n\nWhy the transcription of a handwritten or early printed page is bad: "
            "words were misread, or right words stand in the wrong order.\n\n"
            f'<a href="try/berlin/{first}"><img src="_images/page.png" '
            'alt="A page of about 1600 whose marginal notes were read into the text"/></a>\n\n'
            f"Click through the samples: {clicks}\n\n{doors}\n"
            '<a href="api/htreval_core.html">The Python API, name by name</a>\n\n'
            f"```{{toctree}}\n:hidden:\n\n{pages}\n```\n",
            "utf-8",
        )
        options = [part for name, value in OPTIONS.items() for part in ("-D", f"{name}={value}")]
        if build_main(["-q", "-W", "--keep-going", "-C", *options, str(source), str(folder)]):
            raise SystemExit("the documents have links that lead nowhere; see above")
    shutil.rmtree(folder / ".doctrees", ignore_errors=True)
    shutil.copy(ROOT / "docs" / "images" / "page.png", folder / "_images")
    (folder / "api").mkdir()
    (folder / "api" / "htreval_core.html").write_text(render_api(), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site")
    folder: Path = parser.parse_args().output
    shutil.rmtree(folder, ignore_errors=True)
    write_documents(folder)
    for name, (title, _) in SAMPLES.items():
        write_sample(name, title, folder / "try" / name)
    # Else GitHub Pages would leave out the folders whose names begin with "_".
    (folder / ".nojekyll").touch()
    print(f"Written: {folder / 'index.html'}")


if __name__ == "__main__":
    main()
