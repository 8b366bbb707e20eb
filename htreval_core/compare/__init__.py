"""Two systems or ten, side by side, with the statistics to believe it."""

from htreval_core.compare.changes import Change as Change
from htreval_core.compare.changes import EventChange as EventChange
from htreval_core.compare.changes import event_changes as event_changes
from htreval_core.compare.join import beside as beside
from htreval_core.compare.join import join_studies as join_studies
from htreval_core.compare.model import LEVEL as LEVEL
from htreval_core.compare.model import PRIMARY as PRIMARY
from htreval_core.compare.model import Comparison as Comparison
from htreval_core.compare.model import PageDifference as PageDifference
from htreval_core.compare.model import PairedDifference as PairedDifference
from htreval_core.compare.model import Pairwise as Pairwise
from htreval_core.compare.model import favours_b as favours_b
from htreval_core.compare.paired import holm as holm
from htreval_core.compare.systems import COMPARED as COMPARED
from htreval_core.compare.systems import FEWEST as FEWEST
from htreval_core.compare.systems import compare_all as compare_all
from htreval_core.compare.systems import compare_systems as compare_systems
from htreval_core.compare.systems import page_differences as page_differences
