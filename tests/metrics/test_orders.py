"""The least that order costs over all orders that a page allows, against all of them in turn."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

import htreval_core as hv
from htreval_core.metrics.orders import search
from htreval_core.metrics.orders.rows import Row, Rows, best_stretches
from htreval_core.metrics.orders.search import Admissible, best_order
from htreval_core.metrics.orders.tree import Block, Group, OrderTree, order_tree
from htreval_core.metrics.page import PageReference, score_page
from htreval_core.model import Line, OrderGroup, Transcript
from htreval_core.text import Words
from tests.tools import cases, digest

# --- an oracle: every order, told by a recursion of its own


def orders_of(tree: OrderTree) -> set[tuple[int, ...]]:
    """All admissible orders of a small page."""
    return set(_with_floats(tree.root))


def _with_floats(group: Group) -> Iterator[tuple[int, ...]]:
    parts = [
        list(_with_floats(one)) if isinstance(one, Group) else [(one,)] for one in group.members
    ]
    for arrangement in permutations(parts) if not group.ordered else [parts]:
        for sequence in _chosen(arrangement):
            yield from _inserted(sequence, group.floats)


def _chosen(parts: Sequence[Sequence[tuple[int, ...]]]) -> Iterator[tuple[int, ...]]:
    if not parts:
        yield ()
        return
    for first in parts[0]:
        for rest in _chosen(parts[1:]):
            yield first + rest


def _inserted(sequence: tuple[int, ...], floats: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if not floats:
        yield sequence
        return
    for shorter in _inserted(sequence, floats[1:]):
        for at in range(len(shorter) + 1):
            yield (*shorter[:at], floats[0], *shorter[at:])


def tree_of(sizes: Sequence[int], root: Group) -> OrderTree:
    ends = np.cumsum(sizes).tolist()
    blocks = (Block(None, None, range(end - n, end)) for n, end in zip(sizes, ends, strict=True))
    return OrderTree(tuple(blocks), root)


def any_group(rng: random.Random, blocks: Sequence[int], depth: int = 0) -> Group:
    if len(blocks) == 1 or depth > 2:
        return Group(rng.random() < 0.5, tuple(blocks))
    n_parts = rng.randint(1, len(blocks))
    cuts = sorted(rng.sample(range(1, len(blocks)), n_parts - 1))
    members: list[int | Group] = []
    floats: list[int] = []
    for start, end in zip([0, *cuts], [*cuts, len(blocks)], strict=True):
        part = blocks[start:end]
        if len(part) > 1:
            members.append(any_group(rng, part, depth + 1))
        else:
            (floats if rng.random() < 0.25 else members).append(part[0])
    return Group(rng.random() < 0.6, tuple(members), tuple(floats))


def found_on(tree: OrderTree, ref: Sequence[int], hyp: Sequence[int]) -> Admissible:
    strict = int(Levenshtein.distance(ref, hyp))
    bag = max(len(ref), len(hyp)) - (Counter(ref) & Counter(hyp)).total()
    numbers = np.array(ref, dtype=np.int64), np.array(hyp, dtype=np.int64)
    return best_order(tree, *numbers, strict=strict, bag=bag)


def errors_in(tree: OrderTree, order: Sequence[int], ref: Sequence[int], hyp: Sequence[int]) -> int:
    return int(Levenshtein.distance([ref[word] for word in tree.words_in(order)], hyp))


@pytest.mark.parametrize("seed", range(400))
def test_it_is_the_least_of_all_orders(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to seven blocks under any tree, read in any order, misread, cut and added to.

    A search that is cut short holds its bound."""
    rng = random.Random(seed)
    sizes = [rng.randint(1, 6) for _ in range(rng.randint(2, 7))]
    n_types = rng.choice([3, 8, 30])
    ref = [rng.randrange(n_types) for _ in range(sum(sizes))]
    tree = tree_of(sizes, any_group(rng, range(len(sizes))))
    allowed = sorted(orders_of(tree))
    is_in_order = rng.random() < 0.6
    read = rng.choice(allowed) if is_in_order else rng.sample(range(len(sizes)), len(sizes))
    hyp = [ref[word] for word in tree.words_in(read)]
    hyp = [
        rng.randrange(n_types + 2) if rng.random() < 0.3 else word
        for word in hyp
        if rng.random() > 0.1
    ]
    if rng.random() < 0.3:
        hyp[3:3] = [rng.randrange(n_types + 2) for _ in range(4)]
    found = found_on(tree, ref, hyp)
    least = min(errors_in(tree, order, ref, hyp) for order in allowed)
    assert found.errors == least == errors_in(tree, found.order, ref, hyp)
    assert found.order in allowed
    assert found.is_proved
    monkeypatch.setattr(search, "_PASSES", 0)
    for cells in (1, 300, 1000, 3000):
        monkeypatch.setattr(search, "_LEAST_CELLS", cells)
        found = found_on(tree, ref, hyp)
        assert found.bound <= least <= found.errors == errors_in(tree, found.order, ref, hyp)
        assert found.order in allowed


