// The Page view put together: head, image, texts, cards, foot.

const views = new WeakMap();
// What the two sides are, what stands beside them, and what n and p step through.
const LABELS = { sides: ["Reference", "Output"], cards: "Faults", step: "error" };
const labels = (view) => view.data.labels || LABELS;
const nameOf = (view, side) => labels(view).sides[side].toLowerCase();
const REST = "Point at a word to see where it went; click to highlight it everywhere.";
const VIEWS = {
  matching: ["Matched anywhere",
    "Each word is compared with the one that it was matched with, in place or not."],
  trace: ["Strictly in order",
    "As WER counts: text out of place shows as left out here and added there."],
};
const tabNames = ({ sides, cards }) => [["sheet", "Image"], ["texts", "Texts"], ["ref", sides[0]],
  ["hyp", sides[1]], ["cards", cards]];

// A word and what belongs to it, on both sides; of words divided or joined all.
function linked(view, number, index) {
  const { sides } = view.data;
  const mate = sides[number].mates[index];
  let found = [[index], mate < 0 ? [] : [mate]];
  if (sides[number].kinds[index] === DIVIDED) {
    const first = sides[1 - number].mates[mate];
    found = [[number, mate], [1 - number, first]].map(([side, of]) => [...sides[side].kinds.keys()]
      .filter((at) => sides[side].kinds[at] === DIVIDED && sides[side].mates[at] === of));
  }
  return number ? found.reverse() : found;
}

function named(view, number, indexes) {
  const texts = indexes.map((index) => view.panes[number].word(index).textContent).join(" ");
  const places = indexes.map((index) => index + 1).join(", ");
  return `${nameOf(view, number)} word${indexes.length > 1 ? "s" : ""} ${places}: ${isolated(texts)}`;
}

function say(view, word) {
  if (!word) {
    view.says.textContent = REST;
    return;
  }
  const { data } = view;
  const number = Number(word.dataset.side);
  const index = Number(word.dataset.index);
  const side = data.sides[number];
  const words = linked(view, number, index);
  const order = [number, 1 - number].filter((one) => words[one].length);
  const text = order.map((one) => named(view, one, words[one])).join("  ↔  ");
  const event = view.panes[number].eventOf[index];
  const part = event >= 0 ? `, part of ${event + 1}` : "";
  view.says.textContent = `${text}  (${data.kinds[side.kinds[index]][0]}${part})`;
}

function light(view, word) {
  for (const lit of view.lit.flat()) lit.classList.remove("lit");
  view.lit = [[], []];
  say(view, word);
  let inReference = -1;
  if (word) {
    const words = linked(view, Number(word.dataset.side), Number(word.dataset.index));
    view.lit = words.map((of, side) => of.map((index) => view.panes[side].word(index)));
    if (view.data.mode) {
      view.lit.push(words.flatMap((of, side) => of.map((index) => view.lines.spans[side][index]).filter(Boolean)));
    }
    for (const lit of view.lit.flat()) lit.classList.add("lit");
    [inReference = -1] = words[0];
  }
  if (view.sheet) view.sheet.light(inReference < 0 ? -1 : view.panes[0].lineOf(inReference).line, true);
  drawLink(view);
}

function mark(view, picked) {
  const key = picked ? picked.join(":") : "";
  if (view.picked === key) return;
  view.picked = key;
  view.frame.querySelectorAll(".picked").forEach((word) => word.classList.remove("picked"));
  if (!picked) return;
  const side = picked[0] === "ref" ? 0 : 1;
  const word = view.panes[side].word(picked[1]);
  if (!word) return;
  const words = view.data.sides[side].kinds[picked[1]] === DIVIDED
    ? linked(view, side, picked[1]) : [];
  words.forEach((of, at) => of.forEach((index) => view.panes[at].word(index).classList.add("picked")));
  word.classList.add("picked");
  bring(view, side, picked[1]);
}

function bringOut(view, event) {
  view.event = event;
  for (const pane of view.panes) for (const line of pane.lines) pane.dress(line);
  const band = event === null ? null : view.data.bands.find((one) => one[4] === event);
  if (band) {
    const side = band[3] > band[2] ? 1 : 0;
    bring(view, side, side ? band[2] : band[0], side && band[1] > band[0] ? band[0] : null);
  }
  if (view.sheet) view.sheet.bringOut(event);
  redraw(view);
}

