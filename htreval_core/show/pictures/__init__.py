"""What each picture shows, found once: values for Plotly, for SVG and for the browser to draw.

A picture holds fractions, counts and positions of words. Where it stands on the screen, its colours
and its labels are the business of whoever draws it.
"""

from htreval_core.show.pictures.bands import (
    Links,
    Name,
    Ribbons,
    Strand,
    picture_links,
    picture_ribbons,
)
from htreval_core.show.pictures.comparison import (
    Forest,
    ForestRow,
    Versus,
    picture_differences,
    picture_versus,
)
from htreval_core.show.pictures.corpus import Bar, Dot, picture_pages, picture_systems
from htreval_core.show.pictures.displacement import Displacement, picture_displacement
from htreval_core.show.pictures.page import (
    Jump,
    PageMap,
    Shade,
    Step,
    Waterfall,
    picture_page_map,
    picture_waterfall,
)
from htreval_core.show.pictures.texts import (
    Side,
    Texts,
    Threeway,
    picture_texts,
    picture_threeway,
)

__all__ = [
    "Bar",
    "Displacement",
    "Dot",
    "Forest",
    "ForestRow",
    "Jump",
    "Links",
    "Name",
    "PageMap",
    "Ribbons",
    "Shade",
    "Side",
    "Step",
    "Strand",
    "Texts",
    "Threeway",
    "Versus",
    "Waterfall",
    "picture_differences",
    "picture_displacement",
    "picture_links",
    "picture_page_map",
    "picture_pages",
    "picture_ribbons",
    "picture_systems",
    "picture_texts",
    "picture_threeway",
    "picture_versus",
    "picture_waterfall",
]
