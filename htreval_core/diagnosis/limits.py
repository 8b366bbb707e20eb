"""Every number of the diagnosis, each with its reason.

Words, lines and bits are counted per page; shares are of 1. A bit is what one yes or no tells: a
stretch that says ten bits stands where it stands by chance on one page in a thousand.

Numbers of ``page`` and ``order`` were chosen on the made pages of ``tests/made.py`` and on
labelled newspapers (Neue Zürcher Zeitung, PRImA), tables (Reichsanzeiger), handwriting (Bentham);
those of ``text`` on the made outputs of ``tests/written.py``, the sample data ``models`` and real
outputs of language models on Bentham pages; those of ``corpus`` on both. ``tests/diagnosis`` holds
them there, ``benchmarks/diagnosis.py`` measures them on other seeds and on labelled pages.
"""


class CATASTROPHE:
    """``corpus/catastrophe``: What takes a page over."""

    MOST = 0.5
    """The share of the output, or of the reference, from which on a fault takes a page over."""


class FOREIGN:
    """``corpus/foreign``: Added text that other pages explain."""

    LEAST_WORDS = 6
    """Fewer added words are not looked for on other pages."""
    FOUND = 0.4
    """The share of neighbouring words that must stand beside each other on the other page."""
    LONG = 20
    """From this length on it is text of the other page, however often the system writes it."""
    RECURS = 3
    """Pages on which a system must write the same to have a phrase or a running head of its own."""
    KEY = 5
    """The words by which a phrase is known again."""
    PHRASE = 60
    """More words are no phrase."""
    LETTERS = 2
    """Words of letters that the beginning of a phrase must have: noise recurs, too."""


class SUSPECT:
    """``corpus/suspect``: References out of order, by several systems."""

    LEAST_SYSTEMS = 3
    """Fewer systems may agree by chance."""
    MOST_OF_THEM = 0.8
    """The share of the systems that must have read the text elsewhere."""
    SAME = 0.5
    """From this intersection over union on two events are about the same words."""
    LEAST_WORDS = 5
    """Shorter stretches are displaced in several systems by chance."""


class DIAGNOSE:
    """``diagnose``: All of one page."""

    LEAST_SAVED = 0.3
    """Errors that a displaced word that was read right must save on average; it saves up to two.
    Of 48 events that saved less on newspapers nobody had tuned for, hardly one was true."""
    LEAST_SAVED_MIXED = 0.5
    """The same of columns mixed with each other, which single words of noise look like; where it
    happened, words save 0.9 to 1.9."""
    MOST_SAVED = 1.25
    """Errors per pair, one that is right counted twice: at most 1.15 on 750 blocks that were moved,
    up to a fifth of their letters misread; 2.3 at the median of 167 that only filled a gap."""
    LEAST_RIGHT = 0.65
    """Words that are right in a displaced block, as a share of what the whole page lets expect:
    0.8 and more in those of ten words on real pages, half of it where words agree by chance."""
    LINES_APART = 4.0
    """The most lines between two blocks that were moved together, one read after the other."""
    MOSTLY = 0.5
    """The share of the output from which on loops are looked at before doubled lines."""
    MOST_TEXT = 80
    """Words of the output that an event keeps: enough to know a phrase again."""


class DISPLACED:
    """``order/displaced``: Text read out of place."""

    PIECE_OF_COLUMN = 2.5
    """The most lines that a piece of a column has which was read by turns with another."""
    NOISE = 1.3
    """Foreign text of fewer lines than this between two long pieces does not part them."""
    USUAL_LINE = 8.0
    """Words of a line where lines are not known: that of a printed column."""
    CUT = 0.5
    """The share of the stretches from which on they are parts of reference lines."""
    GRID, SHUFFLED = 1.5, 8.0
    """In r rows and c columns one side goes back r − 1 times and the other c − 1 times, and r·c is
    their number n; shuffled, the product is near n²/4. Up to 1.5 n, or n²/8, it is a grid."""


