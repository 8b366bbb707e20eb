// Two outputs beside the reference between them. All text is set with textContent.

const drawn = new WeakMap();
const REFERENCE = 1;
const REST = "Point at a word to see what became of it in the others.";

// The kinds of reference words that can be walked, as their class numbers.
const ONLY_A = 5;
const ONLY_B = 6;
const BOTH_WRONG = 7;

function chips(view) {
  const { data } = view;
  const box = element("div", "legend");
  const names = {
    [ONLY_A]: `only ${isolated(data.names[0])} right`,
    [ONLY_B]: `only ${isolated(data.names[1])} right`,
    [BOTH_WRONG]: "both wrong",
  };
  view.walked = new Set([ONLY_A, ONLY_B, BOTH_WRONG]);
  const kinds = data.sides[REFERENCE].kinds;
  for (const kind of [ONLY_A, ONLY_B, BOTH_WRONG]) {
    const chip = element("button", "chip");
    chip.type = "button";
    chip.setAttribute("aria-pressed", "true");
    chip.append(
      element("span", `w k${kind}`, names[kind]),
      ` ${kinds.filter((one) => one === kind).length}`,
    );
    chip.addEventListener("click", () => {
      const on = !view.walked.delete(kind);
      if (on) view.walked.add(kind);
      chip.setAttribute("aria-pressed", String(on));
      view.frame.classList.toggle(`without-${kind}`, !on);
      view.stops = stopsOf(view);
    });
    box.append(chip);
  }
  return box;
}

function stopsOf(view) {
  const stops = [];
  view.data.sides[REFERENCE].kinds.forEach((kind, index) => {
    if (view.walked.has(kind)) stops.push([index, REFERENCE, index]);
  });
  return stops;
}

// A word's own number in the reference, whichever pane it stands in; -1 if it has none.
function inReference(view, side, index) {
  return side === REFERENCE ? index : view.data.sides[side].mates[index];
}

function light(view, word) {
  for (const lit of view.lit) lit.classList.remove("lit");
  view.lit = [];
  for (const pair of view.pairs) pair.lit = [];
  view.says.textContent = REST;
  if (word) {
    const side = Number(word.dataset.side);
    const index = Number(word.dataset.index);
    const place = inReference(view, side, index);
    const trio = view.panes.map((pane, number) => {
      if (number === side) return word;
      if (place < 0) return null;
      const mate = number === REFERENCE ? place : view.data.readAs[number === 0 ? 0 : 1][place];
      return mate >= 0 ? pane.word(mate) : null;
    });
    view.lit = trio.filter(Boolean);
    for (const lit of view.lit) lit.classList.add("lit");
    if (trio[0] && trio[1]) view.pairs[0].lit = [trio[0], trio[1]];
    if (trio[1] && trio[2]) view.pairs[1].lit = [trio[1], trio[2]];
    const text = (one, none) => (one ? isolated(one.textContent) : none);
    const [a, b] = view.data.names.map(isolated);
    view.says.textContent = place < 0
      ? `${side === 0 ? a : b} added: ${isolated(word.textContent)}`
      : `${a}: ${text(trio[0], "missing")}   ·   reference word ${place + 1}: ` +
        `${text(trio[1], "")}   ·   ${b}: ${text(trio[2], "missing")}`;
  }
  for (const pair of view.pairs) drawLink(pair);
}

function followAll(view, side) {
  if (side === REFERENCE) {
    follow(view.pairs[0], 1);
    follow(view.pairs[1], 0);
  } else {
    follow(view.pairs[side === 0 ? 0 : 1], side === 0 ? 0 : 1);
    follow(view.pairs[side === 0 ? 1 : 0], side === 0 ? 0 : 1);
  }
}

function redrawAll(view) {
  if (view.waiting) return;
  view.waiting = requestAnimationFrame(() => {
    view.waiting = 0;
    for (const pair of view.pairs) drawRibbons(pair);
  });
}

