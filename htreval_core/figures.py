"""Data to Plotly figures, as pure functions.

Plotly renders pseudo-HTML in every text, so each function takes ``show``, which makes the user's
text safe to put there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from htreval_core.bands import Band, LineVisit
from htreval_core.diagnosis import Diagnosis
from htreval_core.kinds import Kind, pair_kinds
from htreval_core.ladder import Rung, rank_flips
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.page import ScoredPage
from htreval_core.metrics.pool import Corpus, page_value
from htreval_core.model import PageScores, Transcript
from htreval_core.palette import (
    KIND_COLOURS,
    KIND_NAMES,
    KIND_SYMBOLS,
    NEUTRAL,
    ORDER,
    RECOGNITION,
    SYSTEM_COLOURS,
    SYSTEM_SYMBOLS,
    event_colour,
)

Show = Callable[[str], str]

_GRID = "rgba(139, 149, 161, 0.22)"
_SVG_POINTS = 5000
"""Beyond this many points WebGL draws faster than SVG."""


def _layout(height: int, **more: object) -> dict[str, object]:
    base = {
        "height": height,
        "margin": {"l": 8, "r": 16, "t": 8, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "title": None},
        "hoverlabel": {"align": "left"},
        "dragmode": False,
    }
    return base | more


def _axis(title: str, **more: object) -> dict[str, object]:
    return {
        "title": {"text": title, "standoff": 6},
        "gridcolor": _GRID,
        "zeroline": False,
        "automargin": True,
    } | more


def figure_systems(corpora: Mapping[str, Corpus], show: Show) -> go.Figure:
    """One bar a system: WER as recognition (bWER) plus order (ΔWER), its interval as a whisker."""
    names = list(corpora)
    estimates = [corpora[name].estimates for name in names]
    bwer = [100 * e["bwer"].value for e in estimates]
    delta = [100 * e["delta_wer"].value for e in estimates]
    wer = [e["wer"] for e in estimates]
    known = [not math.isnan(e.high) for e in wer]
    above = [100 * (e.high - e.value) if ok else 0 for e, ok in zip(wer, known, strict=True)]
    below = [100 * (e.value - e.low) if ok else 0 for e, ok in zip(wer, known, strict=True)]
    labels = [show(name) for name in names]
    figure = go.Figure()
    figure.add_bar(
        y=labels,
        x=bwer,
        orientation="h",
        name="recognition (bWER)",
        marker={"color": RECOGNITION},
        text=[f"{value:.1f}" for value in bwer],
        textposition="inside",
        insidetextanchor="middle",
        textfont={"color": "#1b1b1b"},
        hovertemplate="%{y}<br>bWER %{x:.2f} %<extra></extra>",
    )
    figure.add_bar(
        y=labels,
        x=delta,
        orientation="h",
        name="order (ΔWER)",
        marker={
            "color": ORDER,
            "pattern": {
                "shape": "/",
                "size": 7,
                "solidity": 0.18,
                "fillmode": "overlay",
                "fgcolor": "#ffffff",
            },
        },
        text=[f"{value:.1f}" for value in delta],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        textfont={"color": "#1b1b1b"},
        error_x={
            "type": "data",
            "array": above,
            "arrayminus": below,
            "color": NEUTRAL,
            "thickness": 1.5,
            "width": 6,
        },
        hovertemplate="%{y}<br>ΔWER %{x:.2f} %<extra></extra>",
    )
    figure.update_layout(
        **_layout(
            90 + 52 * len(names),
            barmode="stack",
            bargap=0.35,
            xaxis=_axis("share of reference words, %", rangemode="tozero"),
            yaxis={"autorange": "reversed", "automargin": True, "title": None},
        )
    )
    return figure


def figure_pages(
    scores: Mapping[str, Sequence[PageScores]], show: Show, *, selected: str | None = None
) -> go.Figure:
    """A dot a page: how far words stand from their place (NSFD) against what that costs (ΔWER).

    ``customdata`` is (page id, system) as they are, never shown.
    """
    figure = go.Figure()
    largest = max((s.n_ref_words for pages in scores.values() for s in pages), default=1) or 1
    for number, (system, all_pages) in enumerate(scores.items()):
        pages = [
            page
            for page in all_pages
            if not math.isnan(page_value(page, "nsfd") + page_value(page, "delta_wer"))
        ]
        trace = go.Scattergl if len(pages) > _SVG_POINTS else go.Scatter
        figure.add_trace(
            trace(
                x=[100 * page_value(page, "nsfd") for page in pages],
                y=[100 * page_value(page, "delta_wer") for page in pages],
                mode="markers",
                name=show(system),
                marker={
                    "color": SYSTEM_COLOURS[number % len(SYSTEM_COLOURS)],
                    "symbol": SYSTEM_SYMBOLS[number % len(SYSTEM_SYMBOLS)],
                    "size": [6 + 8 * math.sqrt(page.n_ref_words / largest) for page in pages],
                    "opacity": 0.75,
                    "line": {
                        "width": [2.5 if page.page_id == selected else 0.5 for page in pages],
                        "color": NEUTRAL,
                    },
                },
                customdata=[[page.page_id, page.system] for page in pages],
                text=[show(page.page_id) for page in pages],
                hovertemplate="%{text}<br>ΔWER %{y:.1f} %, NSFD %{x:.1f} %"
                "<extra>%{fullData.name}</extra>",
            )
        )
    figure.update_layout(
        **_layout(
            380,
            clickmode="event+select",
            xaxis=_axis("NSFD: how far words stand from their place, %"),
            yaxis=_axis("ΔWER: words wrong only by order, %", rangemode="tozero"),
        )
    )
    return figure


def figure_distribution(
    scores: Mapping[str, Sequence[PageScores]], metric: str, show: Show
) -> go.Figure:
    """How one metric spreads over the pages of each system: a box and every page as a dot."""
    figure = go.Figure()
    for number, (system, pages) in enumerate(scores.items()):
        named = [(page, page_value(page, metric)) for page in pages]
        shown = [(page, value) for page, value in named if not math.isnan(value)]
        many = len(shown) > 2000
        figure.add_trace(
            go.Box(
                x=[100 * value for _, value in shown],
                name=show(system),
                marker={
                    "color": SYSTEM_COLOURS[number % len(SYSTEM_COLOURS)],
                    "symbol": SYSTEM_SYMBOLS[number % len(SYSTEM_SYMBOLS)],
                    "size": 5,
                    "opacity": 0.65,
                },
                line={"width": 1.5},
                boxpoints="outliers" if many else "all",
                jitter=0.6,
                pointpos=0,
                customdata=[[page.page_id, page.system] for page, _ in shown],
                text=[show(page.page_id) for page, _ in shown],
                hovertemplate="%{text}<br>%{x:.1f}<extra>%{fullData.name}</extra>",
                orientation="h",
            )
        )
    figure.update_layout(
        **_layout(
            max(380, 70 * len(scores)),
            showlegend=False,
            clickmode="event+select",
            xaxis=_axis(f"{METRICS[metric].label} of a page, %"),
            yaxis={"autorange": "reversed", "automargin": True},
        )
    )
    return figure


def figure_ladder(rungs: Sequence[Rung], metric: str, show: Show) -> go.Figure:
    """One metric of each system after each switch; rings where two systems change places."""
    figure = go.Figure()
    labels = [rung.label for rung in rungs]
    for number, system in enumerate(rungs[0].corpora):
        values = [100 * rung.corpora[system].estimates[metric].value for rung in rungs]
        figure.add_scatter(
            x=labels,
            y=values,
            mode="lines+markers",
            name=show(system),
            line={"color": SYSTEM_COLOURS[number % len(SYSTEM_COLOURS)], "width": 2},
            marker={"symbol": SYSTEM_SYMBOLS[number % len(SYSTEM_SYMBOLS)], "size": 9},
            hovertemplate="%{x}<br>%{y:.2f} %<extra>%{fullData.name}</extra>",
        )
    flips = rank_flips(rungs, metric)
    figure.add_scatter(
        x=[labels[flip.rung] for flip in flips],
        y=[
            100 * rungs[flip.rung].corpora[flip.now_better].estimates[metric].value
            for flip in flips
        ],
        mode="markers",
        name="change of places",
        showlegend=bool(flips),
        hoverinfo="skip",
        marker={"symbol": "circle-open", "size": 20, "color": NEUTRAL, "line": {"width": 2}},
    )
    figure.update_layout(
        **_layout(
            360,
            xaxis={"automargin": True, "gridcolor": _GRID},
            yaxis=_axis(f"{METRICS[metric].label}, %"),
        )
    )
    return figure


def figure_waterfall(scores: PageScores) -> go.Figure:
    """Recognition (bWER) plus order (ΔWER) gives WER, in words of the page."""
    bwer, wer = scores.bwer.errors, scores.wer.errors
    steps = [
        ("recognition<br>bWER", 0, bwer, RECOGNITION),
        ("order<br>ΔWER", bwer, wer - bwer, ORDER),
        ("together<br>WER", 0, wer, NEUTRAL),
    ]
    length = scores.n_ref_words
    figure = go.Figure()
    for label, base, height, colour in steps:
        share = f"{100 * height / length:.1f} %" if length else "–"
        figure.add_bar(
            x=[height],
            y=[label],
            base=[base],
            orientation="h",
            marker={"color": colour},
            text=[f"<b>{share}</b>  {height} of {length} words"],
            textposition="outside",
            cliponaxis=False,
            hoverinfo="skip",
        )
    figure.add_shape(
        type="line", x0=bwer, x1=bwer, y0=-0.4, y1=1.4, line={"color": NEUTRAL, "dash": "dot"}
    )
    figure.update_layout(
        **_layout(
            170,
            showlegend=False,
            bargap=0.3,
            xaxis={"visible": False, "range": [0, max(wer, 1) * 1.75]},
            yaxis={"autorange": "reversed", "automargin": True},
        )
    )
    return figure


def figure_bands(
    bands: Sequence[Band],
    diagnosis: Diagnosis,
    n_hyp_words: int,
    *,
    title: str = "",
    labels: bool = True,
) -> go.Figure:
    """Two upright bars, the reference and the output, and a ribbon for each stretch between them.

    What kept its order is pale; each event has a colour and its number. Missing and added text is
    hatched on the bar that has it alone.

    Args:
        title: over the picture, safe to show as it is.
        labels: whether events are named beside the bars.
    """
    n_ref = diagnosis.n_ref_words
    figure = go.Figure()
    for left, right, n_words in ((0.0, 0.06, n_ref), (0.94, 1.0, n_hyp_words)):
        figure.add_shape(
            type="rect", x0=left, x1=right, y0=0, y1=n_words, layer="below",
            fillcolor="rgba(139, 149, 161, 0.35)", line={"width": 0},
        )  # fmt: skip
    for band in bands:
        colour = NEUTRAL if band.event < 0 else event_colour(band.event)
        (r0, r1), (h0, h1) = band.reference, band.hypothesis
        on_both = r1 > r0 and h1 > h0
        hover = diagnosis.events[band.event].sentence if band.event >= 0 else "in its place"
        if on_both:
            x = [0.06, 0.94, 0.94, 0.06, 0.06]
            y = [r0, h0, h1, r1, r0]
            figure.add_scatter(
                x=x, y=y, fill="toself", mode="lines", line={"width": 0.5, "color": colour},
                fillcolor=colour, opacity=0.22 if band.event < 0 else 0.62, hoveron="fills",
                text=hover, hoverinfo="text", showlegend=False,
            )  # fmt: skip
        elif band.event >= 0:
            left, start, end = (0.0, r0, r1) if r1 > r0 else (0.94, h0, h1)
            figure.add_scatter(
                x=[left, left + 0.06, left + 0.06, left, left],
                y=[start, start, end, end, start],
                fill="toself", mode="lines", line={"width": 1, "color": colour},
                fillpattern={"shape": "/", "fgcolor": colour, "bgcolor": "rgba(0,0,0,0)",
                             "size": 6},
                text=hover, hoverinfo="text", hoveron="fills", showlegend=False,
            )  # fmt: skip
        if band.event >= 0 and on_both:
            for left, (start, end) in ((0.0, band.reference), (0.94, band.hypothesis)):
                figure.add_shape(
                    type="rect", x0=left, x1=left + 0.06, y0=start, y1=end,
                    fillcolor=colour, line={"width": 0},
                )  # fmt: skip
    for number, event in enumerate(diagnosis.events if labels else ()):
        on_reference = event.reference[1] > event.reference[0]
        start, end = event.reference if on_reference else event.hypothesis[0]
        figure.add_annotation(
            x=-0.01 if on_reference else 1.01,
            y=(start + end) / 2,
            xanchor="right" if on_reference else "left",
            text=f'<span style="color:{event_colour(number)}">■</span> <b>{number + 1}</b> '
            f"{event.kind.value}<br>{event.words} words",
            align="right" if on_reference else "left",
            font={"size": 11},
            showarrow=False,
        )
    longest = max(n_ref, n_hyp_words, 1)
    has_left = any(event.reference[1] > event.reference[0] for event in diagnosis.events) and labels
    has_right = (
        any(event.reference[1] == event.reference[0] for event in diagnosis.events) and labels
    )
    figure.update_layout(
        **_layout(
            430,
            margin={"l": 8, "r": 8, "t": 34, "b": 8},
            title={"text": title, "font": {"size": 13}, "x": 0.5, "xanchor": "center"},
            showlegend=False,
            xaxis={
                "range": [-0.75 if has_left else -0.05, 1.75 if has_right else 1.05],
                "tickvals": [0.03, 0.97] if labels else [],
                "ticktext": ["reference", "output"], "side": "top",
                "showgrid": False, "zeroline": False, "fixedrange": True,
            },
            yaxis={
                "range": [longest * 1.01, -longest * 0.01], "visible": False, "fixedrange": True,
            },
        )
    )  # fmt: skip
    return figure


def figure_page_map(
    transcript: Transcript,
    visits: Sequence[LineVisit],
    diagnosis: Diagnosis,
    *,
    image: str | None = None,
) -> go.Figure | None:
    """The page with both reading orders drawn on it, and the lines of events shaded.

    The pale path runs through the lines as the reference reads them, the strong one as the output
    does, with a number at every place where it jumps.

    Args:
        visits: the reference lines in the output's order.
        image: the page image as a ``data:`` address; a blank page without.

    Returns:
        None where the reference has no geometry.
    """
    middles = {
        number: (
            sum(x for x, _ in line.polygon) / len(line.polygon),
            sum(y for _, y in line.polygon) / len(line.polygon),
        )
        for number, line in enumerate(transcript.lines)
        if line.polygon
    }
    if transcript.page_size is None or len(middles) < 2:
        return None
    width, height = transcript.page_size
    figure = go.Figure()
    if image:
        figure.add_layout_image(
            source=image, xref="x", yref="y", x=0, y=0, sizex=width, sizey=height,
            sizing="stretch", layer="below", opacity=0.55,
        )  # fmt: skip
    else:
        figure.add_shape(type="rect", x0=0, y0=0, x1=width, y1=height, line={"color": _GRID})
    for number, event in enumerate(diagnosis.events):
        for line_number in event.reference_lines:
            polygon = transcript.lines[line_number - 1].polygon
            if polygon:
                x, y = zip(*polygon, polygon[0], strict=True)
                figure.add_scatter(
                    x=x, y=y, mode="lines", fill="toself", line={"width": 0},
                    fillcolor=event_colour(number), opacity=0.4, hoveron="fills",
                    text=event.sentence, hoverinfo="text", showlegend=False,
                )  # fmt: skip
    in_order = [middles[n] for n in sorted(middles)]
    seen = [visit for visit in visits if visit.line in middles]
    as_read = [middles[visit.line] for visit in seen]
    jumps = [
        place
        for place in range(len(seen))
        if not place or seen[place].line not in (seen[place - 1].line, seen[place - 1].line + 1)
    ]
    for name, path, style in (
        ("as the reference reads", in_order, {"color": NEUTRAL, "width": 5}),
        ("as the output reads", as_read, {"color": "#D55E00", "width": 1.8}),
    ):
        figure.add_scatter(
            x=[x for x, _ in path], y=[y for _, y in path], mode="lines", name=name, line=style,
            opacity=0.55 if name.endswith("reference reads") else 0.95, hoverinfo="skip",
        )  # fmt: skip
    figure.add_scatter(
        x=[as_read[place][0] for place in jumps],
        y=[as_read[place][1] for place in jumps],
        mode="markers+text",
        text=[str(number) for number in range(1, len(jumps) + 1)],
        textfont={"color": "#ffffff", "size": 10},
        marker={"size": 17, "color": "#D55E00", "line": {"width": 1, "color": "#ffffff"}},
        hovertext=[f"line {seen[place].line + 1}" for place in jumps],
        hoverinfo="text",
        showlegend=False,
    )
    figure.update_layout(
        **_layout(
            620,
            xaxis={"visible": False, "range": [0, width], "constrain": "domain"},
            yaxis={"visible": False, "range": [height, 0], "scaleanchor": "x"},
        )
    )
    return figure


def figure_displacement(
    page: ScoredPage, show: Show, *, picked: tuple[str, int] | None = None
) -> go.Figure:
    """Where each reference word was read: its position there against its position in the output.

    A page read in order is one falling diagonal. A moved block leaves it as a whole; columns
    read across make two staircases. Words without a mate stand on the edges. ``customdata`` is
    (reference position, hypothesis position), -1 for none.

    Args:
        picked: ("ref" or "hyp", position) of a word to ring.
    """
    ref_words, hyp_words = page.matching.ref_words, page.matching.hyp_words
    n_ref, n_hyp = len(ref_words), len(hyp_words)
    ref, hyp = page.matching.pairs
    kind_of_pair = pair_kinds(page)
    trace = go.Scattergl if n_ref + n_hyp > _SVG_POINTS else go.Scatter
    figure = go.Figure()
    figure.add_shape(
        type="line",
        x0=1,
        y0=1,
        x1=n_ref,
        y1=n_hyp,
        line={"color": _GRID, "width": 2},
        layer="below",
    )

    def dots(kind: Kind, x: np.ndarray, y: np.ndarray, data: np.ndarray, hover: list[str]) -> None:
        figure.add_trace(
            trace(
                x=x,
                y=y,
                mode="markers",
                name=f"{KIND_NAMES[kind]} ({len(x)})",
                customdata=data,
                text=hover,
                hovertemplate="%{text}<extra></extra>",
                marker={
                    "color": KIND_COLOURS[kind],
                    "symbol": KIND_SYMBOLS[kind],
                    "size": 8 if kind is Kind.MOVED else 6,
                    "line": {
                        "width": 1.5 if kind in (Kind.DELETED, Kind.INSERTED) else 0,
                        "color": KIND_COLOURS[kind],
                    },
                },
            )
        )

    for kind in (Kind.CORRECT, Kind.SUBSTITUTED, Kind.MOVED):
        of_kind = kind_of_pair == kind
        j, k = ref[of_kind], hyp[of_kind]
        hover = [
            f"{show(ref_words[a])} (word {a + 1})<br>read as {show(hyp_words[b])} (word {b + 1})"
            for a, b in zip(j.tolist(), k.tolist(), strict=True)
        ]
        dots(kind, j + 1, k + 1, np.stack([j, k], axis=1), hover)
    lost, added = page.matching.unmatched
    none = np.full(len(lost), -1)
    dots(
        Kind.DELETED, lost + 1, np.full(len(lost), n_hyp + _edge(n_hyp)),
        np.stack([lost, none], axis=1),
        [f"{show(ref_words[j])} (word {j + 1})<br>has no mate" for j in lost.tolist()],
    )  # fmt: skip
    none = np.full(len(added), -1)
    dots(
        Kind.INSERTED, np.full(len(added), 1 - _edge(n_ref)), added + 1,
        np.stack([none, added], axis=1),
        [f"{show(hyp_words[k])} (word {k + 1})<br>has no mate" for k in added.tolist()],
    )  # fmt: skip
    ring = _position(page, picked)
    if ring:
        figure.add_trace(
            go.Scatter(
                x=[ring[0]], y=[ring[1]], mode="markers", showlegend=False, hoverinfo="skip",
                marker={"symbol": "circle-open", "size": 18, "color": NEUTRAL,
                        "line": {"width": 2.5}},
            )
        )  # fmt: skip
    figure.update_layout(
        **_layout(
            430,
            dragmode="zoom",
            xaxis=_axis(
                "word of the reference", range=[1 - 2 * _edge(n_ref), n_ref + _edge(n_ref)]
            ),
            yaxis=_axis(
                "word of the hypothesis", range=[n_hyp + 2 * _edge(n_hyp), 1 - _edge(n_hyp)]
            ),
        )
    )
    return figure


def _edge(n_words: int) -> float:
    """How far outside the plot's words their edge lies."""
    return max(1.0, 0.03 * n_words)


def _position(page: ScoredPage, picked: tuple[str, int] | None) -> tuple[float, float] | None:
    if picked is None:
        return None
    side, index = picked
    positions = page.matching.ref_index if side == "ref" else page.matching.hyp_index
    at = np.flatnonzero(positions == index)
    if index < 0 or not len(at):
        return None
    j, k = int(page.matching.ref_index[at[0]]), int(page.matching.hyp_index[at[0]])
    n_ref, n_hyp = len(page.matching.ref_words), len(page.matching.hyp_words)
    return (j + 1 if j >= 0 else 1 - _edge(n_ref), k + 1 if k >= 0 else n_hyp + _edge(n_hyp))