class DOUBT:
    """``order/doubt``: Whether the reference is at fault."""

    FURTHER = 0.25
    """How far, in its own height, a line must stand above another to be above it."""
    LEAST_SHARE = 0.5
    """The share of the narrower line under the other with which two share a column."""
    IN_A_ROW = 2
    """Steps from a line above displaced text to one below that are read in a row: one is short."""
    MOST_LINES = 0.6
    """The share of the displaced words whose lines must run up the page."""
    STRONGER = 4
    """How many times more pairs of lines must run upward in the reference than in the output."""
    OFTEN = 0.1
    """The share of the lines of its column that a line must run up past: a heading over several
    columns stands above one line or another of each."""
    LEAST_LINES = 3
    """Fewer lines are no article: a line or two out of place in their region are a slip."""
    WHOLE = 0.8
    """The share of the lines of its regions with which displaced text is these regions, as they
    were put in order: on newspapers whose articles go on in the next column four of eight
    accusations of such blocks were false."""


class GROUPS:
    """``order/groups``: Which text stands out of order."""

    PRICES = (3.0, 10.0, 30.0, 100.0)
    """What each displaced run costs, in words, when the order to be kept is chosen."""
    LEAST_CUT, CUT = 2.0, 0.1
    """What it costs, in words, to cut through a block, and as a share of its words."""
    SPECK = 1.0
    """A group of less matched text than one word counts for nothing when groups are counted."""
    DEARER = 1.15
    """How much more text a choice with fewer groups may take out of order."""
    SHARE = 0.02
    """The highest price of a run, as a share of the page: on long pages small blocks are noise."""


class LAYOUT:
    """``order/layout``: By boxes or by words."""

    TEXT_AHEAD = 0.02
    """Words alone are believed against boxes if they explain so much more of the page."""
    UNTOLD, EXPLAINED = 0.1, 0.5
    """Errors, of the words of the page, that neither bWER nor order explains, from which on a way
    through the words is looked for, as chance alone costs less; and what share it must explain."""
    WHOLE_LINE = 5.0
    """Bits that it says that a displaced stretch is a line, or some, of both sides."""
    PER_PIECE = 5.0
    """Bits more that a stretch must say for each piece that it is in: chance comes in pieces."""
    TAGGED = 4.0
    """Bits that it says that the file calls it a running head, a note and the like."""


class NAMING:
    """``order/naming``: Kinds of displaced text."""

    LEAST_OUTLINED, ABOVE_HEAD = 5, 2
    """Other lines with an outline without which nobody knows where the top of a page is, and the
    most that may stand above a running head: a number, a date."""
    NEAR_HEAD = 0.1
    """How far beside text, in widths of the page, a head over it may stand: the gutter is wider."""
    FEW_WORDS = 20
    """Words that a piece has at most which changed places with its neighbour, without lines."""
    LIKE_LENGTHS = 0.45
    """The shorter of two pieces of like length, as a share of the longer."""
    ROW = 6.0
    """The most lines of a short piece of columns that were read by turns: one of each column."""
    LEAST_MIXED = 0.2
    """Lines that were read by turns with others, as a share of these: fewer stand there by chance.
    Where columns were mixed, they are 0.4 to 1.5."""
    LEAST_SHORT = 0.25
    """The share of the words of columns read by turns that must stand in short pieces: some are
    read as a whole for half of their length."""
    SHORT = 2.3
    """Lines that two stretches may have which changed places: a line and its neighbour, with some
    noise."""
    INSIDE_LINES = 0.35
    """The share of the pieces inside lines of the output from which on columns were read across."""
    CUT = 0.5
    """The share of the stretches from which on they are parts of lines of the output."""
    LEAST_CELLS, CELLS = 6, 2.0
    """Fewer stretches are no rows and columns; nor are those of more lines, as a rule."""
    NOTES_AND_TEXT = 2
    """Columns that a page with notes has; with more, what looks like them are cells."""
    DOWN, ACROSS = 0.6, 0.3
    """The steps that must go straight down in the output, and to the right in the reference, where
    cells have outlines: of two columns with some empty cells 0.4 go to the right."""
    TO_AND_FRO = 0.5
    """How often the output may go back in the reference where rows were read by columns, as a share
    of how often the reference goes back in the output; of mixed columns it is two or more."""
    NARROW, MOST_OF_NOTE = 0.5, 0.2
    """The words of a note's lines, as a share of the lines beside it, and its share of the page."""
    CELL = 2.5
    """The most words that a cell of a table has, as a rule."""
    SIGN = 1.7
    """The most letters that a sign has, as a rule."""
    SAME_COLUMN = 0.5
    """The share of the narrower box under the other with which two share a column."""
    LEAST_SKIPPED = 3
    """Lines of another column that must be left out where text goes on below a rule."""
    LEAVES = 3
    """Columns, with headings and short lines, that a leaf may have which was mixed with another."""
    WIDE = 1.6
    """A line that is wider, in widths of the column, stands over several columns."""
    HEADINGS = 0.34
    """Lines above a column, such as headings, that it may have, as a share of its own."""
    SIGNS = 0.8
    """The share of short words from which on words are signs."""
    SIGNS_AT_START = 0.7
    """The share of signs that must stand at the beginnings of lines."""
    LONG_PIECE = 1.6
    """Lines from which on a piece is a zone of a column, not a scattered line."""
    SHORT_PIECE = 0.6
    """Lines up to which a piece is a part of a line."""
    HEAD = 1.5
    """Lines of words that a running head has at most."""
    LEAST_LINE = 4.0
    """Words of a line at least, where lines are very short."""
    LEAF = 0.25
    """The width of a leaf, as a share of the image: leaves, not columns of a wide page."""
    LEAST_COLUMN = 0.08
    """The share of the lines that a column must have to be counted."""
    LEAST_REVERSED, MOST_REVERSED = 5, 0.85
    """Lines that were read from the bottom up, and what share of them must follow the one below."""
    MOST_PIECES = 0.6
    """The share of long pieces that must go on below a rule."""
    OVERLAP = 0.6
    """How far, in its own height, a line may reach up into the line above it."""
    ASIDE = 0.3
    """A line that shares less of its width with a column stands beside it."""
    MOST_BESIDE = 0.8
    """The share of the lines jumped over that must stand beside: a heading over both columns may be
    among them."""


