"""Which pages values are of, in words."""

from htreval_core.scoring.resampling import n_drawn
from htreval_core.scoring.study import Study
from htreval_core.settings.signature import short_signature
from htreval_core.show.telling.counting import counted


def tell_pages(study: Study, *, all_pages: bool = False) -> str:
    """Which pages corpus values are of, in a sentence without its full stop.

    Empty where it goes without saying: every system has read the same pages.

    Args:
        all_pages: whether the values are of all pages of each system, not of the common ones.
    """
    if not study.is_uneven:
        return ""
    if not study.common_page_ids:
        return (
            "No page was read by all systems, so each is shown on its own pages, and their "
            "values cannot be compared"
        )
    n_common = len(study.common_page_ids)
    if all_pages:
        return (
            "Each system is shown on all of its pages, which are not the same: "
            f"{n_common:,} of {len(study.page_ids):,} were read by all systems"
        )
    n, some = len(study.page_ids), "one page" if n_common == 1 else f"{n_common:,}"
    return f"On the {some} of {n:,}{' pages' * (n_common > 1)} that all systems have read"


def tell_methods(study: Study) -> str:
    """What a paper says of how the values of these pages were found."""
    settings, drawn = study.settings, "clusters of pages"
    if not study.clusters:
        drawn = "pages, in blocks of consecutive ones where neighbours are correlated"
    pages = f"{counted(len(study.page_ids), 'page')} with {study.n_ref_words:,} reference words"
    n = n_drawn(len(study.page_ids), settings.resamples)
    how = f"from {n:,} bootstrap resamples of pages (seed {settings.seed})"
    if study.clusters:
        how = "made by leaving out one cluster of pages after another (jackknife)"
    compared = f", and systems are compared pairwise over the same {drawn} (p corrected after Holm)"
    return (
        f"Pages were scored with {short_signature(study.signature)}. WER, bWER and ΔWER follow "
        "Vidal et al. (2023); values are micro-averaged over "
        f"{'all pages that each system has read' if study.is_uneven else pages}. The 95 % "
        f"intervals are {how}{compared if len(study.systems) > 1 else ''}."
    )
