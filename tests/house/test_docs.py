"""Every command and every block of code in the documents runs, and links lead somewhere.

A block that cannot run here stands under ``<!-- not run: why -->``; its commands are still parsed.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import htreval_core as hv
from htreval_core.cli import main
from htreval_core.markup import visible
from tests.conftest import ROOT, SAMPLES
from tests.tools import invoke

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("docs")]
DOCUMENTS = [
    ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")),
    SAMPLES / "README.md",
]  # fmt: skip
SHELL = {"", "sh", "bash", "yaml"}
FENCED = re.compile(
    r"(?:<!-- not run: (?P<why>[^>]+) -->\n+)?^```(?P<kind>\w*)\n(?P<code>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
INDENTED = re.compile(
    r"(?:<!-- not run: (?P<why>[^>]+) -->\n+)?(?<=\n\n)(?P<code>(?: {4}[^\n]*\n)+)"
)


@dataclass(frozen=True)
class Block:
    document: Path
    kind: str
    code: str
    why_not: str | None

    @property
    def commands(self) -> list[str]:
        """Its htreval commands, without comments and prompts; lines that go on put together."""
        code = self.code.replace("\\\n", " ")
        # The number of a shard, as schedulers write it.
        code = re.sub(r"\$SLURM_ARRAY_TASK_ID|\$\{\{ matrix\.shard \}\}", "1", code)
        lines = [re.sub(r"^\s*(- )?(run:|entry:|\$)?\s*", "", line) for line in code.split("\n")]
        found = [re.split(r"\s+#", line)[0] for line in lines if line.startswith("htreval ")]
        # The files as the architecture lists them are no commands.
        return [line for line in found if not line.startswith("htreval  ")]


def blocks(document: Path) -> Iterator[Block]:
    text = document.read_text("utf-8")
    for match in FENCED.finditer(text):
        yield Block(document, match["kind"], match["code"], match["why"])
    for match in INDENTED.finditer(FENCED.sub("", text)):
        yield Block(document, "", re.sub("^ {4}", "", match["code"], flags=re.M), match["why"])


ALL = [block for document in DOCUMENTS for block in blocks(document)]
# Several documents show the same command; a block that says to run it counts.
ONCE = {
    command: block for block in sorted(ALL, key=lambda block: block.why_not is None)
    if block.kind in SHELL for command in block.commands
}  # fmt: skip
COMMANDS = [
    pytest.param(block, command, id=f"{block.document.stem}: {command}")
    for command, block in ONCE.items()
]
PYTHON = [
    pytest.param(block, id=f"{block.document.stem}: {block.code[:30]!r}")
    for block in ALL
    if block.kind == "python" and ">>>" not in block.code
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the samples under the names that the documents use."""
    here = tmp_path_factory.mktemp("docs")
    book = SAMPLES / "letterbook"
    for source, target in (
        ("reference", "my-data/reference"), ("reads-across", "my-data/A"),
        ("misreads", "my-data/B"), ("reference", "gt"), ("reads-across", "output"),
        ("misreads", "output-2"),
    ):  # fmt: skip
        shutil.copytree(book / source, here / target)
    shutil.copy(book / "reference" / "LB02.xml", here / "page.xml")
    shutil.copytree(here / "my-data", here / "DATA")
    shutil.copytree(SAMPLES, here / "sample_data")
    (here / "orders.toml").write_text('[float]\nkinds = ["marginalia"]\n')
    for name, system in (("old", "output-2"), ("new", "output-2"), ("mine", "output")):
        sides = ["--reference", str(here / "gt"), "--system", f"mine={here / system}"]
        done = invoke("score", *sides, "--output", here / f"{name}.htreval")
        assert done.exit_code == 0, done.stderr
    before = Path.cwd()
    os.chdir(here)
    yield here
    os.chdir(before)


def parsed(command: str) -> tuple[click.Command, list[str]]:
    """The command of a line and its arguments, which click has taken."""
    name, *arguments = shlex.split(command)[1:]
    if name.startswith("-"):
        return main, [name, *arguments]
    found = main.get_command(click.Context(main), name)
    assert found is not None, name
    return found, arguments


