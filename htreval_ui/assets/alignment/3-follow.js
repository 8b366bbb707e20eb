// Both panes move together: what kept its order stays side by side, however long the page.

// A word of one side, as a fraction may be of one, on the other side.
function across(view, index, side) {
  const { anchors } = view.data;
  const last = view.data.sides.map((one) => one.kinds.length);
  const points = [[0, 0], ...anchors, last];
  const at = lastAtMost(points.length - 1, (n) => points[n][side], index);
  const [a, b] = [points[at], points[at + 1] || last];
  const length = b[side] - a[side];
  const part = length > 0 ? Math.min((index - a[side]) / length, 1) : 0;
  return a[1 - side] + part * (b[1 - side] - a[1 - side]);
}

function follow(view, side) {
  const box = view.panes[side].box;
  const other = view.panes[1 - side];
  // The eye's line runs from the top of the window at the start to its bottom at the end, so that
  // both ends can be reached on both sides.
  const room = box.scrollHeight - box.clientHeight;
  const part = room > 0 ? box.scrollTop / room : 0;
  const index = view.panes[side].indexAt(box.scrollTop + part * box.clientHeight);
  const top = other.yOf(across(view, index, side)) - part * other.box.clientHeight;
  const most = other.box.scrollHeight - other.box.clientHeight;
  view.expected[1 - side] = Math.round(Math.min(Math.max(top, 0), Math.max(most, 0)));
  other.box.scrollTop = view.expected[1 - side];
}

function scrolled(view, side) {
  const ours = Math.abs(view.panes[side].box.scrollTop - view.expected[side]) < 2;
  view.expected[side] = -10;
  if (!ours) follow(view, side);
  redraw(view);
}

// At most once a frame.
function redraw(view) {
  if (view.waiting) return;
  view.waiting = requestAnimationFrame(() => {
    view.waiting = 0;
    drawRibbons(view);
    moveMap(view);
  });
}

function bring(view, side, index) {
  view.panes[side].bring(index);
  follow(view, side);
  redraw(view);
}

// One stop a fault: a misread word once, not on both sides; words that moved together once.
function faults(view) {
  const [ref, hyp] = view.data.sides;
  const stops = [];
  ref.kinds.forEach((kind, index) => {
    const isSame = kind === MOVED && ref.kinds[index - 1] === MOVED
      && ref.mates[index - 1] === ref.mates[index] - 1;
    if (kind && !isSame) stops.push([index, 0, index]);
  });
  hyp.kinds.forEach((kind, index) => {
    if (kind && hyp.mates[index] < 0) stops.push([across(view, index, 1), 1, index]);
  });
  return stops.sort((a, b) => a[0] - b[0]);
}

function step(view, stops, direction) {
  if (!stops.length) return;
  const here = view.cursor;
  let at = here ? stops.findIndex(([, side, index]) => side === here[0] && index === here[1]) : -1;
  if (at < 0 && here) {
    // The cursor stands on a stop of another kind: go on from its place.
    const place = here[0] ? across(view, here[1], 1) : here[1];
    at = stops.filter(([of]) => of <= place).length - (direction > 0 ? 1 : 0);
  } else if (at < 0 && direction < 0) at = stops.length;
  const next = stops[Math.min(Math.max(at + direction, 0), stops.length - 1)];
  view.cursor = [next[1], next[2]];
  bring(view, next[1], next[2]);
  light(view, view.panes[next[1]].word(next[2]));
  return stops.indexOf(next);
}

// Words of the lines that a regular expression finds.
function search(view, text) {
  const { box, count } = view.finder;
  view.hits = [null, null];
  view.found = [];
  count.textContent = "";
  box.classList.remove("wrong");
  let wanted = null;
  try {
    wanted = text ? new RegExp(text, "giu") : null;
  } catch {
    box.classList.add("wrong");
    count.textContent = "no valid expression";
  }
  if (wanted) {
    view.panes.forEach((pane, side) => {
      const hits = new Set();
      for (const line of pane.lines) {
        const whole = line.texts.join(" ");
        const starts = [];
        line.texts.reduce((at, word) => (starts.push(at), at + word.length + 1), 0);
        for (const match of whole.matchAll(wanted)) {
          if (!match[0]) continue;
          const from = lastAtMost(starts.length, (n) => starts[n], match.index);
          const to = lastAtMost(starts.length, (n) => starts[n], match.index + match[0].length - 1);
          for (let n = from; n <= to; n += 1) hits.add(line.first + n);
          const index = line.first + from;
          view.found.push([side ? across(view, index, 1) : index, side, index]);
        }
      }
      view.hits[side] = hits;
    });
    view.found.sort((a, b) => a[0] - b[0]);
    count.textContent = view.found.length ? `${view.found.length} found, Enter goes on` : "none";
  }
  for (const pane of view.panes) for (const line of pane.lines) pane.dress(line);
}