class PLACED:
    """``order/placed``: Chunks from places on the page."""

    ELSEWHERE = 3.0
    """Bits that each word is worth that cannot stand on the lines that were read before and
    after."""
    FITS = 0.3
    """A word that stands so far on a line, of 1, may belong there."""
    LEAST, LEAST_CLEAR = 7.0, 4.0
    """Bits from which on a run is believed to stand out of order; less may be a box that is off.
    The lower one is for runs of which no word can stand on the lines before and after."""
    GARBLED = 0.3
    """What a word counts for the order that only its box places."""
    COLUMN = 5
    """Runs that go down the page one below the other without anything between them are no
    chance."""
    SLACK = 0.3
    """How far, in widths of the narrower, two pieces side by side may overlap."""


class REPAIR:
    """``order/repair``: What groups cost."""

    SINGLY = 40
    """The largest sets of groups, up to this many, are tried one by one; the rest together."""


class CELLS:
    """``page/chunks``: Rows that the output reads column by column."""

    ROW, TOP, JUMP = 0.2, 1.8, 3.0
    """What it costs, in words read right, to go on in the row below, a few rows above, and anywhere
    else: three words agree somewhere by chance."""
    ROWS = 6
    """The rows among which the next column may begin."""
    REACH, LOST = 3, 0.3
    """How many words away the next word may be, and what each word between costs."""
    MOSTLY = 0.5
    """The share of the steps from cell to cell that must go to a row below."""
    MOST_PAIRS = 400_000
    """Pairs of equal words that are looked at, a few seconds; the commonest words tell least."""


class CHAINS:
    """``page/chains``: Chunks from matched words."""

    ALIKE = 0.45
    """Words less alike than this do not count as the same word."""
    FULL_LENGTH = 5
    """The letters from which on a word counts in full: short words match anything."""
    GOES_ON, LOST = 60, 2
    """The most words that lines may repeat, and how many of them in turn may be misread."""
    SKIP = 0.12
    """What each word costs that a chain skips, in matched words."""
    BREAK, BREAK_AT_LINE = 1.3, 0.9
    """What it costs, in matched words, to begin a chain, in a line and at its start."""
    BREAK_LEFT_OVER, LEAST_LEFT_OVER = 0.4, 0.5
    """The same, and the least that a chain must be worth, for words that were left over."""
    LEAST = 1.2
    """The least that a chain must be worth, in matched words."""
    LEFT_OVER_CELLS = 4_000_000
    """Pairs of words left over that are looked through: 32 MB of numbers."""
    UNLIKE = -0.3
    """What two words that are not alike say, where one that is read right says 1."""