function walk(view, direction) {
  const { stops } = view;
  if (!stops.length) return;
  const here = stops.findIndex(([place]) => place >= view.cursor);
  const exact = here >= 0 && stops[here][0] === view.cursor;
  let at = here < 0 ? stops.length : here;
  if (direction > 0 && exact) at += 1;
  if (direction < 0) at -= 1;
  at = Math.min(Math.max(at, 0), stops.length - 1);
  view.cursor = stops[at][0];
  view.panes[REFERENCE].bring(view.cursor);
  followAll(view, REFERENCE);
  light(view, view.panes[REFERENCE].word(view.cursor));
  redrawAll(view);
  view.count.textContent = `${at + 1} of ${stops.length}`;
}

function build(root, data) {
  const view = {
    data, colours: data.colours, event: null, hits: [null, null, null], lit: [], cursor: -1,
    waiting: 0,
  };
  view.frame = element("div", "frame three");
  const heads = element("div", "heads");
  const titles = [data.names[0], "Reference", data.names[1]];
  titles.forEach((title, number) => {
    if (number) heads.append(element("b"));
    heads.append(element("span", "", title));
  });
  const stage = element("div", "stage");
  stage.style.setProperty("--most", `${data.height}px`);
  view.panes = data.sides.map((side, number) => new Pane(side, number, titles[number], view));
  view.pairs = data.pairs.map(({ bands, anchors }, number) => {
    const gutter = element("div", "gutter");
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("aria-hidden", "true");
    gutter.append(svg);
    const sides = [data.sides[number], data.sides[number + 1]];
    const panes = [view.panes[number], view.panes[number + 1]];
    return {
      data: { bands, anchors, sides, colours: data.colours[number] }, panes, svg, gutter,
      event: null, lit: [], link: null,
    };
  });
  view.panes[0].setEvents(data.pairs[0].bands.map(([from, to, , , event]) => [from, to, event]));
  view.colours = data.colours[1];
  view.panes[2].setEvents(data.pairs[1].bands.map(([, , from, to, event]) => [from, to, event]));
  stage.append(
    view.panes[0].box, view.pairs[0].gutter, view.panes[1].box, view.pairs[1].gutter,
    view.panes[2].box,
  );
  view.says = element("div", "says", REST);
  view.count = element("span", "count");
  view.count.setAttribute("role", "status");
  const keys = element("span", "keys");
  keys.append(element("kbd", "", "n"), element("kbd", "", "p"), " next, previous word  ");
  const foot = element("div", "foot");
  foot.append(view.says, view.count, keys);
  view.frame.append(chips(view), heads, stage, foot);
  view.stops = stopsOf(view);
  root.replaceChildren(view.frame);
  return view;
}

function listen(view) {
  const leave = new AbortController();
  const { signal } = leave;
  const wordOf = (event) => (event.target.closest ? event.target.closest(".pane .w") : null);
  view.panes.forEach((pane, side) => {
    pane.box.addEventListener("scroll", () => {
      if (byUser(pane)) followAll(view, side);
      redrawAll(view);
    }, { passive: true, signal });
    pane.box.addEventListener("pointerover", (event) => light(view, wordOf(event)), { signal });
    pane.box.addEventListener("pointerleave", () => light(view, null), { signal });
    pane.box.addEventListener("click", (event) => {
      const word = wordOf(event);
      if (word) view.cursor = inReference(view, side, Number(word.dataset.index));
    }, { signal });
  });
  document.addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    const types = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (types || event.ctrlKey || event.metaKey || event.altKey || !view.frame.isConnected) return;
    if (event.key !== "n" && event.key !== "p") return;
    walk(view, event.key === "n" ? 1 : -1);
    event.preventDefault();
    event.stopPropagation();
  }, { signal, capture: true });
  const observer = new ResizeObserver(() => redrawAll(view));
  for (const { box } of view.panes) observer.observe(box);
  return () => {
    leave.abort();
    observer.disconnect();
    for (const pane of view.panes) pane.observer.disconnect();
  };
}

export default function (component) {
  const { data, parentElement } = component;
  let view = drawn.get(parentElement);
  if (!view || view.data.id !== data.id) {
    if (view) view.stop();
    let root = parentElement.querySelector(".root");
    if (!root) {
      root = element("div", "root");
      parentElement.append(root);
    }
    view = build(root, data);
    drawn.set(parentElement, view);
    view.stop = listen(view);
    redrawAll(view);
  }
  // Streamlit may call this before it draws the same view again: only one that is gone is stopped.
  return () => setTimeout(() => view.frame.isConnected || view.stop(), 0);
}
