"""Bits of a bundle that flip on a disk or on the way: each is told, or changes nothing."""

import io
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import htreval_core as hv
from htreval_core.model import DataWarning, Line, Polygon, SourceFile
from htreval_core.run.names import DIAGNOSES, MANIFEST, PAGES, TEXTS, THUMBNAILS
from htreval_core.scoring.diagnoses import diagnose
from htreval_core.scoring.found import Diagnoses

FILES = (MANIFEST, PAGES, TEXTS, THUMBNAILS, DIAGNOSES)


def _image(shade: int) -> SourceFile:
    out = io.BytesIO()
    Image.new("RGB", (40, 30), (shade, shade, 90)).save(out, "PNG")
    return SourceFile(f"{shade}.png", out.getvalue)


def made_bundle(folder: Path) -> Path:
    """A bundle with everything: outlines, images, diagnoses, a page that could not be scored."""
    square = Polygon([(0, 0), (9, 0), (9, 9)])
    text = "when the long letter was read again nobody knew whose hand it was"
    words = text.split()
    pages = []
    for number in range(3):
        lines = [Line(" ".join(words[n : n + 4]), f"r{n}", square) for n in range(0, 12, 4)]
        read = [Line(line.text.replace("e", "c", number)) for line in lines[::-1]]
        reference = hv.Transcript(tuple(lines), image=f"{number}.png")
        outputs = {"one": hv.Transcript(tuple(read)), "two": hv.Transcript(tuple(lines))}
        pages.append(hv.Page(f"page {number}", reference, outputs))
    images = {f"page {number}": _image(60 * number) for number in range(3)}
    data = hv.Dataset("made", pages, ("one", "two"), images=images)
    path = hv.save_run(hv.score(data), folder / "made.htreval", thumbnails=True)
    study = hv.open_run(path)
    assert study.diagnosed is not None
    study.diagnosed.keep(diagnose(study))
    return path


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("n", "seed"), [(60, 1), pytest.param(600, 2, marks=pytest.mark.thorough)], ids=["few", "many"]
)
def test_a_flipped_bit_is_told_or_changes_nothing(
    bundle: Path, tmp_path: Path, name: str, n: int, seed: int
) -> None:
    path = tmp_path / bundle.name
    shutil.copytree(bundle, path)
    assert not untold(path, name, n, seed)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_bundle(tmp_path_factory.mktemp("damage"))


def everything(path: Path) -> list[Any]:
    """All that a bundle says, its texts, images and diagnoses read."""
    study = hv.open_run(path)
    dataset = study.dataset
    pages = [dataset.page(page_id) for page_id in study.page_ids]
    found = study.diagnosed.read() if study.diagnosed else None
    texts = [
        (page.page_id, name, side.order_source, side.image, side.page_size, side.unlisted,
         [(line.text, line.region, line.region_kind,
           None if line.polygon is None else line.polygon.points.tolist())
          for line in side.lines])
        for page in pages for name, side in (("", page.reference), *page.hypotheses.items())
    ]  # fmt: skip
    return [
        texts,
        {name: (list(table.page_ids), {k: v.tolist() for k, v in table.counts.items()})
         for name, table in study.scores.items()},
        {name: image.read() for name, image in dataset.images.items()},
        (study.signature, study.settings, dataset.name, dataset.warnings, dataset.rule,
         dataset.unpaired, study.failures, dataset.sources),
        # Those that are damaged are told, and found again.
        (dict(found), found.failures, found.upward) if isinstance(found, Diagnoses) else found,
    ]  # fmt: skip


def flips(content: bytes, n: int, rng: random.Random) -> Iterator[bytes]:
    """The content with one bit flipped, each time another."""
    for bit in rng.sample(range(8 * len(content)), min(n, 8 * len(content))):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        yield bytes(damaged)


def untold(path: Path, name: str, n: int, seed: int) -> list[str]:
    """What came of flipped bits that were neither told nor without effect."""
    file = path / name
    content = file.read_bytes()
    sound = everything(path)
    wrong = []
    for damaged in flips(content, n, random.Random(seed)):
        file.write_bytes(damaged)
        try:
            found = everything(path)
        except hv.HtrEvalError:
            continue
        except Exception as error:
            wrong.append(repr(error))
            continue
        is_told = isinstance(found[-1], DataWarning)
        if found[:-1] != sound[:-1] or not (is_told or found[-1] == sound[-1]):
            wrong.append(str(found)[:300])
    file.write_bytes(content)
    return wrong


def test_every_page_tells_of_its_own_texts(bundle: Path, tmp_path: Path) -> None:
    """Texts of a page that nobody looks at are not read for those of another."""
    path = tmp_path / bundle.name
    shutil.copytree(bundle, path)
    content = (path / TEXTS).read_bytes()
    told = []
    for damaged in flips(content, 60, random.Random(4)):
        (path / TEXTS).write_bytes(damaged)
        try:
            hv.open_run(path).dataset.page("page 0")
        except hv.ReadError as error:
            told.append(str(error))
    assert told
    assert all(one.startswith(f"{path.name}: {TEXTS} ") for one in told)
