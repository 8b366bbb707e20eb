// The linked view of a page. All text arrives as data and is set with textContent.

const SVG = "http://www.w3.org/2000/svg";
const drawn = new WeakMap();

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function shape(className, path) {
  const made = document.createElementNS(SVG, "path");
  made.setAttribute("class", className);
  made.setAttribute("d", path);
  return made;
}

const MARKS = [1, 2, 3, 4];

function legend(data) {
  const box = element("div", "legend");
  for (const kind of MARKS) {
    const [name] = data.kinds[kind];
    const counted = data.sides.map((side) => side.kinds.filter((k) => k === kind).length);
    const sample = element("span", `w k${kind}`, name);
    if (kind === 4) sample.dataset.arrow = " ▲▼";
    const entry = element("span");
    entry.append(sample, ` ${Math.max(...counted)}`);
    box.append(entry);
  }
  const keys = element("span", "keys");
  keys.append(element("kbd", "", "n"), " next fault  ", element("kbd", "", "p"), " previous");
  box.append(keys);
  return box;
}

function pane(side, number) {
  const box = element("div", "pane");
  const words = [];
  if (!side.lines.length) box.append(element("div", "empty", "no words"));
  for (const [lineNumber, first, texts] of side.lines) {
    const line = element("div", "line");
    line.append(element("span", "no", String(lineNumber)));
    const text = element("span", "text");
    text.dir = "auto";
    texts.forEach((word, offset) => {
      const index = first + offset;
      const span = element("span", `w k${side.kinds[index]}`, word);
      span.dataset.side = number;
      span.dataset.index = index;
      const mate = side.mates[index];
      // One arrow at the head of a stretch is enough: the words after it went the same way.
      const goesOn = (at) => side.kinds[at] === 4 && side.mates[at] - at === mate - index;
      if (side.kinds[index] === 4 && goesOn(index + 1) && !goesOn(index - 1)) {
        span.dataset.arrow = mate > index ? "▼" : "▲";
      }
      words.push(span);
      if (offset) text.append(" ");
      text.append(span);
    });
    line.append(text);
    box.append(line);
  }
  return { box, words };
}

// Where a stretch of words begins and ends vertically, in the coordinates of the scrolled body.
function span(words, start, end, top) {
  const first = words[start].getBoundingClientRect();
  const last = words[end - 1].getBoundingClientRect();
  return [first.top - top + 3, last.bottom - top - 3];
}

function ribbon(a, b, width) {
  const middle = width / 2;
  return (
    `M0,${a[0]} C${middle},${a[0]} ${middle},${b[0]} ${width},${b[0]} ` +
    `L${width},${b[1]} C${middle},${b[1]} ${middle},${a[1]} 0,${a[1]} Z`
  );
}

function drawBands(view) {
  const { data, svg, body, panes } = view;
  const top = body.getBoundingClientRect().top;
  const width = svg.getBoundingClientRect().width;
  svg.replaceChildren();
  const labelled = new Set();
  const parts = document.createDocumentFragment();
  // Measure everything before drawing anything: each change would make the next measure wait for
  // a new layout.
  const ends = data.bands.map(([refStart, refEnd, hypStart, hypEnd]) => [
    refEnd > refStart ? span(panes[0].words, refStart, refEnd, top) : null,
    hypEnd > hypStart ? span(panes[1].words, hypStart, hypEnd, top) : null,
  ]);
  data.bands.forEach(([, , , , event], at) => {
    const [left, right] = ends[at];
    const colour = event < 0 ? null : data.colours[event];
    let drawn = null;
    if (left && right) drawn = shape("band", ribbon(left, right, width));
    else if (left) drawn = shape("alone", `M0,${left[0]} h10 V${left[1]} h-10 Z`);
    else if (right) drawn = shape("alone", `M${width},${right[0]} h-10 V${right[1]} h10 Z`);
    if (!drawn) return;
    if (colour) {
      drawn.classList.add("event");
      drawn.style.setProperty("--event", colour);
      drawn.dataset.event = event;
    }
    parts.append(drawn);
    if (colour && !labelled.has(event)) {
      labelled.add(event);
      const place = left || right;
      const label = document.createElementNS(SVG, "text");
      label.setAttribute("class", "number");
      label.setAttribute("x", left ? 14 : width - 14);
      label.setAttribute("y", (place[0] + place[1]) / 2 + 4);
      label.textContent = String(event + 1);
      parts.append(label);
    }
  });
  svg.append(parts);
  view.link = null;
  bringOut(view);
}

