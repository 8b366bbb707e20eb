"""Which pages values are of, in words."""

from htreval_core.scoring.study import Study


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
            "Each system on all of its pages, which are not the same: "
            f"{n_common:,} of {len(study.page_ids):,} were read by all systems"
        )
    pages = "page" if n_common == 1 else f"{n_common:,} pages"
    return f"On the {pages} that all systems have read, of {len(study.page_ids):,}"