class CHUNKS:
    """``page/chunks``: Chunks parted from each other."""

    WINDOW = 12
    """The most words that a chunk skips on either side."""
    CHANGE = 0.2
    """What it costs, along the reference, to leave a chunk before its end or to enter one late."""


class EVIDENCE:
    """``page/evidence``: Against chance."""

    PER_LETTER = 1.8
    """Bits that a letter in its place is worth; a wrong one costs as much and a little more."""
    PER_ERROR = 1.3
    """Bits that a wrong letter says against a pair."""
    SURE, PER_PLACE = 1.0, 1.5
    """What a stretch must say at all, and for each doubling of the places where it may be found."""
    LEAST = 5.0
    """What it must say however near it was found: a common word beside its place is chance."""
    AGREE, SURER = 0.04, 2.0
    """From this share of equal pairs of words on, which running text does not reach, any stretch of
    the page may agree with any other: so much more must be said, and once more for each of them."""


class GROUND:
    """``page/ground``: The page under the words."""

    WIDE = 1.6
    """A line this many times as wide as a column does not stand in that column alone."""
    SAME_COLUMN = 0.5
    """Lines share a column if this share of the narrower one lies under the other."""
    STRAY = 0.15
    """The pairs of lines of one column that may not: numbers or signs beside it. Of two columns as
    long as each other it is half of them, of one a quarter as long as the other a third."""
    COMPARED = 500
    """About as many lines are held against each other."""
    MOST_UNKNOWN = 0.1
    """The share of lines without an outline up to which outlines are believed."""
    NOTE = 0.5
    """The most that a line of a marginal note is wide, in usual widths of the page's lines."""
    BESIDE = 0.15
    """Lines that share less of their width stand beside each other."""
    MOST_OVER = 0.05
    """The share of the page's lines that may stand above or below a note: headings reach there."""
    MOST_NOTES, ROW = 0.35, 2.0
    """The share of the words that notes have at most; more are a column. And lines of the page for
    each of them; where there are fewer, they are cells."""
    LEAVES, LEAST_COLUMN = 2, 0.1
    """The most columns of a page, or leaves, that has notes, and the share of its lines that one
    has; narrow lines beside more columns are cells of tables."""
    LEAST_BODY = 6
    """Fewer lines do not tell what is usual."""


class LOOPS:
    """``page/loops``: Text that repeats itself."""

    LONGEST_PERIOD = 1000
    """Words of a copy at most, so that the time stays bounded."""
    LONGEST_LOOSE = 40
    """The same where each copy was read in its own way, which takes the square of it in time."""
    LEAST_EQUAL = 0.1
    """Words that stand there again, as a share of such a loop: like words of a list do not."""
    LEAST_COPIES = 3
    """Text that stands there twice is a repetition, not a loop."""
    LEAST_WORDS = 8
    """Words that a loop has in all: shorter ones are phrases."""
    LEAST_SHARE = 0.03
    """The share of an output that must be words too many before it is looked through for loops."""
    LEAST_ALIKE = 0.45
    """The share of a loop's words that must be like those one period before."""
    LEAST_SIGNS = 0.9
    """The same where most are single signs, which are equal by chance."""
    UNLIKE = -0.55
    """What a word says against a loop that is not like the one a period before; one that is says
    1."""
    LEAST_SAME = 0.35
    """The share of a stretch that must be equal words for it to say anything: 0.55 / 1.55, or
    less."""
    AS_USUAL = 0.5
    """The share of equal words that its first copy has, of what all of a loop have."""
    FORMULA, SLOT = 0.5, 0.2
    """The share of copies that have the word of the one before in a place, from which on it belongs
    to a formula, and up to which it is a name or a sum, another in each entry."""
    STRONGER = 1.15
    """How many times more a longer period must say than a shorter one."""
    OF_PAGE = 0.8
    """How long, as a share of a loop, the page itself must repeat the text for it to be no loop."""
    LONGEST_HOLE = 12
    """Words in a row that stand there once: a loop in pieces does not go on behind them."""
    LEAST_DOUBLE = 20
    """Words of a stretch that stands there twice: shorter ones, pages have themselves."""
    SHIFT = 0.05
    """How far the words of a copy may be off, as a share of it, where words were lost or added."""
    TWICE = (1.6, 2.4)
    """How long, in lengths of the reference, an output is that has the whole text twice."""
    SAME_COPY = 0.45
    """Equal words in a row of two copies, as a share of the longer: two pages have a quarter."""
    OTHERS = 0.9
    """An output with fewer words besides the copy, as a share of the page's, has lost text."""


