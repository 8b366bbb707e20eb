"""A Dask cluster changes nothing but time, and neither does a worker that is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import htreval_core as hv
from htreval_core.run.read import open_run
from htreval_core.run.write import score_run
from htreval_core.scoring.workers import Cluster
from tests.tools import FILES, dataset_of, made

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("cluster")]
SETTINGS = hv.Settings(resamples=20)
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as started:
        yield started


def test_a_cluster_and_one_process_agree_to_the_bit(cluster: Any, tmp_path: Path) -> None:
    pages = made(300, words=30)
    score_run(dataset_of(pages), tmp_path / "serial.htreval", SETTINGS)
    with Cluster(cluster.scheduler_address) as workers:
        score_run(dataset_of(iter(pages)), tmp_path / "dask.htreval", SETTINGS, workers=workers)
    for name in FILES:
        there = (tmp_path / "dask.htreval" / name).read_bytes()
        assert there == (tmp_path / "serial.htreval" / name).read_bytes(), name


@pytest.mark.skipif(os.name != "posix", reason="sends SIGKILL")
def test_a_worker_killed_in_the_middle_changes_nothing(cluster: Any, tmp_path: Path) -> None:
    pages = made(1600, words=40)
    score_run(dataset_of(pages), tmp_path / "serial.htreval", SETTINGS)
    killed: list[int] = []

    def kill(done: int, _total: int) -> None:
        if done > 300 and not killed:
            with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
                killed.extend(client.run(os.getpid).values())
            os.kill(killed[0], signal.SIGKILL)

    with Cluster(cluster.scheduler_address) as workers:
        study = score_run(
            dataset_of(pages), tmp_path / "dask.htreval", SETTINGS, workers=workers, progress=kill
        )
    assert killed
    assert not study.failures
    for name in FILES:
        there = (tmp_path / "dask.htreval" / name).read_bytes()
        assert there == (tmp_path / "serial.htreval" / name).read_bytes(), name
    assert len(open_run(tmp_path / "dask.htreval").dataset.pages) == 1600


def test_no_cluster_at_the_address_is_said_in_words() -> None:
    with pytest.raises(hv.ConfigError, match=r"no Dask cluster"):
        Cluster("tcp://127.0.0.1:9", timeout=1)