// How many words are of each kind; what the marks mean.
function legend(data) {
  return data.present.map((kind) => {
    const entry = element("span", "kind");
    const sample = element("span", `w k${kind}`, data.kinds[kind][0]);
    if (kind === MOVED) sample.title = "▲ it belongs further up, ▼ further down";
    entry.append(sample);
    return entry;
  });
}

function finder(view) {
  const box = element("span", "finder");
  const field = element("input", "");
  field.type = "search";
  field.placeholder = "Find  /";
  field.setAttribute("aria-label", "Find words, as a regular expression");
  const count = element("span", "count");
  count.setAttribute("role", "status");
  box.append(field, count);
  view.finder = { box, field, count };
  return box;
}

function foot(view, send) {
  const box = element("div", "foot");
  const counts = element("div", "kinds");
  counts.append(...legend(view.data));
  const figures = element("div", "figures");
  const switches = element("div", "views");
  for (const [name, [label, help]] of Object.entries(VIEWS)) {
    const one = button("small", label, () => send("view", name), `${help} Key m`);
    one.dataset.view = name;
    switches.append(one);
  }
  const row = element("div", "foot-row");
  row.append(counts, figures, switches, finder(view));
  const last = element("div", "foot-row");
  view.says = element("div", "says", REST);
  const take = element("span", "take");
  take.append(
    button("small", "Ribbons SVG", () => saveSvg(ribbonPicture(view), `${view.data.file}-ribbons`),
      "The ribbons of the whole page as a picture"),
  );
  if (view.data.sheet) {
    take.append(button("small", "Image SVG", () => saveSvg(standAlone(view.sheet.svg, "#ffffff"),
      `${view.data.file}-orders`), "The page with both orders as a picture"));
  }
  last.append(view.says, view.modes, button("small", "Keys  ?", () => view.keys.showModal(), "What the keys do"), take);
  box.append(row, last);
  return { box, figures, views: switches };
}

// All bands of the page between two upright bars, for paper.
function ribbonPicture(view) {
  const { sides, bands, colours } = view.data;
  const [n, m] = sides.map((side) => side.kinds.length);
  const height = 640;
  const scale = (height - 40) / Math.max(n, m, 1);
  const svg = drawn("svg", { xmlns: SVG, width: 420, height, viewBox: `0 0 420 ${height}` });
  svg.append(drawn("rect", { width: 420, height, fill: "#ffffff" }));
  const text = { "font-family": "sans-serif", "font-size": 13, fill: "#1c2328" };
  svg.append(drawn("text", { x: 30, y: 20, ...text }, "reference"),
    drawn("text", { x: 390, y: 20, "text-anchor": "end", ...text }, "output"));
  for (const [x, count] of [[30, n], [368, m]]) {
    svg.append(drawn("rect", { x, y: 30, width: 22, height: count * scale, fill: "#e8ecef" }));
  }
  const numbered = new Set();
  for (const [r0, r1, h0, h1, event] of bands) {
    const fill = event < 0 ? "#8b95a1" : colours[event];
    const [a, b, c, d] = [r0, r1, h0, h1].map((at) => 30 + at * scale);
    const both = r1 > r0 && h1 > h0;
    if (both) {
      svg.append(drawn("path", { fill, "fill-opacity": event < 0 ? 0.2 : 0.6,
        d: `M52,${a}C210,${a} 210,${c} 368,${c}V${d}C210,${d} 210,${b} 52,${b}Z` }));
    }
    if (event < 0) continue;
    if (r1 > r0) svg.append(drawn("rect", { x: 30, y: a, width: 22, height: Math.max(b - a, 1.5), fill }));
    if (h1 > h0) svg.append(drawn("rect", { x: 368, y: c, width: 22, height: Math.max(d - c, 1.5), fill }));
    if (numbered.has(event)) continue;
    numbered.add(event);
    svg.append(drawn("text", { x: r1 > r0 ? 16 : 404, y: (r1 > r0 ? (a + b) / 2 : (c + d) / 2) + 4,
      "text-anchor": "middle", ...text, "font-weight": 700 }, String(event + 1)));
  }
  return svg;
}

