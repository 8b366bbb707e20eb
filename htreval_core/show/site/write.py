"""The files of a site, and how they are written."""

import base64
import json
import shutil
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from zipfile import ZipFile

from htreval_core.errors import ConfigError, not_written
from htreval_core.markup import tag
from htreval_core.scoring.study import Study
from htreval_core.settings.version import __version__
from htreval_core.show.html.font import font_css, font_license
from htreval_core.show.html.sections import rank_pages
from htreval_core.show.site.contents import Contents
from htreval_core.show.views.contract import COMPARE, ERRORS, LEARN, OVERVIEW, PAGE, THREEWAY, View

VIEWS = {
    "index": "Overview", "page": "Page", "compare": "Compare", "errors": "Errors",
    "learn": "Learn",
}  # fmt: skip
"""The pages of a site by the names of their files; the first opens it."""
_DRAWN = (OVERVIEW, PAGE, THREEWAY, COMPARE, ERRORS, LEARN)
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src data:; base-uri 'none'; form-action 'none'"
)
_MARK = "htreval-site.txt"
"""The file by which a folder is known as a site that may be written anew."""


_TRIED = 3
"""Pages from which the size of all is estimated."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much a site is, or is about to be."""

    files: int
    length: int


def site_files(contents: Contents) -> Iterator[tuple[str, bytes]]:
    """Every file of a site: its name with "/" between folders, and its bytes."""
    yield from _of_study(contents)
    for page_id in contents.pages:
        yield from _of_page(contents, page_id)


def site_zip(contents: Contents) -> bytes:
    """The same as one archive."""
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        for name, content in site_files(contents):
            archive.writestr(f"site/{name}", content)
    return made.getvalue()


def _of_study(contents: Contents) -> Iterator[tuple[str, bytes]]:
    yield "site.js", script().encode()
    yield "site.css", f"{font_css()}\n{asset('site.css')}".encode()
    yield "signs.LICENSE.txt", font_license()
    for name, title in VIEWS.items():
        yield f"{name}.html", _page(name, title).encode()
    for name, payload in contents.of_study():
        yield f"data/{name}.js", packed(name, payload)


def _of_page(contents: Contents, page_id: str) -> Iterator[tuple[str, bytes]]:
    for name, payload in contents.of_page(page_id):
        yield f"data/{name}.js", packed(name, payload)
    image = contents.image(page_id)
    if image:
        yield image


def packed(name: str, payload: Any) -> bytes:
    """A payload as a script that opens from a disk, too, where browsers read no other file.

    All text of the data is packed: nothing of it is ever read as a script.
    """
    text = json.dumps(payload, separators=(",", ":"), allow_nan=False)
    content = zlib.compress(text.encode(), 9)
    return f'htreval.take("{name}","{base64.b64encode(content).decode("ascii")}");\n'.encode()


def write_site(
    contents: Contents, folder: Path, *, tell: Callable[[Size], None] = lambda _: None,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Size:  # fmt: skip
    """Write a site into a folder, which holds all of it or stays as it was.

    Args:
        folder: new, empty, or a site that is replaced.
        tell: is told how large it is going to be, before anything is written.
        progress: is told how many of all pages are written.
    """
    check_folder(folder)
    pages = contents.pages
    files = dict(_of_study(contents))
    tell(_expected(contents, files))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise not_written(folder, error) from None
    n_files = length = 0
    try:
        for done in range(len(pages) + 1):
            for name, content in files.items():
                path = made / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                n_files, length = n_files + 1, length + len(content)
            progress(done, len(pages))
            files = dict(_of_page(contents, pages[done])) if done < len(pages) else {}
        (made / _MARK).write_text(
            f"Written by htreval {__version__}, which replaces this folder.\n"
        )
        made.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        made.rename(folder)
    except OSError as error:
        raise not_written(folder, error) from None
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return Size(n_files, length)


def _expected(contents: Contents, of_study: Mapping[str, bytes]) -> Size:
    """About how large a site is going to be, from a few of its pages."""
    pages = contents.pages
    some = pages[:: max(len(pages) // _TRIED, 1)][:_TRIED]
    tried = [len(content) for one in some for _, content in _of_page(contents, one)]
    times = len(pages) / max(len(some), 1)
    length = sum(map(len, of_study.values())) + round(times * sum(tried))
    return Size(len(of_study) + round(times * len(tried)), length)


def check_folder(folder: Path) -> None:
    """Raise a ConfigError where a folder holds something that is no site."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _MARK).is_file():
        raise ConfigError(f"{folder} holds other files; name a folder that is new or empty")
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file; name a folder")


def script(views: tuple[View, ...] = _DRAWN, host: str = "site") -> str:
    """The host and the views as one script, each view in a scope of its own."""
    parts = [asset("host.js")]
    for view in views:
        style = json.dumps(view.style)
        parts.append(
            f'htreval.view("{view.name}", {style}, () => {{\n{view.script}\nreturn show;\n}});'
        )
    return "\n".join([*parts, asset(f"{host}.js")])


def asset(name: str) -> str:
    """A file of the site's own, as text."""
    return (files(__package__) / "assets" / name).read_text("utf-8")


def _page(name: str, title: str) -> str:
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="generator", content=f"htreval {__version__}"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("link", rel="icon", href="data:,"), tag("title", title),
        tag("link", rel="stylesheet", href="site.css"),
    ]  # fmt: skip
    body = tag(
        "body",
        tag("noscript", "These pages are drawn by scripts of their own: allow scripts here."),
        tag("script", src="site.js"), data_view=name,
    )  # fmt: skip
    return f"<!DOCTYPE html>\n{tag('html', tag('head', *head), body, lang='en')}\n"


def choose_pages(study: Study, wanted: str) -> frozenset[str]:
    """The pages that are asked for.

    Args:
        wanted: "worst:N", those of the N worst readings of all systems; "all"; or ids of pages
            with commas between.
    """
    if wanted == "all":
        return frozenset(study.page_ids)
    kind, colon, number = wanted.partition(":")
    if kind == "worst" and colon:
        if not (number.isascii() and number.isdecimal()):
            raise ConfigError(f"{wanted!r}: write it as worst:N, such as worst:20")
        return frozenset(one.page_id for one in rank_pages(study)[: int(number[:9])])
    # An id may hold a comma itself.
    ids = [wanted] if wanted in study.dataset else [one.strip() for one in wanted.split(",")]
    unknown = [page_id for page_id in ids if page_id not in study.dataset]
    if unknown:
        raise ConfigError(
            f"page {unknown[0]!r} is not in the data; name pages, or write worst:20 or all"
        )
    return frozenset(ids)