@pytest.mark.parametrize(
    ("passes", "cells", "tries", "wanted"),
    [
        (0, 1, 1, "8d2eddaba0"), (0, 1, 1_000_000, "c66fe7d5a4"),
        (0, 30_000, 300_000, "6a885e0246"), (0, 200_000, 1, "27808addc2"),
        (1, 1, 300_000, "0d49771830"),
    ],
)  # fmt: skip
def test_where_a_search_goes_changes_on_purpose_only(
    passes: int, cells: int, tries: int, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order, the errors and the bound of pages that are too large for all orders."""
    monkeypatch.setattr(search, "_PASSES", passes)
    monkeypatch.setattr(search, "_LEAST_CELLS", cells)
    monkeypatch.setattr(search, "_TRIES", tries)
    found = []
    for seed in range(24):
        rng = random.Random(seed)
        sizes = [rng.randint(1, 9) for _ in range(rng.randint(8, 20))]
        ref = [int(rng.paretovariate(0.8)) % 100 for _ in range(sum(sizes))]
        tree = tree_of(sizes, any_group(rng, range(len(sizes))))
        read = rng.sample(range(len(sizes)), len(sizes))
        rate = rng.choice((0.0, 0.2, 0.5))
        hyp = [rng.randrange(99) if rng.random() < rate else ref[n] for n in tree.words_in(read)]
        found.append(found_on(tree, ref, hyp[: rng.choice((None, 30))]))
        assert found[-1].bound <= found[-1].errors <= found[-1].strict
    assert digest(repr(found)) == wanted


# --- pages: two articles in either order, notes that float


WORDS = [f"{a}{b}{c}" for a in "bdfgklmn" for b in "aeiou" for c in "rstvwxz"]
RULES = hv.OrderRules(floats=hv.RegionRule(kinds=("note",)))


def page_of_two_articles(rng: random.Random) -> tuple[Transcript, list[list[Line]]]:
    """A page of two articles of paragraphs that may change places, with notes between."""
    words = rng.sample(WORDS, 120)

    def text(n: int) -> str:
        return " ".join(words.pop() for _ in range(n))

    articles = [
        [Line(text(rng.randint(4, 9)), f"a{n}p{m}", None, "paragraph") for m in range(2)]
        for n in range(2)
    ]
    notes = [Line(text(rng.randint(2, 4)), f"n{n}", None, "note") for n in range(2)]
    order = OrderGroup(
        False, tuple(OrderGroup(True, tuple(str(one.region) for one in of)) for of in articles)
    )
    return Transcript((*articles[0], *articles[1], *notes), order=order), [*articles, notes]


@pytest.mark.parametrize("block", range(10))
def test_convention_costs_nothing_and_disorder_what_it_costs(block: int) -> None:
    """A thousand made pages, a hundred a block: half of them in an order that the page allows."""
    for seed in range(100 * block, 100 * block + 100):
        rng = random.Random(seed)
        reference, (first, second, notes) = page_of_two_articles(rng)
        body = [*first, *second] if rng.random() < 0.5 else [*second, *first]
        is_right = rng.random() < 0.5
        if not is_right:
            # A paragraph of one article between those of the other, or before its own first.
            one, other = rng.choice([(0, 1), (1, 2), (2, 3)])
            body[one], body[other] = body[other], body[one]
        lines = list(body)
        for note in notes:
            lines.insert(rng.randint(0, len(lines)), note)
        output = Transcript(tuple(lines))
        page = score_page(reference, output, hv.Settings(orders=RULES))
        scores = page.scores
        least = min(
            errors_in(page.tree, order, page.reference.words, page.hypothesis.words)
            for order in orders_of(page.tree)
        )
        assert scores.admissible_errors == least
        assert (least == 0) is is_right
        assert scores.admissible_bound == least
        assert scores.bwer.errors == 0
        strict = score_page(reference, output).scores
        assert scores.wer == strict.wer
        assert scores.nsfd_errors == strict.nsfd_errors


def test_a_page_without_freedom_has_the_strict_figures() -> None:
    page = score_page("a b c d\ne f", "e f\na b c d")
    assert not page.tree.is_free
    assert page.scores.admissible_errors == page.scores.admissible_bound == page.scores.wer.errors


# --- trees


def lines(*regions: str) -> tuple[Line, ...]:
    return tuple(Line(f"{name} text", name.strip("*"), None, _kind(name)) for name in regions)


def _kind(name: str) -> str:
    return "Marginalia" if name.startswith("*") else "paragraph"


def tree(
    transcript: Transcript, rules: hv.OrderRules | None = None, page_id: str = "p"
) -> OrderTree:
    line_of = [number for number, _ in enumerate(transcript.lines) for _ in range(2)]
    return order_tree(transcript, line_of, rules or hv.OrderRules(), page_id)


def allowed(found: OrderTree) -> set[str]:
    return {" ".join(str(found.blocks[one].name) for one in order) for order in orders_of(found)}


def test_orders_that_the_groups_of_a_file_allow() -> None:
    # Lines of a region are one block.
    found = tree(Transcript(lines("a", "a", "b")))
    assert [len(block.words) for block in found.blocks] == [4, 2]
    assert allowed(found) == {"a b"}
    # An unordered group comes in any order and what it leaves out after it.
    order = OrderGroup(False, (OrderGroup(True, ("a", "b")), "c"))
    found = tree(Transcript(lines("a", "b", "c", "d"), order=order))
    assert allowed(found) == {"a b c d", "c a b d"}
    # A region in two blocks stays together, and one without text is passed over.
    order = OrderGroup(False, ("a", "empty", "b"))
    assert allowed(tree(Transcript(lines("a", "*a", "b"), order=order))) == {"a a b", "b a a"}
    # Groups that the lines do not follow are no order.
    order = OrderGroup(False, ("b", "a"))
    assert allowed(tree(Transcript(lines("a", "b"), order=order))) == {"a b"}
    # What comes in one order only is not free.
    assert not tree(Transcript(lines("a"), order=OrderGroup(False, ("a",)))).is_free
    assert tree(Transcript(lines("a", "b"), order=OrderGroup(False, ("a", "b")))).is_free
    # Nor is what floats where nothing else is.
    rules = hv.OrderRules(floats=hv.RegionRule(kinds=("marginal*",)))
    assert not tree(Transcript(lines("*x")), rules).is_free
    one_each = OrderGroup(True, (OrderGroup(False, ("a",)), OrderGroup(False, ("b",))))
    assert not tree(Transcript(lines("a", "b"), order=one_each)).is_free


def test_orders_that_floating_regions_allow() -> None:
    # A floating block comes between any two blocks of its group.
    rules = hv.OrderRules(floats=hv.RegionRule(kinds=("marginal*",)))
    order = OrderGroup(True, (OrderGroup(True, ("a", "x", "b")), "c"))
    found = tree(Transcript(lines("a", "*x", "b", "c"), order=order), rules)
    assert allowed(found) == {"x a b c", "a x b c", "a b x c"}
    # At the top it may come between blocks of a group, too.
    order = OrderGroup(True, ("x", OrderGroup(True, ("a", "b"))))
    found = tree(Transcript(lines("*x", "a", "b"), order=order), rules)
    assert allowed(found) == {"x a b", "a x b", "a b x"}
    # Of groups that float as a whole it is the same.
    order = OrderGroup(True, (OrderGroup(True, ("x",)), OrderGroup(True, ("y",)), "a"))
    assert len(allowed(tree(Transcript(lines("*x", "*y", "a"), order=order), rules))) == 6
    # Regions float by name on one page or all.
    named = hv.OrderRules(floats=hv.RegionRule(names=("n*",)))
    on_page = hv.OrderRules(pages={"p": hv.PageRule(floats=("n1",))})
    side = Transcript(lines("a", "n1"))
    for rules in (named, on_page):
        assert allowed(tree(side, rules)) == {"a n1", "n1 a"}
    assert allowed(tree(side, on_page, "q")) == {"a n1"}


def test_either_of_two_may_come_first_and_part_a_group_of_the_file() -> None:
    rules = hv.OrderRules(pages={"p": hv.PageRule(either=((("b", "c"), ("d",)),))})
    assert allowed(tree(Transcript(lines("a", "b", "c", "d", "e")), rules)) == {
        "a b c d e",
        "a d b c e",
    }
    # Either may part a group of the file.
    order = OrderGroup(True, ("a", OrderGroup(True, ("b", "c", "d"))))
    rules = hv.OrderRules(pages={"p": hv.PageRule(either=((("b",), ("c",)),))})
    found = tree(Transcript(lines("a", "b", "c", "d"), order=order), rules)
    assert allowed(found) == {"a b c d", "a c b d"}


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (hv.PageRule(floats=("zz",)), "page p has no region zz; it has a, b, c"),
        (hv.PageRule(left_out=("zz",)), "page p has no region zz; it has a, b, c"),
        (hv.PageRule(either=((("a",), ("c",)),)), "page p: a or c: these do not stand"),
        (hv.PageRule(either=((("a", "c"), ("b",)),)), "do not stand side by side"),
    ],
)
def test_a_rule_that_does_not_fit_its_page_says_so(rule: hv.PageRule, said: str) -> None:
    with pytest.raises(hv.ConfigError, match=said):
        tree(Transcript(lines("a", "b", "c")), hv.OrderRules(pages={"p": rule}))


# --- what counts


def side(*texts: tuple[str, str]) -> Transcript:
    return Transcript(
        tuple(Line(text, f"r{n}", None, kind) for n, (kind, text) in enumerate(texts))
    )


HEAD = side(("header", "the running head"), ("paragraph", "one two three four"))
LEFT_OUT = hv.Settings(orders=hv.OrderRules(left_out=hv.RegionRule(kinds=("header",))))
FLOATS = hv.Settings(orders=hv.OrderRules(floats=hv.RegionRule(kinds=("header",))))


def test_a_region_is_left_out_of_both_sides() -> None:
    """By the regions of the output, by matching, elsewhere on the page, or not read at all."""
    body = "one two three four"
    for output in (
        side(("header", "tbe runing hcad"), ("paragraph", body)), f"{body} tbe runing head",
        f"tbe runing head\n{body}", body,
    ):  # fmt: skip
        scores = score_page(HEAD, output, LEFT_OUT).scores
        assert (scores.n_ref_words, scores.n_hyp_words, scores.wer.errors) == (4, 4, 0)


@pytest.mark.parametrize("n_words", range(1, 15))
def test_a_line_of_the_output_may_hold_text_left_out_and_text_that_counts(n_words: int) -> None:
    body = "and so it ended in the year of our Lord eighteen hundred and two"
    head, texts = "THE HISTORY OF THE PARISH", [*body.split()[:n_words], "amen"]
    page = side(("header", head), ("text", " ".join(texts[:3])), ("text", " ".join(texts[3:])))
    for output in (
        " ".join((head, *texts)),
        f"{head} {' '.join(texts[:3])}\n{' '.join(texts[3:])}",
    ):
        assert score_page(page, output, LEFT_OUT).scores.wer.errors == 0


@pytest.mark.parametrize("seed", range(30))
def test_of_a_perfect_output_the_rest_is_perfect(seed: int) -> None:
    """Whatever it says of its regions, and whatever words these share with the text."""
    rng = random.Random(seed)
    kinds = rng.choices(["paragraph", "header", "note"], k=6)
    texts = [(kind, " ".join(rng.choices(LETTERS, k=rng.randint(1, 9)))) for kind in kinds]
    tagged = [(kind if rng.random() < 0.5 else "paragraph", text) for kind, text in texts]
    rules = hv.OrderRules(left_out=hv.RegionRule(("header",), ("r5",)),
                          pages={"p": hv.PageRule(left_out=("r2",))})  # fmt: skip
    for output in (side(*texts), side(*tagged), "\n".join(text for _, text in texts)):
        settings = hv.Settings(policy=hv.TextPolicy(join_hyphens=("hyphen-minus",)), orders=rules)
        scored = score_page(side(*texts), output, settings, page_id="p")
        assert scored.hypothesis.words == scored.reference.words


LETTERS = (*"abcdefg", "h-")
SIGNS = ("Wun-", "derbar", "— so —", "Haus.", "漢", "字", "12")


@pytest.mark.parametrize("words", ["whitespace", "unicode", "characters", "dinglehopper"])
@pytest.mark.parametrize("seed", range(30))
def test_what_is_left_out_or_floats_may_stand_anywhere(seed: int, words: Words) -> None:
    """Within a divided word too, with signs of its own around it, tagged or not."""
    rng = random.Random(seed)
    head = ("header", rng.choice(("— 7 —", "· · ·", "[9].", "folio-")))
    texts = [("paragraph", " ".join(rng.choices(SIGNS, k=rng.randint(1, 5)))) for _ in range(6)]
    pages = [[*texts[:at], head, *texts[at:]] for at in (rng.randint(0, 6), rng.randint(0, 6))]
    reference = side(*pages[0])
    policy = hv.TextPolicy(words=words, join_hyphens=("hyphen-minus",))
    for output in (side(*pages[1]), "\n".join(text for _, text in pages[1])):
        page = score_page(reference, output, replace(LEFT_OUT, policy=policy)).scores
        found = (page.wer.errors, page.cer_errors, page.hcer_errors, page.line_wer_errors)
        assert found == (0, 0, 0, 0)
        page = score_page(reference, output, replace(FLOATS, policy=policy)).scores
        assert page.admissible_errors == 0


BODY = (("text", "the whole na-"), ("header", "Daily News of London"), ("text", "tion was glad"))
TWICE = (("text", "the whole na-"), ("text", "tion"), ("text", "was glad"), ("header", "tion"))
ENDS = (("header", "Alpha Beta"), ("text", "the king paid"), ("header", "folio XII"))


@pytest.mark.parametrize(
    ("reference", "output", "errors"),
    [
        (BODY, "the whole na-\nDaly News of London.\ntion was glad", 0),
        (TWICE, "the whole na-\ntion\nwas glad\ntion", 0),
        (TWICE, "the whole na-\ntion\nwas glad", 0),
        (BODY[1:], "Daily News\nof London\ntion was glad", 0),
        ((("text", "b"), ("header", "pro-"), ("header", "the king")), "b\npro-\nthe king", 0),
        # What the output repeats or invents counts.
        (ENDS, "the king paid\n" + 3 * "Alpha Beta\n", 4),
        (ENDS, "Alpha Beta\nthe king paid\nBeta Alpha\nfolio XII", 2),
        (ENDS, f"Alpha Beta\n{' '.join(f'q{n}' for n in range(40))}\nfolio XII", 40),
    ],
)  # fmt: skip
def test_text_left_out_is_told_from_text_that_counts(
    reference: tuple[tuple[str, str], ...], output: str, errors: int
) -> None:
    settings = replace(LEFT_OUT, policy=hv.TextPolicy(join_hyphens=("hyphen-minus",)))
    assert score_page(side(*reference), output, settings).scores.wer.errors == errors


def test_a_region_is_left_out_of_one_page_by_name_or_of_the_output_alone() -> None:
    rules = hv.OrderRules(pages={"p": hv.PageRule(left_out=("r0",))})
    output = Transcript.from_text("the running head one two three four")
    settings = hv.Settings(orders=rules)
    assert score_page(HEAD, output, settings, page_id="p").scores.n_ref_words == 4
    assert score_page(HEAD, output, settings, page_id="q").scores.n_ref_words == 7
    # A region of the output is left out where the reference has none.
    reference = side(("paragraph", "one two three four"))
    output = side(("paragraph", "one two three four"), ("header", "folio 12"))
    assert score_page(reference, output, LEFT_OUT).scores.wer.errors == 0
    # A reference knows what it is scored by.
    reference = PageReference.of("p", HEAD, LEFT_OUT)
    assert len(reference.written.words) == 7
    assert reference.words.words == ("one", "two", "three", "four")


PARTIAL = hv.Settings(orders=hv.OrderRules(partial=True))


def test_what_a_partial_reference_accepts() -> None:
    # Both blocks are read, the later first, with other text before, between and after them.
    reference = side(("paragraph", "alpha beta gamma delta"), ("paragraph", "one two three four"))
    output = "before it all one two thre four some more between alpha beta gamma delta and after"
    scores = score_page(reference, output, PARTIAL).scores
    assert (scores.n_hyp_words, scores.bwer.errors, scores.n_ref_words) == (8, 1, 8)
    # Order is told all the same.
    assert scores.wer.errors == 8
    # A translation is not accepted, though most letters of any sentence stand in any other.
    reference = "The old house stands by the river and nobody has lived there for years"
    output = "Das alte Haus steht am Fluss und seit Jahren hat niemand mehr dort gewohnt"
    scores = score_page(side(("paragraph", reference)), output, PARTIAL).scores
    assert scores.wer.errors == scores.n_ref_words
    # A short block takes no word from a long one.
    scores = score_page(side(("text", "then one two three"), ("text", "one")),
                        "then one two three x y z one", PARTIAL).scores  # fmt: skip
    assert (scores.wer.errors, scores.n_hyp_words) == (0, 5)
    # Words misread at the ends of a block, and a block with none right, belong to it.
    scores = score_page(side(("text", "Montag den ersten Mai"), ("cell", "Zelle")),
                        "so Montaq den ersten Maj und Zelleq", PARTIAL).scores  # fmt: skip
    assert (scores.wer.errors, scores.n_hyp_words, scores.cer_errors) == (3, 5, 3)
    # Of places that fit as well by words the letters choose.
    out = "the vestry met upon monday the widcw vas excusod because of age"
    scores = score_page(side(("text", "the widow was excused")), out, PARTIAL).scores
    assert (scores.wer.errors, scores.cer_errors) == (3, 3)
    # What is left out is no block that keeps words.
    rules = hv.Settings(orders=replace(LEFT_OUT.orders, partial=True))
    output = side(("header", "x"), ("paragraph", "the running head one two three four"))
    assert score_page(HEAD, output, rules).scores.n_hyp_words == 4


@pytest.mark.parametrize("seed", range(20))
def test_a_row_is_that_of_the_edit_distance(seed: int) -> None:
    rng = random.Random(seed)
    hyp, words = ([rng.randrange(4) for _ in range(rng.randint(1, 90))] for _ in range(2))
    skip = rng.randrange(len(hyp))
    row = np.cumsum([rng.randrange(9), *rng.choices((-1, 0, 1), k=len(hyp) - skip)])
    found = Rows(np.array(hyp)).through(row, np.array(words), skip)
    for word in words:
        above, row = row, row + 1
        for place, other in enumerate(hyp[skip:], start=1):
            beside = min(row[place - 1] + 1, above[place - 1] + (word != other))
            row[place] = min(above[place] + 1, beside)
    assert found.tolist() == row.tolist()


def test_a_long_page_is_searched_in_proportion_to_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    sizes = [rng.randint(5, 15) for _ in range(120)]
    ref = [int(rng.paretovariate(0.8)) % 900 for _ in range(sum(sizes))]
    tree = tree_of(sizes, Group(False, tuple(range(120))))
    hyp = [rng.randrange(900) if rng.random() < 0.3 else word for word in rng.sample(ref, len(ref))]
    cells: list[int] = []
    through = Rows.through

    def counted(rows: Rows, errors: Row, words: Row, skip: int = 0) -> Row:
        cells.append(len(words) * len(errors))
        return through(rows, errors, words, skip)

    monkeypatch.setattr(Rows, "through", counted)
    found_on(tree, ref, hyp)
    assert sum(cells) <= 5 * len(ref) * len(hyp)


def test_the_best_stretch_is_the_shortest_and_the_nearest() -> None:
    hyp = np.array([9, 1, 2, 3, 9, 9, 1, 2, 3, 9])
    words = np.array([1, 2, 3])
    assert best_stretches(words, hyp) == [(1, 4), (6, 9)]
    assert best_stretches(words, hyp, near=5) == [(6, 9), (1, 4)]
    assert best_stretches(np.array([7, 8]), hyp) == []


def test_rules_need_lines() -> None:
    with pytest.raises(hv.ConfigError, match="go by lines"):
        hv.Settings(orders=RULES, policy=hv.TextPolicy(words="space"))


def test_a_page_whose_rule_does_not_fit_is_a_failure_and_the_rest_goes_on() -> None:
    rules = hv.OrderRules(pages={"a": hv.PageRule(floats=("gone",))})
    pages = [hv.Page.from_text(name, "one two", {"A": "one two"}) for name in "ab"]
    study = hv.score(pages, hv.Settings(orders=rules))
    (failure,) = study.failures
    assert (failure.page_id, "has no region gone" in failure.reason) == ("a", True)
    assert [one.page_id for one in study.scores["A"]] == ["b"]


@pytest.mark.parametrize(("header", "body", "output"), cases("never_left_out"))
def test_text_that_counts_is_never_left_out(header: str, body: str, output: str) -> None:
    reference = side(("header", header), ("paragraph", body))
    scores = score_page(reference, output, LEFT_OUT).scores
    assert (scores.bwer.errors, scores.n_hyp_words) == (0, len(body.split()))


def test_errors_of_a_trace_with_costs_of_its_own_are_no_matter_of_order() -> None:
    """sclite counts six errors where there are five, in whichever order the note stands."""
    reference = side(("paragraph", "u v w A B"), ("note", "memo"))
    settings = hv.Settings(orders=RULES, trace="sclite")
    in_order, first = (
        score_page(reference, text, settings).scores
        for text in ("A B x y z memo", "memo A B x y z")
    )
    assert in_order.wer.errors == in_order.admissible_errors == 6
    assert first.wer.errors > (first.admissible_errors or 0) >= in_order.bwer.errors