function tabs(view) {
  const box = element("div", "tabs");
  for (const [name, label] of tabNames(labels(view))) {
    const one = button(`small tab-${name}`, label, () => {
      view.body.dataset.tab = name;
      for (const other of box.children) other.setAttribute("aria-pressed", String(other === one));
      settleView(view);
    });
    one.setAttribute("aria-pressed", String(name === "texts"));
    box.append(one);
  }
  return box;
}

function settleView(view) {
  placeBorders(view);
  if (view.sheet) view.sheet.measure();
  layCards(view);
  redraw(view);
  drawMap(view);
}

function build(parent, data, send, takes) {
  const view = {
    data, takes, colours: data.colours, event: null, picked: "", cursor: null, lit: [[], []], link: null,
    litLines: [], repaired: [], hits: [null, null], found: [], waiting: 0, steps: 0,
  };
  view.root = parent.getRootNode();
  // Lines get their true height when they come into sight.
  view.moved = () => layCards(view);
  view.frame = element("div", "frame page-view");
  view.body = element("div", "body");
  view.body.dataset.tab = "texts";
  view.head = element("div", "head");
  view.notes = element("div", "notes");
  view.marks = element("div", "marks");
  view.badges = element("span", "badges");
  const heads = element("div", "heads");
  const { sides, cards } = labels(view);
  const titles = [["sheet-head", "Page"], ["ref-head", sides[0]], ["gap", ""],
    ["hyp-head", sides[1]], ["gap", ""], ["cards-head", cards]];
  for (const [className, title] of titles) heads.append(element("span", className, title));
  heads.lastChild.append(view.badges);
  const stage = view.stage = element("div", "stage");
  const gutter = element("div", "gutter");
  view.svg = drawn("svg", { "aria-hidden": "true" });
  gutter.append(view.svg);
  view.map = element("div", "map");
  view.map.append(element("canvas"), element("i"), element("i"));
  view.panes = data.sides.map((side, number) => new Pane(side, number, nameOf(view, number), view));
  view.panes.forEach(({ box }, number) => box.classList.add(number ? "hyp" : "ref"));
  view.side = element("div", "side");
  view.side.setAttribute("aria-label", cards);
  view.side.setAttribute("role", "region");
  view.side.tabIndex = 0;
  view.deck = element("div", "deck");
  view.side.append(view.deck);
  view.place = element("div", "sheet-place");
  view.lines = new Lines(view);
  stage.append(view.place, view.panes[0].box, gutter, view.panes[1].box, view.map, view.side,
    view.lines.box);
  makeBorders(view, gutter);
  view.keys = keySheet(view);
  view.modes = element("div", "modes");
  view.modes.setAttribute("role", "group");
  view.modes.setAttribute("aria-label", "How the texts stand");
  view.foot = foot(view, send);
  view.body.append(heads, stage, view.keys);
  view.frame.append(view.head, view.notes, view.marks, tabs(view), view.body, view.foot.box);
  return view;
}

// What kept together and what did not. On a long page the words come first, and this when it is
// found.
function takeLayout(view, data, send) {
  view.data = data;
  view.colours = data.colours;
  view.event = null;
  view.stops = faults(view);
  view.panes.forEach((pane, side) => {
    pane.setEvents(data.bands.map((band) => [band[2 * side], band[2 * side + 1], band[4]]));
  });
  takeCards(view, send);
  view.frame.classList.toggle("without-sheet", !data.sheet && !data.image);
  if (!data.sheet) {
    view.sheet = null;
    const only = element("img", "only");
    only.alt = "The page";
    if (data.image) only.src = data.image;
    view.place.replaceChildren(...(data.image ? [only] : []));
    return;
  }
  view.sheet = new Sheet(view);
  view.sheet.take(data.sheet, data.image, data.credit);
  view.sheet.listen(view.signal, send);
  view.place.replaceChildren(view.sheet.box);
}

