"""Figures and diagnoses of some hundred made pages, and of the samples, change on purpose only."""

import pytest

from tests.diagnosis.said import SENTENCES, sections, sentences, stored


@pytest.mark.parametrize("section", sections())
def test_what_is_said_is_what_stands_in_the_file(section: str) -> None:
    """A wanted change is written down by ``python -m tests.diagnosis.said``."""
    wanted = stored()[section]
    for number, line in enumerate(sections()[section]()):
        assert line == wanted[number]
    assert number + 1 == len(wanted)


def test_the_file_has_no_other_part() -> None:
    assert list(stored()) == list(sections())


def test_sentences_are_those_of_the_file() -> None:
    assert sentences() == SENTENCES.read_text("utf-8").splitlines()
