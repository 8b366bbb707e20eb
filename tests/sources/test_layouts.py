"""Every layout that pairs, what of it pairs with what, and look-alikes that must stay refused."""

import re
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.cli.group import in_shell
from htreval_core.sources.recognise import find_pairs
from tests.sources.test_pairing import PAGE_XML
from tests.tools import Files, Tree, cases, zipped

T = "some words"


def _files(named: Files) -> Files:
    return {name: {"PAGE": PAGE_XML, "TEXT": T}.get(one, one) for name, one in named.items()}


PAIRED: dict[str, tuple[Files, dict[str, dict[str, str]]]] = {
    name: (_files(one["files"]), one["pages"]) for name, one in cases("layouts").items()
} | {
    "archives": (
        {"gt.zip": zipped({"1.txt": b"a"}), "crnn.zip": zipped({"1.txt": b"b"})},
        {"1": {"": "gt/1.txt", "crnn": "crnn/1.txt"}}),
    "one archive": (
        {"all.zip": zipped({"x/1.ref": b"a", "x/1.hyp": b"b"})},
        {"1": {"": "1.ref", "hyp": "1.hyp"}}),
}  # fmt: skip


@pytest.mark.parametrize("name", list(PAIRED))
def test_a_layout_pairs(name: str, tree: Tree) -> None:
    files, pages = PAIRED[name]
    found = find_pairs(tree(files))
    assert {
        page.page_id: {
            "": page.reference.name, **{s: file.name for s, file in page.hypotheses.items()}
        }
        for page in found.pages
    } == pages  # fmt: skip
    used = {file.partition(": ")[0] for page in pages.values() for file in page.values()}
    assert not used & {*found.passed_over}


REFUSED: dict[str, Files] = {
    **{name: _files(files) for name, files in cases("refused").items()},
    "archives beside files": {"gt.zip": zipped({"1.txt": b"a"}), "crnn/1.txt": T},
}
WAYS_OUT = {
    "other words": "--reference PATH --system NAME=PATH",
    "folders": "--reference PATH --system NAME=PATH",
    "folders with words nobody knows": "--reference-suffix END --hypothesis-suffix END",
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_only_looks_like_a_layout_is_refused(name: str, tree: Tree) -> None:
    root = tree(REFUSED[name])
    with pytest.raises(hv.HtrEvalError) as caught:
        find_pairs(root)
    assert not re.search(r"(?<![\w-])--[a-z]", str(caught.value)), "the engine names no option"
    if name in WAYS_OUT:
        assert caught.value.remedy is not None
        assert in_shell(caught.value.remedy) == WAYS_OUT[name]


def test_archives_of_a_folder_together_keep_within_the_limit(tree: Tree) -> None:
    root = tree({f"{n}.zip": zipped({"1.txt": bytes(100)}) for n in "ab"})
    size = sum(path.stat().st_size for path in Path(root).iterdir())
    limits = hv.Limits(archive_bytes=size - 1)
    with pytest.raises(hv.ReadError, match="the archives"):
        find_pairs(root, reading=hv.ReadPolicy(limits=limits))