function listen(view, send) {
  const { signal } = view;
  const { field } = view.finder;
  const wordOf = (event) => (event.target.closest ? event.target.closest(":is(.pane, .by-line) .w") : null);
  view.panes.forEach(({ box }, side) => {
    box.addEventListener("wheel", () => { view.bringing = null; }, { passive: true, signal });
    box.addEventListener("scroll", () => {
      if (byUser(view.panes[side])) follow(view, side);
      redraw(view);
    }, { passive: true, signal });
  });
  for (const box of [...view.panes.map((pane) => pane.box), view.lines.box]) {
    box.addEventListener("pointerover", (event) => light(view, wordOf(event)), { signal });
    box.addEventListener("pointerleave", () => light(view, null), { signal });
    box.addEventListener("click", (event) => {
      const word = wordOf(event);
      if (!word) return;
      const [side, index] = [Number(word.dataset.side), Number(word.dataset.index)];
      view.cursor = [side, index];
      send("word", [side ? "hyp" : "ref", index]);
    }, { signal });
  }
  view.map.addEventListener("click", (event) => {
    const part = (event.clientY - view.map.getBoundingClientRect().top) / view.map.clientHeight;
    const { box } = view.panes[0];
    box.scrollTop = part * box.scrollHeight - box.clientHeight / 2;
  }, { signal });
  field.addEventListener("input", () => search(view, field.value), { signal });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && view.found.length) {
      const at = step(view, view.found, event.shiftKey ? -1 : 1);
      view.finder.count.textContent = `${at + 1} of ${view.found.length}`;
    } else if (event.key === "Escape") {
      field.value = "";
      search(view, "");
      view.panes[0].box.focus();
    } else return;
    event.preventDefault();
  }, { signal });
  document.addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    const types = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (types || event.ctrlKey || event.metaKey || event.altKey || !view.frame.isConnected) return;
    if (view.keys.open) return;
    if (event.key === "?") view.keys.showModal();
    else if (event.key === "v") send("mode", view.data.mode ? "" : "lines");
    else if (event.key === "n" || event.key === "p") {
      step(view, view.stops, event.key === "n" ? 1 : -1);
      view.frame.scrollIntoView({ block: "nearest" });
    } else if (event.key === "]" || event.key === "[") {
      // Keys that come faster than pages are counted from the page that is drawn.
      view.steps += event.key === "]" ? 1 : -1;
      send("step", view.steps);
    } else if (event.key === "/") field.focus();
    else if (event.key === "m") {
      send("view", view.data.view === "trace" ? "matching" : "trace");
    } else if (event.key === "r") send("repair", "next");
    else return;
    event.preventDefault();
    // The host may have keys of its own.
    event.stopPropagation();
  }, { signal, capture: true });
  const observer = new ResizeObserver(() => settleView(view));
  for (const { box } of view.panes) observer.observe(box);
  observer.observe(view.frame);
  return () => {
    view.leave.abort();
    observer.disconnect();
    for (const one of [...view.panes, view.lines]) one.observer.disconnect();
    view.lines.resized.disconnect();
  };
}

function show({ payload: data, place, wish, takes, keep }) {
  const send = (what, value) => wish(what, value, (views.get(place) || { data }).data.page);
  let view = views.get(place);
  if (!view || view.data.id !== data.id) {
    const tab = view ? view.body.dataset.tab : null;
    if (view) view.stop();
    const root = rootOf(place);
    view = build(place, data, send, takes);
    view.leave = new AbortController();
    view.signal = view.leave.signal;
    views.set(place, view);
    root.replaceChildren(view.frame);
    takeLayout(view, data, send);
    view.stop = listen(view, send);
    listenForMarks(view, send);
    if (tab) view.frame.querySelector(`.tab-${tab}`).click();
  } else if (view.data.layout !== data.layout) takeLayout(view, data, send);
  view.data = data;
  view.repaired = data.repaired;
  view.frame.style.setProperty("--system", data.style.colour);
  drawHead(view, send);
  view.sendMarks = keep;
  confirmMarks(view);
  showMode(view, send);
  const event = data.event === undefined ? null : data.event;
  settleView(view);
  if (view.event !== event) bringOut(view, event);
  else if (!data.picked && view.opened !== data.layout) openAtFirst(view);
  view.opened = data.layout;
  dressCards(view);
  mark(view, data.picked);
  drawMarks(view, send);
  saveOnce(data.save);
  // A host may call this before it draws the same view again: only one that is gone is stopped.
  return () => setTimeout(() => view.frame.isConnected || view.stop(), 0);
}