class PLACES:
    """``page/places``: Words on lines."""

    LEAST_COPY, ON_COPY, SAME_COPY = 8, 0.5, 0.5
    """The words of a copy that lies on other text, the share of the narrower of two stretches that
    lies on the other, and their likeness: both may be misread, and other text has seldom 0.35."""

    ON_LINE = 0.25
    """The least overlap, of 1, with which a word stands on a line at all."""
    KNOWN_WORD = 0.5
    """What an equal word on the line adds: of two lines that touch, it stands on that one."""
    STEP = 0.45
    """What it costs to change, within a line of the output, to a line above or below."""
    ACROSS, OFF = 0.05, 0.1
    """What it costs to change to a line beside it, and to one that is not known or from there."""
    ROUNDED = 1e-9
    """Two sums that differ by less are equal."""
    AT_ONCE = 256
    """Words that are laid on lines in one step, so that memory stays bounded."""
    UNKNOWN = 0.1
    """The most words that may be without a box."""
    LEAST_KNOWN = 8
    """Rare words that both sides must have for their boxes to be compared."""
    AGREES = 0.6
    """The boxes of both sides are in the same pixels if this share of the rare words lies where it
    should."""
    SLACK = 0.3
    """How far beyond the ends of a line, in its height, a word of it may stand."""
    IN_COLUMN = 0.2
    """The share of the narrower line under the other with which two share a column."""
    MOST_OFF = 1.2
    """How far from the middle of a line, in its height, a word is not on it at all."""


class SHAPES:
    """``page/shapes``: Lines as boxes."""

    SAME_SIZE = 0.02
    """Pages whose sizes differ by less have the same pixels."""
    LEAST_HEIGHT = 0.4
    """The height of a slanted line, as a share of that of its box, at least."""


class SUMMING:
    """``summing``: Few events instead of many."""

    SMALL_WORDS, SMALL_SHARE = 5, 0.003
    """Events of fewer errors, and of a smaller share of the page, are summed by kind."""
    OTHER_SHARE = 0.02
    """The same for text that only one side has: a line of noise on a page is no event of its
    own."""
    MOST_OF_A_KIND = 3
    """Events of one kind that are listed; the rest are summed."""
    LARGE = 2.5
    """One of many such events is listed by itself if it costs this many times the median."""
    MOST_OF_ORDER = 6
    """Events of order that a person reads."""
    MOST_OF_OTHERS = 6
    """More events of one kind than this become one."""
    MOST_LISTED = 3
    """More places than this are not listed one by one."""


class EXTRAS:
    """``text/extras``: Words too many."""

    ON_PAGE = 0.5
    """The share of its words from which on a loop is text of the lines on which it stands."""
    SAME_LINE = 0.7
    """Two lines whose letters agree so far are the same."""
    DOUBLED = 0.8
    """The share of an output's lines that must stand there twice."""
    LEAST_LINES = 6
    """Shorter outputs may have twins among their lines by chance."""
    FROM_PAGE = 0.6
    """The share of a loop's words that must stand in a row in the reference to come from there."""
    NOWHERE = 0.3
    """Below this share they stand nowhere; between the two nothing is said."""
    TWICE_AS_LONG = 1.5
    """An output of fewer words, in lengths of the reference, has no line twice all over."""


