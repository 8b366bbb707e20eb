// The linked view of a page. All text arrives as data and is set with textContent.

const drawn = new WeakMap();
const NAMES = ["reference", "output"];
const REST = "Point at a word to see where it went; click it to mark it in every picture.";

function legend(view) {
  const { data } = view;
  const box = element("div", "legend");
  for (const kind of [1, 2, 3, MOVED]) {
    const [name] = data.kinds[kind];
    const counted = data.sides.map((side) => side.kinds.filter((k) => k === kind).length);
    const sample = element("span", `w k${kind}`, name);
    if (kind === MOVED) sample.title = "▲ it belongs further up, ▼ further down";
    const entry = element("span");
    entry.append(sample, ` ${Math.max(...counted)}`);
    box.append(entry);
  }
  const finder = element("span", "finder");
  const field = element("input", "");
  field.type = "search";
  field.placeholder = "Find a word";
  field.setAttribute("aria-label", "Find words, as a regular expression");
  const count = element("span", "count");
  count.setAttribute("role", "status");
  finder.append(count, field, element("kbd", "", "/"));
  view.finder = { box: finder, field, count };
  box.append(finder);
  return box;
}

function keys() {
  const box = element("span", "keys");
  const entries = [
    [["n", "p"], "next, previous error"],
    [["]", "["], "page"],
    [["m"], "other view"],
    [["r"], "put right"],
  ];
  for (const [names, text] of entries) {
    for (const name of names) box.append(element("kbd", "", name));
    box.append(` ${text}  `);
  }
  return box;
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
  const mate = side.mates[index];
  let text = `${NAMES[number]} word ${index + 1}: ${isolated(word.textContent)}`;
  if (mate >= 0) {
    const other = view.panes[1 - number].word(mate);
    text += `  ↔  ${NAMES[1 - number]} word ${mate + 1}: ${isolated(other ? other.textContent : "")}`;
  }
  const event = view.panes[number].eventOf[index];
  const part = event >= 0 ? `, part of ${event + 1}` : "";
  view.says.textContent = `${text}  (${data.kinds[side.kinds[index]][0]}${part})`;
}

function light(view, word) {
  for (const lit of view.lit) lit.classList.remove("lit");
  view.lit = [];
  say(view, word);
  if (word) {
    const number = Number(word.dataset.side);
    const mate = view.data.sides[number].mates[Number(word.dataset.index)];
    const other = mate >= 0 ? view.panes[1 - number].word(mate) : null;
    view.lit = other ? (number === 0 ? [word, other] : [other, word]) : [word];
    for (const lit of view.lit) lit.classList.add("lit");
  }
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
  word.classList.add("picked");
  bring(view, side, picked[1]);
}

function bringOut(view, event) {
  view.event = event;
  for (const pane of view.panes) for (const line of pane.lines) pane.dress(line);
  const band = event === null ? null : view.data.bands.find((one) => one[4] === event);
  if (band) {
    const side = band[3] > band[2] ? 1 : 0;
    bring(view, side, side ? band[2] : band[0]);
  }
  redraw(view);
}

function build(root, data) {
  const view = {
    data, colours: data.colours, event: null, picked: "", cursor: null, lit: [], link: null,
    hits: [null, null], found: [], waiting: 0, steps: 0,
  };
  view.frame = element("div", "frame");
  const heads = element("div", "heads");
  heads.append(element("span", "", "Reference"), element("b"), element("span", "", "Output"));
  const stage = element("div", "stage");
  stage.style.setProperty("--most", `${data.height}px`);
  const gutter = element("div", "gutter");
  view.svg = document.createElementNS(SVG, "svg");
  view.svg.setAttribute("aria-hidden", "true");
  gutter.append(view.svg);
  view.map = element("div", "map");
  view.map.append(element("canvas"), element("i"), element("i"));
  view.panes = data.sides.map((side, number) => new Pane(side, number, NAMES[number], view));
  stage.append(view.panes[0].box, gutter, view.panes[1].box, view.map);
  view.says = element("div", "says", REST);
  const foot = element("div", "foot");
  foot.append(view.says, keys());
  view.frame.append(legend(view), heads, stage, foot);
  root.replaceChildren(view.frame);
  takeLayout(view, data);
  return view;
}

// What kept together and what did not. Of a long page the words come first, and this when it is
// found.
function takeLayout(view, data) {
  view.data = data;
  view.colours = data.colours;
  view.event = null;
  view.stops = faults(view);
  view.panes.forEach((pane, side) => {
    pane.setEvents(data.bands.map((band) => [band[2 * side], band[2 * side + 1], band[4]]));
  });
}

function listen(view, send) {
  const leave = new AbortController();
  const { signal } = leave;
  const { field } = view.finder;
  const wordOf = (event) => (event.target.closest ? event.target.closest(".pane .w") : null);
  view.panes.forEach(({ box }, side) => {
    box.addEventListener("scroll", () => {
      if (byUser(view.panes[side])) follow(view, side);
      redraw(view);
    }, { passive: true, signal });
    box.addEventListener("pointerover", (event) => light(view, wordOf(event)), { signal });
    box.addEventListener("pointerleave", () => light(view, null), { signal });
    box.addEventListener("click", (event) => {
      const word = wordOf(event);
      if (!word) return;
      view.cursor = [side, Number(word.dataset.index)];
      send("picked", [side ? "hyp" : "ref", Number(word.dataset.index)]);
    }, { signal });
  });
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
  const asks = { m: "view", r: "repair" };
  // Keys that come faster than pages are counted from the page that is drawn.
  const walk = { "]": 1, "[": -1 };
  document.addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    const types = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (types || event.ctrlKey || event.metaKey || event.altKey || !view.frame.isConnected) return;
    if (event.key === "n" || event.key === "p") {
      step(view, view.stops, event.key === "n" ? 1 : -1);
      view.frame.scrollIntoView({ block: "nearest" });
    } else if (walk[event.key]) {
      view.steps += walk[event.key];
      send("asked", ["step", view.steps, view.data.page]);
    } else if (event.key === "/") field.focus();
    else if (asks[event.key]) send("asked", asks[event.key]);
    else return;
    event.preventDefault();
    // Streamlit has keys of its own, and would run the page anew for "r".
    event.stopPropagation();
  }, { signal, capture: true });
  const observer = new ResizeObserver(() => {
    redraw(view);
    drawMap(view);
  });
  for (const { box } of view.panes) observer.observe(box);
  return () => {
    leave.abort();
    observer.disconnect();
    for (const pane of view.panes) pane.observer.disconnect();
  };
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
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
    view.stop = listen(view, setTriggerValue);
    drawRibbons(view);
    drawMap(view);
  } else if (view.data.layout !== data.layout) {
    takeLayout(view, data);
    drawRibbons(view);
  }
  const event = data.event === undefined ? null : data.event;
  if (view.event !== event) bringOut(view, event);
  mark(view, data.picked);
  // Streamlit may call this before it draws the same view again: only one that is gone is stopped.
  return () => setTimeout(() => view.frame.isConnected || view.stop(), 0);
}
