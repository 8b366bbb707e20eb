// Two outputs beside the reference between them. All text is set with textContent.

const views = new WeakMap();
const REFERENCE = 1;
const REST = "Point at a word to see what happened to it in the others.";

// The kinds of reference words that can be walked, as their class numbers.
const ONLY_A = 6;
const ONLY_B = 7;
const BOTH_WRONG = 8;
const MOVED_A = "a";
const MOVED_B = "b";
const WALKED = [ONLY_A, ONLY_B, BOTH_WRONG, MOVED_A, MOVED_B];

function chips(view) {
  const { data } = view;
  const box = element("div", "legend");
  const names = {
    [ONLY_A]: `only ${isolated(data.names[0])} right`,
    [ONLY_B]: `only ${isolated(data.names[1])} right`,
    [BOTH_WRONG]: "both wrong",
    [MOVED_A]: `moved in ${isolated(data.names[0])}`,
    [MOVED_B]: `moved in ${isolated(data.names[1])}`,
  };
  view.walked = new Set(WALKED);
  const kinds = data.sides[REFERENCE].kinds;
  for (const kind of WALKED) {
    const chip = element("button", "chip");
    chip.type = "button";
    chip.setAttribute("aria-pressed", "true");
    chip.append(
      element("span", `w ${kind === MOVED_A || kind === MOVED_B ? "k4" : `k${kind}`}`, names[kind]),
      kind === MOVED_A || kind === MOVED_B ? "" : ` ${countOf(view, kind)}`,
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
  const equal = button("small", "show equal lines", () => foldAll(view, view.frame.classList.toggle("folds")),
    "Lines that both read alike and in place are folded");
  view.equal = equal;
  box.append(equal);
  return box;
}

function countOf(view, kind) {
  return view.data.sides[REFERENCE].kinds.filter((one) => one === kind).length;
}

function stopsOf(view) {
  const moved = view.data.movedIn.map((indexes) => new Set(indexes));
  const stops = [];
  view.data.sides[REFERENCE].kinds.forEach((kind, index) => {
    const isStop = view.walked.has(kind)
      || [MOVED_A, MOVED_B].some((key, at) => view.walked.has(key) && moved[at].has(index)
        && !moved[at].has(index - 1));
    if (isStop) stops.push([index, REFERENCE, index]);
  });
  return stops;
}

const CONTEXT = 1;
const SHORTEST_FOLD = 3;

// Runs of lines in which nothing happened are folded, but for a line before and after.
function foldPane(pane, isEqual) {
  const { lines } = pane;
  const equal = lines.map((line) => isEqual(line));
  for (let at = 0; at < lines.length; at += 1) {
    if (!equal[at]) continue;
    let end = at;
    while (end < lines.length && equal[end]) end += 1;
    const from = at === 0 ? 0 : at + CONTEXT;
    const to = end === lines.length ? end : end - CONTEXT;
    if (to - from >= SHORTEST_FOLD) {
      const run = lines.slice(from, to);
      const open = button("fold", `⋯ ${run.length} equal lines`, () => {
        for (const { node } of run) node.classList.remove("folded");
        open.remove();
      });
      for (const { node } of run) node.classList.add("folded");
      pane.box.insertBefore(open, run[0].node);
    }
    at = end;
  }
}

function unfoldPane(pane) {
  for (const { node } of pane.lines) node.classList.remove("folded");
  pane.box.querySelectorAll(".fold").forEach((open) => open.remove());
}

function foldAll(view, isFolded) {
  view.equal.textContent = isFolded ? "show equal lines" : "fold equal lines";
  const { sides, movedIn, readAs } = view.data;
  const happened = new Set([...movedIn[0], ...movedIn[1]]);
  sides[REFERENCE].kinds.forEach((kind, index) => { if (kind) happened.add(index); });
  // A word of an output is equal where its reference word is read alike and in place by both.
  const touched = readAs.map((mates) => new Set([...happened].map((index) => mates[index])));
  view.panes.forEach((pane, side) => {
    unfoldPane(pane);
    if (!isFolded) return;
    const { kinds } = sides[side];
    foldPane(pane, ({ first, texts }) => {
      for (let index = first; index < first + texts.length; index += 1) {
        if (side === REFERENCE ? happened.has(index)
          : kinds[index] || touched[side === 0 ? 0 : 1].has(index)) return false;
      }
      return true;
    });
  });
  redrawAll(view);
}

// A word's own number in the reference, whichever pane it stands in; -1 if it has none.
function inReference(view, side, index) {
  return side === REFERENCE ? index : view.data.sides[side].mates[index];
}

function light(view, word) {
  for (const lit of view.lit) lit.classList.remove("lit");
  view.lit = [];
  for (const pair of view.pairs) pair.lit = [[], []];
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
    if (trio[0] && trio[1]) view.pairs[0].lit = [[trio[0]], [trio[1]]];
    if (trio[1] && trio[2]) view.pairs[1].lit = [[trio[1]], [trio[2]]];
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

// On a narrow screen one text at a time.
function tabs(view, titles) {
  const box = element("div", "tabs");
  titles.forEach((title, number) => {
    const one = button("small", isolated(title), () => {
      view.frame.dataset.tab = number;
      for (const other of box.children) other.setAttribute("aria-pressed", String(other === one));
      redrawAll(view);
    });
    one.setAttribute("aria-pressed", String(number === REFERENCE));
    box.append(one);
  });
  view.frame.dataset.tab = REFERENCE;
  return box;
}

function walk(view, direction) {
  const { stops } = view;
  if (!stops.length) return;
  const here = stops.findIndex(([place]) => place >= view.cursor);
  const exact = here >= 0 && stops[here][0] === view.cursor;
  let at = here < 0 ? stops.length : here;
  if (direction > 0 && exact) at += 1;
  if (direction < 0) at -= 1;
  if (at < 0 || at >= stops.length) {
    toPage(view, direction);
    return;
  }
  view.cursor = stops[at][0];
  const line = view.panes[REFERENCE].lineOf(view.cursor);
  if (line.node.classList.contains("folded")) foldAll(view, view.frame.classList.toggle("folds", false));
  view.panes[REFERENCE].bring(view.cursor);
  followAll(view, REFERENCE);
  light(view, view.panes[REFERENCE].word(view.cursor));
  redrawAll(view);
  view.count.textContent = `${at + 1} of ${stops.length}`;
}

// After the last word of a page comes the next page.
function toPage(view, direction) {
  const { pages, page } = view.data;
  const at = pages.findIndex(([id]) => id === page) + direction;
  if (pages[at]) view.send(pages[at][0]);
}

function pageHead(view) {
  const { pages, page } = view.data;
  const at = pages.findIndex(([id]) => id === page);
  const box = element("div", "page-head");
  const back = button("small", "‹", () => toPage(view, -1), "Previous page; key [");
  const forth = button("small", "›", () => toPage(view, 1), "Next page; key ]");
  back.disabled = at <= 0;
  forth.disabled = at === pages.length - 1;
  box.append(back, chooser("page-name", "Page", pages, page, view.send), forth);
  return box;
}

function build(root, data, send) {
  const view = {
    data, colours: data.colours, event: null, hits: [null, null, null], lit: [], cursor: -1,
    waiting: 0, send,
  };
  view.frame = element("div", "frame linked three folds");
  view.frame.style.setProperty("--a", data.styles[0].colour);
  view.frame.style.setProperty("--b", data.styles[1].colour);
  const heads = element("div", "heads");
  const titles = [data.names[0], "Reference", data.names[1]];
  titles.forEach((title, number) => {
    if (number) heads.append(element("b"));
    const head = element("span", "", title);
    if (number !== REFERENCE) head.prepend(systemMark(data.styles[number ? 1 : 0]), " ");
    heads.append(head);
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
      event: null, lit: [[], []], link: null,
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
  keys.append(element("kbd", "", "n"), element("kbd", "", "p"), " next, previous word, and on to the next page  ");
  const foot = element("div", "foot");
  foot.append(view.says, view.count, keys);
  const legend = chips(view);
  legend.prepend(pageHead(view));
  view.frame.append(legend, tabs(view, titles), heads, stage, foot);
  view.stops = stopsOf(view);
  root.replaceChildren(view.frame);
  foldAll(view, true);
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
    if (event.key === "n" || event.key === "p") walk(view, event.key === "n" ? 1 : -1);
    else if (event.key === "]" || event.key === "[") toPage(view, event.key === "]" ? 1 : -1);
    else return;
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

function show({ payload: data, place, wish }) {
  const send = (page) => wish("page", page);
  let view = views.get(place);
  if (!view || view.data.id !== data.id) {
    if (view) view.stop();
    const root = rootOf(place);
    view = build(root, data, send);
    views.set(place, view);
    view.stop = listen(view);
    redrawAll(view);
  }
  // A host may call this before it draws the same view again: only one that is gone is stopped.
  return () => setTimeout(() => view.frame.isConnected || view.stop(), 0);
}
