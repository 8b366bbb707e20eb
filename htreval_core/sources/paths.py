"""Paths become data sets: found, paired, read."""

from collections.abc import Mapping
from pathlib import Path

from htreval_core.settings import ReadPolicy
from htreval_core.sources.columns import Columns
from htreval_core.sources.dataset import Dataset
from htreval_core.sources.reading import read_pairing
from htreval_core.sources.recognise import find_pairs, find_source_pairs


def pair_path(
    path: Path | str, *, reference_suffix: str | None = None, hypothesis_suffix: str | None = None,
    reading: ReadPolicy | None = None, columns: Columns | None = None,
) -> Dataset:  # fmt: skip
    """The pages of one folder, zip archive or table; how its files pair is recognised.

    Recognised are two suffixes in one folder (``1.ref``/``1.hyp``), a reference folder beside
    one folder a system (``reference/``, ``system-a/``, …), a single page in one folder
    (``gt.txt`` beside one file a system), and a table with a column of page ids, one of
    references and one a system.

    Args:
        columns: those of a table that are not to be found by their names.

    Raises:
        PairingError: no rule brings any reference and hypothesis together.
        ReadError: the path cannot be read at all.
    """
    reading = reading or ReadPolicy()
    pairing = find_pairs(
        path, reference_suffix=reference_suffix, hypothesis_suffix=hypothesis_suffix,
        reading=reading, columns=columns,
    )  # fmt: skip
    return read_pairing(pairing, reading)


def pair_sources(
    reference: Path | str, systems: Mapping[str, Path | str], *,
    reference_suffix: str | None = None, hypothesis_suffix: str | None = None,
    reading: ReadPolicy | None = None, columns: Columns | None = None,
) -> Dataset:  # fmt: skip
    """The pages of a reference and one or more systems, each a folder, zip archive, file or table.

    Files pair by equal names without their suffixes; two single files pair whatever their names.

    Args:
        columns: those of tables that are not to be found by their names.

    Raises:
        PairingError: no file of any system has a reference.
        ReadError: a path cannot be read at all.
    """
    pairing = find_source_pairs(
        reference, systems, reference_suffix=reference_suffix, hypothesis_suffix=hypothesis_suffix,
        reading=reading, columns=columns,
    )  # fmt: skip
    return read_pairing(pairing, reading)
