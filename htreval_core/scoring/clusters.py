"""What pages belong to: books, volumes, hands. Pages of one are alike, so they are drawn together.

A book is one observation: its pages share a hand, a print, a camera. Intervals and tests that draw
single pages take them for independent, and are too sure of themselves (Cameron and Miller 2015,
Journal of Human Resources 50, 317–372).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import regex

from htreval_core.errors import ConfigError
from htreval_core.metrics.columns import Names


@dataclass(frozen=True, slots=True)
class Clusters:
    """Which cluster each page belongs to.

    Args:
        name: what tells: a facet, or the pattern of the page ids.
        of_page: the cluster by page id.
    """

    name: str
    of_page: Mapping[str, str]

    def of(self, page_ids: Iterable[str]) -> Names:
        """The cluster of each of these pages, shape (n,); one that is not named stands alone."""
        found = [self.of_page.get(page_id, page_id) for page_id in page_ids]
        names = np.empty(len(found), dtype=object)
        names[:] = found
        return names

    @property
    def digest(self) -> str:
        """What tells these clusters from others, for the signature."""
        rows = "\n".join(f"{page}\t{cluster}" for page, cluster in sorted(self.of_page.items()))
        return sha256(rows.encode("utf-8", "surrogatepass")).hexdigest()[:12]


_LONGEST = 200
_SECONDS = 0.2
"""What a pattern may have: it may come with a link, and some take a lifetime."""


def clusters_by_id(pattern: str, page_ids: Sequence[str]) -> Clusters:
    """The clusters that a pattern of page ids tells.

    Args:
        pattern: a regular expression that a whole id matches; its groups tell the cluster, as in
            ``(.*)_\\d+``.

    Raises:
        ConfigError: it is no such expression, pages have no cluster, or all are of one.
    """
    try:
        compiled = regex.compile(pattern[:_LONGEST])
        found = {page: compiled.fullmatch(page, timeout=_SECONDS) for page in page_ids}
    except regex.error as error:
        raise ConfigError(f"clusters {pattern!r}: not a regular expression: {error}") from None
    except TimeoutError:
        raise ConfigError(
            f"clusters {pattern!r}: takes too long to match an id; write it without groups that "
            "repeat within groups that repeat"
        ) from None
    if not compiled.groups:
        raise ConfigError(f"clusters {pattern!r}: put parentheses around what names the cluster")
    named = {page: "/".join(part or "" for part in match.groups()) if match else None
             for page, match in found.items()}  # fmt: skip
    return checked_clusters(pattern, named)


def checked_clusters(name: str, of_page: Mapping[str, str | None]) -> Clusters:
    """The clusters by what was found of each page.

    Raises:
        ConfigError: pages have none, or all are of one.
    """
    known = {page: cluster for page, cluster in of_page.items() if cluster is not None}
    without = [page for page, cluster in of_page.items() if cluster is None]
    if without:
        raise ConfigError(
            f"clusters {name!r}: {len(without):,} of {len(of_page):,} pages belong to none "
            f"({', '.join(without[:3])}{', …' if len(without) > 3 else ''}); give each page one"
        )
    if len(set(known.values())) < 2:
        raise ConfigError(f"clusters {name!r}: all pages are in one; at least two are needed")
    return Clusters(name, known)


_NUMBERED = r"(.*?)[-_. /]*[A-Za-z]?\d+"
"""A page id that ends in a number, perhaps behind one letter."""
_IN_FOLDERS = r"(.*)/[^/]*"
_FEWEST_PAGES = 2
"""Pages that a cluster has on average, at least: below that the pattern tells pages apart."""


def suggest_clusters(page_ids: Sequence[str]) -> str | None:
    """A pattern by which the page ids may tell clusters; None where they suggest none."""
    for pattern in (_IN_FOLDERS, _NUMBERED):
        found = [regex.fullmatch(pattern, page_id) for page_id in page_ids]
        heads = {match[1] for match in found if match}
        if all(found) and 2 <= len(heads) <= len(page_ids) / _FEWEST_PAGES:
            return pattern
    return None
