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
  other.expected = Math.round(Math.min(Math.max(top, 0), Math.max(most, 0)));
  other.box.scrollTop = other.expected;
}

// Whether a pane was scrolled by its user, not by us to follow another.
function byUser(pane) {
  const ours = Math.abs(pane.box.scrollTop - pane.expected) < 2;
  pane.expected = -10;
  return !ours;
}

// At most once a frame.
function redraw(view) {
  if (view.waiting) return;
  view.waiting = requestAnimationFrame(() => {
    view.waiting = 0;
    drawRibbons(view);
    moveMap(view);
    view.moved();
  });
}

// Lines get their true height when they come into sight, which moves what was to be seen: it is
// brought again until it stays.
function bring(view, side, index, mate = null, tries = 6) {
  const [pane, other] = [view.panes[side], view.panes[1 - side]];
  pane.bring(index);
  if (view.lines) view.lines.bring(side, index);
  if (mate === null) follow(view, side);
  else {
    // What was read elsewhere stands elsewhere: each pane shows its own end.
    other.bring(mate);
    for (const one of [pane, other]) one.expected = one.box.scrollTop;
  }
  redraw(view);
  if (tries > 0) {
    view.bringing = index;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (view.bringing === index && view.frame.isConnected) bring(view, side, index, mate, tries - 1);
    }));
  }
}

// From one of the stops [place, side, word] to the next, and its place among them.
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
