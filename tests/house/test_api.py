"""The API page covers every public name, and needs nothing from elsewhere."""

import ast
import importlib.util
import re

import pytest

from tests.conftest import ROOT

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