class GAPS:
    """``text/gaps``: Text that only one side has."""

    EDGE = 2
    """Words of a line that may be missing beside whole lines that are."""
    ALONE = 0.25
    """The share of the words of a stretch that the other side must lack, wherever they stand: words
    that it has elsewhere are out of order, and no more can be said."""
    LEAST_EDGES, EDGES, LONGEST_EDGE = 10, 0.2, 5
    """The fewest lines that lack words at the same end, or have too many there, their least share
    of the page's lines, and the most words in each: more are part of a column."""
    LEAST_BADLY = 10
    """The fewest words that count as read badly; misread words here and there are no event."""
    FAR_SHORTER = 0.5
    """A side with fewer letters than this share of the other's has no counterpart of it."""
    ELSEWHERE = 0.5
    """Words are displaced in small pieces, not missing, if more than this share stands
    elsewhere."""
    PHRASE = 3
    """Words in one piece that stand elsewhere not by chance."""
    SHORT_LINE, LEAST_LINE, TRIED = 4, 7, 8
    """Words at most and letters at least of a line of a marginal note that is looked for elsewhere
    (a page has 2 to 4 % of the short lines of another), and how many places are tried."""
    WELL = 0.6
    """The share of its letters from which on a line is read well enough."""
    WRITTEN = 0.12
    """Lines are missing only where the output has fewer letters than this share of theirs."""
    ALIKE = 0.4
    """Words that differ in fewer of their letters may be the same word misread."""
    BESIDE = 2
    """Diagonals beside each other that count as one: a word lost or added shifts the rest."""
    REPEATED = 3.0
    """Bits more than chance needs that added text must say to be called a repetition."""
    MOSTLY = 0.6
    """The share of replaced text that a loop must fill."""
    ABOVE_CHANCE = 0.1
    """How much more alike than text and other text of the page two passages are that are the
    same."""
    RUN, IN_RUNS, COMPARED = 4, 0.2, 20_000
    """Letters in one piece, the share of the shorter side that such pieces make up where both are
    the same text (1 % of other passages of one hand have as much), and the letters looked at."""
    COVERED = 0.4
    """The share of added words that must stand elsewhere in the reference to be a repetition."""
    IN_REGION = 0.8
    """The share of added words that must stand in regions without text to be called untranscribed:
    a word or two of a table's heading may stand above its outline."""
    LETTERS = 0.8
    """An output with a smaller share of letters than this part of the reference's is no other text:
    prose has 15 % of punctuation at most, print read as »l«n»! has 40."""
    CLEAN, LEAST_LETTERS, LEAST_PROSE, AS_LONG = 0.65, 2, 20, 0.7
    """The share of words of letters alone, and of as many of them, that text has which was written
    where other text stands: 75 % and more in 100 invented passages of which up to a quarter was
    misread, 58 and less in 42 of 43 that could not be read. Of fewer words nobody can tell; and the
    letters that it has at least for each of the reference."""
    SIGNS = ".,;:!?()[]\"'»«„“”-⸗—/*"
    """What may stand around such a word."""


class ONESIDED:
    """``text/onesided``: What became of it."""

    BY_CHANCE = 2
    """Words between two missing passages that both sides have by chance."""
    LEAST_CUT, LEAST_CUT_SHARE, LEAST_CUT_LINES = 8, 0.15, 3
    """Less text than this in words, and in lines or as a share of the page, is a last line left
    out."""
    MOST_OF_EDGE = 12
    """Words of a running head at most."""
    TWICE = 0.8
    """The share of the page that must be there twice to say so of the whole of it."""
    NEAR = 0.1
    """How near, as a share of the page, a half begins and ends to where it should."""


class PARALLELS:
    """``text/parallels``: Translations."""

    LEAST_WORDS = 12
    """Shorter passages show no language."""
    LEAST_LITTLE = 4
    """The fewest little words by which a language is known."""
    CLEARLY = 1.5
    """How many times more little words it must have than any other."""
    SHORTEST, LONGEST = 0.5, 2.0
    """The letters of a translation, as a share of those that were translated."""
    NEAR, NEAR_IN_PASSAGE = 0.15, 0.3
    """How far from its place a number or a name may stand, as a share of the page and of a
    passage, whose ends are not known to the word."""
    ALIKE = 75.0
    """How alike, in percent, two names are that are the same."""
    LEAST_NAME = 4
    """Letters of a name: shorter words with capitals begin sentences."""
    FEW, MANY, MOST = 2, 4, 0.5
    """Names and numbers kept: enough where languages differ, enough without that, and the share of
    all."""
    PASSAGE = 0.8
    """The share of the page below which replaced text is a passage: the rest of the page shows the
    language."""
    LEAST_LINES = 6
    """Lines whose lengths can run parallel by more than chance."""
    AS_LONG = 0.6
    """The correlation of the lengths of lines from which on they run parallel."""


