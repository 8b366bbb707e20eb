"""Word errors without regard to order (Vidal et al. 2023, Sec. 4)."""

from dataclasses import dataclass

import numpy as np

from htreval_core.metrics.words import WordPair
from htreval_core.model import EditCounts


@dataclass(frozen=True, slots=True)
class BagCounts:
    """How often words occur on both sides, only in the reference, only in the hypothesis."""

    hits: int
    missing: int
    extra: int

    @property
    def beta_wer_errors(self) -> int:
        """B, the numerator of βWER: no missing word is paired with a surplus one."""
        return self.missing + self.extra

    def edit_counts(self) -> EditCounts:
        """As few edits as turn one bag into the other; their sum is bWER's numerator."""
        substitutions = min(self.missing, self.extra)
        return EditCounts(
            self.hits, substitutions, self.missing - substitutions, self.extra - substitutions
        )


def bag_of_words(words: WordPair) -> BagCounts:
    """Order-free word counts of one page."""
    in_ref, in_hyp = words.shared
    ref_counts = np.bincount(words.ref, minlength=len(words.ref_types))
    hyp_counts = np.bincount(words.hyp, minlength=len(words.hyp_types))
    hits = int(np.minimum(ref_counts[in_ref], hyp_counts[in_hyp]).sum())
    return BagCounts(hits, len(words.ref) - hits, len(words.hyp) - hits)
