"""Files that make one data set: paired and read once, for every session that may see them."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from threading import Lock

from htreval_core import Dataset, HtrEvalError, ReadPolicy
from htreval_core.model import SourceFile
from htreval_core.scoring.facets import Facets, read_facets
from htreval_core.show.views.store import Store
from htreval_core.sources.pairing import Pairing
from htreval_core.sources.reading import Reading, read_pairing
from htreval_core.sources.sides import IMAGE_SUFFIXES

SMALL_FILES = 1_000
SMALL_BYTES = 4_000_000
"""What is read while the browser waits, images left out: it takes well under a second."""


class Given:
    """Files that make one data set: paired when that is first asked for, and read.

    What was found is kept as long as the files are, for every session that may see them.

    Args:
        name: what it is called.
        pair: which files belong together; may raise ``HtrEvalError``.
        sizes: a name and the bytes of each file, as far as they are known without reading.
        stand_in: the system whose output stands in for references that nobody has.
    """

    def __init__(
        self, name: str, pair: Callable[[ReadPolicy], Pairing],
        sizes: Callable[[], Iterator[tuple[str, int]]], stand_in: str = "",
    ) -> None:  # fmt: skip
        self.name, self.stand_in = name, stand_in
        self._pair, self._sizes = pair, sizes
        self._texts: Store[Dataset] = Store(4)
        self._facets: Store[Facets] = Store(1)
        self._files: Store[Pairing] = Store(1)
        self._lock = Lock()

    def reading(self, policy: ReadPolicy) -> Reading:
        """The files paired and ready to be read."""
        return Reading(self._pair(policy), policy)

    def reference(self, page_id: str, policy: ReadPolicy) -> SourceFile | None:
        """The whole file of a page's reference; None if it has no file, as in a bundle."""
        try:
            pages = self._files.once(policy, lambda: self._pair(policy)).pages
        except HtrEvalError:
            return None
        found = next((one.reference for one in pages if one.page_id == page_id), None)
        return found if found and found.part is None and not found.plain else None

    def texts(self, policy: ReadPolicy) -> Dataset | None:
        """The texts as they were read under the policy; None where they have yet to be."""
        return self._texts.get(policy)

    def keep(self, policy: ReadPolicy, found: Dataset) -> None:
        """Take over texts that somebody else has read."""
        self._texts.put(policy, found)

    def read_if_small(self, policy: ReadPolicy) -> Dataset | None:
        """The texts, read now where that takes no time; else None."""
        found = self.texts(policy)
        if found is None and self._is_small():
            found = self._texts.once(policy, lambda: read_pairing(self._pair(policy), policy))
        return found

    def reread(self, policy: ReadPolicy) -> Dataset | None:
        """The texts of the same files by other rules of markup; None where they hold none."""
        try:
            reading = self.reading(policy)
            has_markup = reading.pairing.may_hold_markup or policy.text_as == "markdown"
            return reading.read() if has_markup else None
        except HtrEvalError:
            return None

    def facets(self, page_ids: Sequence[str]) -> Facets:
        """What a table beside the pages says of them; no facets without a table."""

        def read() -> Facets:
            try:
                beside = self._pair(ReadPolicy()).facets
            except HtrEvalError:
                return Facets()
            return read_facets(beside.name, beside.read(), page_ids) if beside else Facets()

        return self._facets.once(tuple(page_ids), read)

    def _is_small(self) -> bool:
        # No more files are looked at than are needed to tell.
        few = list(islice(self._sizes(), SMALL_FILES + 1))
        size = sum(more for name, more in few if not name.lower().endswith(IMAGE_SUFFIXES))
        return len(few) <= SMALL_FILES and size <= SMALL_BYTES