@pytest.mark.thorough
@pytest.mark.parametrize(("block", "command"), COMMANDS)
def test_commands_run(block: Block, command: str, place: Path) -> None:
    found, arguments = parsed(command)
    if block.why_not or found.name == "app":
        # What starts a server is understood, if not run.
        with contextlib.suppress(click.exceptions.Exit):
            found.make_context("htreval", list(arguments))
        return
    target = next(
        (arguments[n + 1] for n, one in enumerate(arguments[:-1]) if one == "--output"), ""
    )
    if target.endswith(".htreval") and (place / target).exists():
        arguments = [*arguments, "--overwrite"]
    done = CliRunner().invoke(main, shlex.split(command)[1:2] + arguments, catch_exceptions=False)
    may_fail = "--fail-" in command
    assert done.exit_code in ((0, 1) if may_fail else (0,)), f"{command}: {done.stderr}"


def test_the_result_in_the_readme_is_a_real_one(place: Path) -> None:
    """Lines may be left out and cut short, but each begins a line of what the command prints."""
    text = next(one for one in blocks(ROOT / "README.md") if one.code.startswith("$ htreval"))
    command, *lines = text.code.splitlines()
    done = invoke(*shlex.split(command)[2:])
    assert done.exit_code == 0
    printed = done.stdout.splitlines()
    assert [one for one in lines if not any(real.startswith(one) for real in printed)] == []


@pytest.mark.parametrize("block", PYTHON)
def test_code_runs(block: Block, place: Path) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(block.code, block.document.name, "exec"), {})  # noqa: S102


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_worked_numbers_are_true(document: Path, place: Path) -> None:
    code = "\n".join(b.code for b in blocks(document) if ">>>" in b.code)
    test = doctest.DocTestParser().get_doctest(code, {}, document.name, str(document), 0)
    said: list[str] = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_links_lead_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", FENCED.sub("", document.read_text("utf-8"))):
        if not link.startswith(("http", "#", "mailto:")):
            assert (document.parent / link.partition("#")[0]).exists(), link


def test_every_document_is_in_the_index() -> None:
    docs = ROOT / "docs"
    index = (docs / "README.md").read_text("utf-8")
    for document in docs.rglob("*.md"):
        name = document.relative_to(docs).as_posix()
        assert name == "README.md" or re.search(rf"\({re.escape(name)}[#)]", index), name


def test_what_users_read_is_short() -> None:
    users = [path for path in (ROOT / "docs").glob("*.md") if path.name != "architecture.md"]
    assert sum(len(path.read_text("utf-8").split()) for path in users) <= 20_000
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= 350


def test_the_guards_of_the_promises_exist() -> None:
    """Each test that docs/dev/promises.md names, alone or after the file before it."""
    text = (ROOT / "docs" / "dev" / "promises.md").read_text("utf-8")
    code = ""
    for file, name in re.findall(r"`(tests/[\w/]+\.py|(?=::))(?:::(\w+))?`", text):
        if file:
            code = (ROOT / file).read_text("utf-8")
        assert not name or f"def {name}(" in code, (file, name)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_make_targets_exist(document: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for block in blocks(document):
        for target in re.findall(r"^make ([\w-]+)", block.code, re.MULTILINE):
            assert target in targets
    text = document.read_text("utf-8")
    for target in re.findall(r"`make\s([\w-]+)`", text):
        assert target in targets
    assert visible(text.replace("\n", "")) == text.replace("\n", "")


def test_the_citation_is_of_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"version: {version}\n" in citation
    assert "10.1016/j.patcog.2023.109695" in citation
    assert f"htreval-{version}-py3" in (ROOT / "docs" / "ci.md").read_text("utf-8")


def test_metrics_are_told_as_the_catalogue_names_them() -> None:
    text = (ROOT / "docs" / "metrics.md").read_text("utf-8")
    for name in ("wer", "bwer", "delta_wer", "nsfd", "cer", "hwer", "hcer"):
        assert f"| {hv.METRICS[name].label} |" in text
