"""Which hosts and origins the app takes for its own."""

import pytest

from htreval_core.settings.started import HOST_NAMES_VARIABLE
from htreval_ui.web.security import answers_to, comes_from_us
from tests.cli.test_app import started  # noqa: F401
from tests.tools import invoke

NAMES = frozenset({"htreval.example.org", "10.1.2.3"})


OURS = [
    "localhost", "localhost:8501", "LOCALHOST:1", "localhost.:80", "127.0.0.1:8501", "127.8.9.1",
    "[::1]:8501", "htreval.example.org", "HTREVAL.example.org.:443", "10.1.2.3:8501",
]  # fmt: skip
OTHERS = [
    "", "rebound.example", "rebound.example:8501", "localhost.rebound.example",
    "xhtreval.example.org", "a.htreval.example.org", "localhost@rebound.example",
    "rebound.example/localhost", "localhost/x", "localhost:x", "localhost:99999", "localhost,x",
    "local host", " localhost", "localhost\t", "10.1.2.4", "[::2]", "::1", "0.0.0.1", "2130706433",
    "rebound.example#localhost", "localhost?x", "[::1", "\udcff",
]  # fmt: skip


def test_it_answers_to_its_own_names_and_to_no_other() -> None:
    assert [host for host in OURS if not answers_to(host, NAMES)] == []
    assert [host for host in OTHERS if answers_to(host, NAMES)] == []


@pytest.mark.parametrize(
    ("origin", "host"),
    [("http://localhost:8501", "localhost:8501"), ("http://[::1]:8501", "[::1]:8501"),
     ("http://127.0.0.1", "127.0.0.1:80"), ("https://localhost", "localhost:443"),
     ("https://htreval.example.org", "htreval.example.org"),
     ("https://htreval.example.org:8443", "htreval.example.org:8443")],
)  # fmt: skip
def test_its_own_pages_may_ask(origin: str, host: str) -> None:
    assert comes_from_us(origin, host)


@pytest.mark.parametrize(
    "origin",
    ["null", "", "http://localhost:8502", "http://localhost", "http://127.0.0.1:8501",
     "https://rebound.example", "http://rebound.example:8501", "file://", "localhost:8501",
     "http://localhost:8501/x", "http://localhost:8501@rebound.example", "ftp://localhost:8501",
     "chrome-extension://localhost:8501", "http://localhost:8501 http://x"],
)  # fmt: skip
def test_pages_of_others_may_not(origin: str) -> None:
    assert not comes_from_us(origin, "localhost:8501")


def test_names_reach_the_server(started: dict[str, str]) -> None:  # noqa: F811
    invoke("app", "--host-name", "Htreval.example.org.", "--host-name", "bücher.example")
    assert started[HOST_NAMES_VARIABLE] == "htreval.example.org,xn--bcher-kva.example"


@pytest.mark.parametrize("name", ["https://x.org", "x.org:80", "x.org/", "*", "", "a,b", "a b"])
def test_what_is_no_name_is_refused(name: str, started: dict[str, str]) -> None:  # noqa: F811
    done = invoke("app", "--host-name", name)
    assert done.exit_code == 2
    assert "give the name alone, such as htreval.example.org" in done.stderr
    assert not started
