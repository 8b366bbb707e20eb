"""The project's own site: every link within the documents leads somewhere, and nothing leaves."""

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.mark.thorough
def test_documents_become_pages_that_ask_nothing_of_other_hosts(tmp_path: Path) -> None:
    code = (
        f"import sys; from pathlib import Path; sys.path.insert(0, {str(ROOT / 'docs')!r}); "
        f"import build_site; build_site.write_documents(Path({str(tmp_path / 'site')!r}))"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > len(list((ROOT / "docs").rglob("*.md")))
    for page in pages:
        text = page.read_text("utf-8")
        assert not re.findall(r'<(?:script|img|iframe)[^>]+src="(?:https?:)?//', text), page
        assert not re.findall(r'<link[^>]+stylesheet[^>]+href="(?:https?:)?//', text), page


pytestmark = pytest.mark.slow


def test_the_page_has_every_public_name() -> None:
    spec = importlib.util.spec_from_file_location("api_page", ROOT / "docs" / "api.py")
    assert spec is not None
    assert spec.loader is not None
    builder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(builder)
    page = builder.render_api()
    stub = ast.parse((ROOT / "htreval_core" / "__init__.pyi").read_text("utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    names = [alias.asname or alias.name for node in imports for alias in node.names]
    assert len(names) > 50
    assert [name for name in names if f'id="{name}"' not in page] == []
    assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="http', page)
