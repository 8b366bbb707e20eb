// Between the panes: ribbons from where text stands to where it was read, and the minimap.

function ribbon(a, b, width) {
  const middle = width / 2;
  return (
    `M0,${a[0]} C${middle},${a[0]} ${middle},${b[0]} ${width},${b[0]} ` +
    `L${width},${b[1]} C${middle},${b[1]} ${middle},${a[1]} 0,${a[1]} Z`
  );
}

function meets(start, end, [from, to]) {
  return end > start && start < to && end > from;
}

function drawRibbons(view) {
  const { data, svg, panes } = view;
  const seen = panes.map((pane) => pane.seen());
  const width = svg.clientWidth;
  const height = svg.clientHeight;
  const near = data.bands.filter(
    ([r0, r1, h0, h1]) => meets(r0, r1, seen[0]) || meets(h0, h1, seen[1]),
  );
  // Measure everything before drawing anything: each change would make the next measure wait for
  // a new layout.
  const ends = near.map(([r0, r1, h0, h1]) => [
    r1 > r0 ? panes[0].stretch(r0, r1) : null,
    h1 > h0 ? panes[1].stretch(h0, h1) : null,
  ]);
  const parts = document.createDocumentFragment();
  const numbered = new Set();
  near.forEach(([, , , , event], at) => {
    const [left, right] = ends[at];
    let drawn;
    if (left && right) drawn = shape("band", ribbon(left, right, width));
    else if (left) drawn = shape("alone", `M0,${left[0]} h10 V${left[1]} h-10 Z`);
    else drawn = shape("alone", `M${width},${right[0]} h-10 V${right[1]} h10 Z`);
    parts.append(drawn);
    if (event < 0) return;
    drawn.classList.add("event");
    drawn.classList.toggle("off", view.event !== null && view.event !== event);
    drawn.style.setProperty("--event", data.colours[event]);
    const place = [left, right].find((end) => end && end[1] > 8 && end[0] < height - 8);
    if (place && !numbered.has(event)) {
      numbered.add(event);
      const label = document.createElementNS(SVG, "text");
      label.setAttribute("class", "number");
      label.setAttribute("x", place === left ? 14 : width - 14);
      label.setAttribute("y", Math.min(Math.max((place[0] + place[1]) / 2 + 4, 14), height - 6));
      label.textContent = String(event + 1);
      parts.append(label);
    }
  });
  svg.replaceChildren(parts);
  drawLink(view);
}

// The lines from the words that are pointed at to their mates.
function drawLink(view) {
  if (view.link) view.link.remove();
  view.link = null;
  const [left, right] = view.lit.slice(0, 2).map((words, side) => words.map((word) => {
    const box = word.getBoundingClientRect();
    return (box.top + box.bottom) / 2 - view.panes[side].box.getBoundingClientRect().top;
  }));
  const width = view.svg.clientWidth;
  const middle = width / 2;
  const curves = left.flatMap((y1) => right.map(
    (y2) => `M0,${y1} C${middle},${y1} ${middle},${y2} ${width},${y2}`));
  if (!curves.length) return;
  view.link = shape("link", [...new Set(curves)].join(" "));
  view.svg.append(view.link);
}

// Faults of both sides, made once for each size; the part in sight is moved over it.
function drawMap(view) {
  const { map, data, panes } = view;
  const height = map.clientHeight;
  const ratio = window.devicePixelRatio || 1;
  const canvas = map.firstChild;
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
  panes.forEach((pane, number) => {
    map.children[number + 1].hidden = pane.box.scrollHeight <= pane.box.clientHeight + 2;
  });
  moveMap(view);
}

function moveMap(view) {
  const { map, panes } = view;
  panes.forEach(({ box }, number) => {
    const whole = box.scrollHeight || 1;
    const mark = map.children[number + 1];
    mark.style.top = `${(100 * box.scrollTop) / whole}%`;
    mark.style.height = `${(100 * box.clientHeight) / whole}%`;
  });
}