// One event at full strength, the others pale.
function bringOut(view) {
  const chosen = view.event;
  for (const drawn of view.svg.querySelectorAll(".event")) {
    drawn.classList.toggle("off", chosen !== null && Number(drawn.dataset.event) !== chosen);
  }
}

function scrollToEvent(view) {
  const band = view.data.bands.find((b) => b[4] === view.event);
  if (!band) return;
  const word = band[3] > band[2] ? view.panes[1].words[band[2]] : view.panes[0].words[band[0]];
  const box = word.getBoundingClientRect();
  const seen = view.scroll.getBoundingClientRect();
  if (box.top < seen.top || box.bottom > seen.bottom) {
    view.scroll.scrollTop += box.top - seen.top - seen.height / 2;
  }
}

function drawMap(view) {
  const { canvas, data, scroll } = view;
  const height = scroll.clientHeight;
  const ratio = window.devicePixelRatio || 1;
  canvas.style.height = `${height}px`;
  canvas.width = 13 * ratio;
  canvas.height = height * ratio;
  const paint = canvas.getContext("2d");
  paint.scale(ratio, ratio);
  data.sides.forEach((side, number) => {
    const n = side.kinds.length || 1;
    const step = Math.max(height / n, 1.5);
    side.kinds.forEach((kind, index) => {
      if (!kind) return;
      paint.fillStyle = data.kinds[kind][1];
      paint.fillRect(number ? 7 : 1, (index / n) * height, 5, step);
    });
  });
  const seen = scroll.scrollHeight || 1;
  if (seen > height + 2) {
    paint.globalAlpha = 0.18;
    paint.fillStyle = getComputedStyle(view.frame).color;
    paint.fillRect(0, (scroll.scrollTop / seen) * height, 13, (height / seen) * height);
  }
}

function say(view, word) {
  if (!word) {
    view.says.textContent = "Point at a word to see where it went; click it to mark it in the plot.";
    return;
  }
  const { data } = view;
  const number = Number(word.dataset.side);
  const index = Number(word.dataset.index);
  const side = data.sides[number];
  const mate = side.mates[index];
  const names = ["reference", "hypothesis"];
  let text = `${names[number]} word ${index + 1}: ${word.textContent}`;
  if (mate >= 0) {
    const other = view.panes[1 - number].words[mate];
    text += `  ↔  ${names[1 - number]} word ${mate + 1}: ${other ? other.textContent : ""}`;
  }
  view.says.textContent = `${text}  (${data.kinds[side.kinds[index]][0]})`;
}

function light(view, word) {
  for (const lit of view.lit) lit.classList.remove("lit");
  view.lit = [];
  if (view.link) view.link.remove();
  view.link = null;
  say(view, word);
  if (!word) return;
  const number = Number(word.dataset.side);
  const mate = view.data.sides[number].mates[Number(word.dataset.index)];
  view.lit.push(word);
  const other = mate >= 0 ? view.panes[1 - number].words[mate] : null;
  if (other) {
    view.lit.push(other);
    const top = view.body.getBoundingClientRect().top;
    const ends = number === 0 ? [word, other] : [other, word];
    const [y1, y2] = ends.map((end) => {
      const box = end.getBoundingClientRect();
      return (box.top + box.bottom) / 2 - top;
    });
    const width = view.svg.getBoundingClientRect().width;
    view.link = shape(
      "link",
      `M0,${y1} C${width / 2},${y1} ${width / 2},${y2} ${width},${y2}`,
    );
    view.svg.append(view.link);
  }
  for (const lit of view.lit) lit.classList.add("lit");
}

