"""Settings in one file, and what help shows."""

from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.cli import main
from htreval_core.settings import PageRule, settings_of_toml, settings_toml
from htreval_core.settings.reading import ReadPolicy
from htreval_core.text import SWITCHES, TextPolicy
from tests.tools import Tree, cases, invoke, told, told_json

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
MAPPINGS = st.lists(st.tuples(st.characters(exclude_categories=["Cs"]), TEXTS), max_size=3).map(
    tuple
)
POLICIES = st.builds(
    TextPolicy,
    mapping=MAPPINGS,
    **{
        switch.name: (
            st.lists(st.sampled_from(switch.choices), unique=True).map(tuple)
            if switch.several
            else st.sampled_from(switch.choices) if switch.choices else st.booleans()
        )
        for switch in SWITCHES if switch.name not in ("mapping", "words")
    },
)  # fmt: skip
READINGS = st.builds(
    ReadPolicy, level=st.sampled_from(["line", "word", "region"]),
    order=st.sampled_from(["file", "document"]), markup=st.sampled_from([(), ("tables", "heads")]),
    edition=st.sampled_from([(), ("expanded", "sure")]), encoding=st.one_of(st.none(), TEXTS),
    line_pattern=st.one_of(st.none(), TEXTS),
    limits=st.builds(hv.Limits, words=st.integers(1, 10**6), markup=st.integers(1, 10**6)),
)  # fmt: skip
RULES = st.builds(
    hv.OrderRules,
    partial=st.booleans(),
    floats=st.builds(hv.RegionRule, names=st.lists(TEXTS, max_size=3).map(tuple)),
    pages=st.dictionaries(TEXTS, st.builds(PageRule, left_out=st.just(("r1",))), max_size=2),
)
SETTINGS = st.builds(
    hv.Settings, gamma=st.fractions(0, 50, max_denominator=1000), policy=POLICIES, reading=READINGS,
    orders=RULES, solver=st.sampled_from(["exact", "authors"]), resamples=st.integers(1, 10**6),
    seed=st.integers(0, 10**9), trace=st.sampled_from(["refined", "as-found", "sclite"]),
)  # fmt: skip


@given(SETTINGS)
def test_a_file_holds_settings_exactly(settings: hv.Settings) -> None:
    assert settings_of_toml("x", settings_toml(settings).encode()) == settings


def test_a_file_changes_a_preset() -> None:
    found = settings_of_toml("x", b'preset = "hipe"\ngamma = 0.5\n[text]\nlong-s = true\n')
    assert found.policy == hv.TextPolicy(
        **{
            entry: getattr(hv.PRESETS["hipe"].settings.policy, entry)
            for entry in ("form", "lower_case", "old_letters", "signs_to_space", "join_hyphens")
        },
        long_s=True,
    )
    assert (found.gamma, found.trace) == (Fraction(1, 2), "as-found")


@pytest.mark.parametrize(
    ("content", "told_of"),
    [*cases("settings_refused"),
        ("#" * 70_000, "larger than 65,536"),
    # Such keys would take a gigabyte.
        ("seed = 1\n" + "a." * 20_000 + "a = 1", "line 2: keys are nested too deeply"),
        ("x = {" + "a." * 20_000 + "a = 1}", "line 1: keys are nested too deeply"),
        ("".join(f"a{n}{'.b' * 20} = 1\n" for n in range(1100)), "nested too deeply"),
    ],
)  # fmt: skip
def test_what_is_no_setting_is_said(content: str, told_of: str) -> None:
    with pytest.raises(hv.ConfigError, match=r"^study\.toml") as found:
        settings_of_toml("study.toml", content.encode("latin-1"))
    assert told_of in str(found.value)


def test_dots_in_comments_and_texts_are_no_keys() -> None:
    dots = "." * 30
    text = f'# {dots}\nseed = 3 # {dots}\n[text]\nmapping = [["a", "{dots}"]]\n'
    found = settings_of_toml("study.toml", text.encode())
    assert found.seed == 3
    assert found.policy.mapping == (("a", dots),)


def test_settings_are_saved_given_and_overridden(tree: Tree, tmp_path: Path) -> None:
    root = tree({"1.ref": "Der Tag, a", "1.hyp": "der tag a"})
    file = tmp_path / "study.toml"
    first = told_json(
        "score", root, "--ignore-case", "--gamma", "2", "--seed", "5", "--format", "json",
        "--save-settings", file,
    )  # fmt: skip
    assert told_json("score", root, "--settings", file, "--format", "json") == first
    changed = ("score", root, "--settings", file, "--gamma", "1", "--format", "json")
    assert "|gamma:1|" in told_json(*changed)["signature"]
    assert invoke("score", root, "--settings", file, "--preset", "hipe").exit_code == 2
    file.write_text('[reading]\nlevel = "page"\n')
    assert "use line, word, region" in invoke("text", root / "1.ref", "--settings", file).stderr


def test_a_bundle_gives_the_settings_it_was_scored_with(tree: Tree, tmp_path: Path) -> None:
    folder, bundle = tree({"1.ref": "A b", "1.hyp": "a b"}), tmp_path / "x.htreval"
    assert invoke("score", folder, "--ignore-case", "--gamma", "2", "-o", bundle).exit_code == 0
    shown = told_json("score", folder, "--settings", bundle, "--format", "json")
    assert shown["signature"] == hv.open_run(bundle).signature
    assert "ignore-case:yes" in shown["signature"]


def test_help_is_short_and_all_of_it_is_there_for_who_asks() -> None:
    for name, one in main.lazy.items():  # type: ignore[attr-defined]
        shown = told(name, "--help")
        n_shown = sum(line.startswith("  -") for line in shown.splitlines())
        assert n_shown <= 30, name
        if "--help-all" in shown:
            every = told(name, "--help-all")
            assert "--gamma" not in shown
            assert sum(line.startswith("  -") for line in every.splitlines()) > n_shown
        assert one.help.endswith(".")
        assert len(one.help) < 60
    assert CliRunner().invoke(main, ["score", "--help-all"]).exit_code == 0
