"""Which pages of a site can be opened."""

from htreval_core.errors import ConfigError
from htreval_core.scoring.study import Study
from htreval_core.show.html.sections import rank_pages


def choose_pages(study: Study, wanted: str) -> frozenset[str]:
    """The pages that are asked for.

    Args:
        wanted: "worst:N", those of the N worst readings of all systems; "all"; or ids of pages
            with commas between.

    Raises:
        ConfigError: no such page, or N is no number.
    """
    if wanted == "all":
        return frozenset(study.page_ids)
    kind, colon, number = wanted.partition(":")
    if kind == "worst" and colon:
        if not (number.isascii() and number.isdecimal()):
            raise ConfigError(f"{wanted!r}: write it as worst:N, such as worst:20")
        return frozenset(one.page_id for one in rank_pages(study)[: int(number[:9])])
    # An id may hold a comma itself.
    ids = [wanted] if wanted in study.dataset else [one.strip() for one in wanted.split(",")]
    unknown = [page_id for page_id in ids if page_id not in study.dataset]
    if unknown:
        raise ConfigError(
            f"page {unknown[0]!r} is not in the data; name pages, or write worst:20 or all"
        )
    return frozenset(ids)