function step(view, direction) {
  const words = view.panes[1].words.concat(view.panes[0].words);
  const faults = words.filter((w) => !w.classList.contains("k0"));
  const spots = faults
    .map((w) => ({ w, y: w.getBoundingClientRect().top, x: w.getBoundingClientRect().left }))
    .sort((a, b) => a.y - b.y || a.x - b.x)
    .map((spot) => spot.w);
  if (!spots.length) return;
  const at = view.cursor ? spots.indexOf(view.cursor) : direction > 0 ? -1 : spots.length;
  view.cursor = spots[Math.min(Math.max(at + direction, 0), spots.length - 1)];
  view.cursor.scrollIntoView({ block: "nearest" });
  light(view, view.cursor);
}

function mark(view, picked) {
  view.frame.querySelectorAll(".picked").forEach((w) => w.classList.remove("picked"));
  if (!picked) return;
  const word = view.panes[picked[0] === "ref" ? 0 : 1].words[picked[1]];
  if (!word) return;
  word.classList.add("picked");
  const box = word.getBoundingClientRect();
  const seen = view.scroll.getBoundingClientRect();
  if (box.top < seen.top || box.bottom > seen.bottom) {
    view.scroll.scrollTop += box.top - seen.top - seen.height / 2;
  }
}

function build(root, data) {
  const frame = element("div", "frame");
  const heads = element("div", "heads");
  heads.append(element("span", "", "Reference"), element("b"), element("span", "", "Hypothesis"));
  const area = element("div", "view");
  const scroll = element("div", "scroll");
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", "Reference and hypothesis side by side");
  const body = element("div", "body");
  const panes = data.sides.map(pane);
  const gutter = element("div", "gutter");
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  gutter.append(svg);
  body.append(panes[0].box, gutter, panes[1].box);
  scroll.append(body);
  scroll.style.maxHeight = `${data.height}px`;
  const canvas = element("canvas", "map");
  area.append(scroll, canvas);
  const says = element("div", "says");
  frame.append(legend(data), heads, area, says);
  root.replaceChildren(frame);
  return { data, frame, scroll, body, panes, svg, canvas, says, lit: [], link: null, cursor: null, event: null };
}

function listen(view, setTriggerValue) {
  const { scroll, canvas } = view;
  const wordOf = (event) => (event.target.closest ? event.target.closest(".body .w") : null);
  scroll.addEventListener("pointerover", (event) => light(view, wordOf(event)));
  scroll.addEventListener("pointerleave", () => light(view, view.cursor));
  scroll.addEventListener("click", (event) => {
    const word = wordOf(event);
    if (!word) return;
    const picked = [word.dataset.side === "0" ? "ref" : "hyp", Number(word.dataset.index)];
    mark(view, picked);
    setTriggerValue("picked", picked);
  });
  scroll.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n" || event.key === "p") {
      step(view, event.key === "n" ? 1 : -1);
      event.stopPropagation();
      event.preventDefault();
    }
  });
  scroll.addEventListener("scroll", () => drawMap(view), { passive: true });
  canvas.addEventListener("click", (event) => {
    const part = event.offsetY / canvas.clientHeight;
    scroll.scrollTop = part * scroll.scrollHeight - scroll.clientHeight / 2;
  });
  let waiting = 0;
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      drawBands(view);
      drawMap(view);
    });
  });
  observer.observe(view.body);
  return () => observer.disconnect();
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
    say(view, null);
    drawBands(view);
    drawMap(view);
  }
  const event = data.event === undefined ? null : data.event;
  if (view.event !== event) {
    view.event = event;
    bringOut(view);
    if (event !== null) scrollToEvent(view);
  }
  mark(view, data.picked);
}