class REWRITTEN:
    """``text/rewritten``: What was written by another rule."""

    LEAST = 3
    """How often a rule must have been followed: once or twice is a slip."""
    STRICT = 0.5
    """The share of its occasions on which it must have been; a slip of reading is not."""
    LONGEST = 4
    """Letters of an abbreviation that nothing but a stop shows: longer words end sentences."""
    BESIDE, OF_DATE = 1, 4
    """How far, in words, the joined word and a date's day and year may stand from their place."""


class SPELLING:
    """``text/spelling``: Spelling changed by rule."""

    LEAST_WORDS = 12
    """The fewest words that must have been changed by rule."""
    LEAST_SHARE = 1 / 3
    """The share of the misread words that must have been."""
    LEAST_LETTERS, LEAST_SAME = 3, 2
    """How often a rule for letters, and one for a whole word, must have been followed."""
    STRICT_WORDS = 0.5
    """The share of its occasions on which a rule for a whole word must have been followed."""
    BY_SHARE = ((0.5, 2 / 3, True), (0.8, LEAST_SHARE, False))
    """The share of its occasions on which a rule must have been followed, by the share of the
    misread words that follow one, and whether any rule counts: beside more misreading a rule must
    be strict, for letters that a system confuses it confuses on 40 to 70 %, and some short words on
    all."""
    QUARTERS = 3
    """In how many quarters of the page there must be such words."""
    MOST_UNLIKE = 2
    """Words in a row that are not alike and still stand for each other, such as & for and."""
    MOST_TOLD = 4
    """Rules that an event keeps, the commonest."""


class TALK:
    """``text/talk``: What models say of their own."""

    ON_PAGE, ON_PAGE_SHORT, SHORT = 72.0, 88.0, 30
    """From this likeness on, in percent, to a stretch of the reference, is text of the page; a text
    of fewer characters needs more."""
    LONGEST = 400
    """Characters that a phrase of talk has at most."""
    MOST_BETWEEN = 400
    """Characters between two sentences of talk that may be talk, too."""
    FEW_WORDS = 12
    """Words of a title, or of a denial, that is talk by itself."""
    MOST_AT_EDGES = 4
    """Sentences from the head and from the foot of an output that are looked at for what they
    say."""
    EDGE = 800
    """Characters that they have at most."""


class TRACE:
    """``text/trace``: Both sides aligned."""

    LEAST_RUN = 4
    """The fewest words in a row without a counterpart that are a block; fewer are misread words."""
    BITS = 8.0
    """Matched words between two gaps that say less than this are chance."""


class WHOLE:
    """``text/whole``: Pages that failed as a whole."""

    HARDLY = 0.1
    """The share of the reference's words below which nothing of a page is there."""
    SHORT = 0.5
    """Text beside a refusal that is shorter than this share of the page is part of it."""
    CASE = 0.6
    """The share of words that must differ in capitals alone: then these are the fault."""
    LEAST_BADLY = 0.6
    """Pages of which fewer words are misread, the order set aside, were read."""
    LEAST_WORDS = 20
    """Pages of fewer words say too little to be called other text."""
    TEXT = 0.5
    """The share of an output's words that are letters alone, three at least, from which on it is
    text: of pages read as gibberish it is 0.3 to 0.47, of other pages 0.54 to 0.86."""
    LINES = 0.05
    """By how much the lines of a page must stand in the output better than by chance: other pages
    of two newspapers gain 0.00 to 0.02, the same pages, hardly readable, 0.10 to 0.16."""
    FEW_LINES = 4
    """With fewer lines a text has none to speak of."""
    SAID = 0.25
    """What all matched stretches of a page must say, as a share of what its words could say."""
