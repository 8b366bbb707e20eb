"""Who imports whom, read from the sources, and whether that ends where it began."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

Imports = dict[str, set[str]]


def imports_below(root: Path, *packages: str) -> Imports:
    """Each module of the packages, with those of them that it imports.

    What a function imports counts, for it is only put off; what is imported for type checkers
    does not. A package whose names a stub lists (``lazy_loader``) imports what the stub names.
    """
    files = {
        file: _name(file.relative_to(root))
        for package in packages
        for pattern in ("*.py", "*.pyi")
        for file in sorted((root / package).rglob(pattern))
    }
    modules = set(files.values())
    found: Imports = {module: set() for module in modules}
    for file, module in files.items():
        package = module if file.stem == "__init__" else module.rpartition(".")[0]
        for name in _imported(ast.parse(file.read_text("utf-8")), package):
            # Of `from package import name` a module if it is one, else what stands before it.
            while name and name not in modules:
                name = name.rpartition(".")[0]
            found[module] |= {name} - {"", module}
    return found


def circle(imports: Mapping[str, set[str]]) -> list[str]:
    """Modules each of which imports the next, the last being the first; empty without such."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        # The sorter goes from what is imported to who imports it.
        return list(reversed(error.args[1]))
    return []


def _name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(node: ast.AST, package: str) -> Iterator[str]:
    if isinstance(node, ast.If) and _is_for_type_checkers(node.test):
        for child in node.orelse:
            yield from _imported(child, package)
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        base = ".".join([*above, *filter(None, [node.module])])
        yield from (f"{base}.{alias.name}" for alias in node.names)
    for child in ast.iter_child_nodes(node):
        yield from _imported(child, package)


def _is_for_type_checkers(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return name == "TYPE_CHECKING"
