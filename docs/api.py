"""The API page, from the docstrings of every public name: ``make api`` writes build/api.

pdoc reads what a module holds. Public names arrive when they are first used, so all of them are
used once before it looks.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pdoc
import pdoc.doc
import pdoc.render

import htreval_core

ROOT = Path(__file__).resolve().parent.parent


def render_api() -> str:
    """One page of HTML with every public name of ``htreval_core``; it needs no network."""
    for name in htreval_core.__all__:
        vars(htreval_core)[name] = getattr(htreval_core, name)
    module = pdoc.doc.Module(htreval_core)
    pdoc.render.configure(docformat="google", show_source=False, search=False)
    return pdoc.render.html_module(module, all_modules={htreval_core.__name__: module})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "api")
    folder: Path = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "htreval_core.html"
    page.write_text(render_api(), "utf-8")
    print(f"Written: {page}")


if __name__ == "__main__":
    main()
