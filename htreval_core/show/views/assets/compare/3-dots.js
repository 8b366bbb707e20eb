// Every page as a dot: its WER under A to the right, under B upward. Below the diagonal B is better.

const [EDGE, SIDE] = [34, 210];

function dots(view, send) {
  const { data } = view;
  const box = element("section", "dots");
  const head = element("div", "section-head");
  const most = Math.max(1, ...data.dots.flatMap(([, , a, b]) => [a, b]));
  const x = (value) => EDGE + (value / most) * SIDE;
  const y = (value) => 8 + SIDE - (value / most) * SIDE;
  const svg = drawn("svg", { viewBox: `0 0 ${EDGE + SIDE + 10} ${SIDE + 44}`, role: "img",
    "aria-label": "WER of each page under A against that under B; below the diagonal B is better" });
  head.append(element("h2", "", "Page by page"), element("span", "soft", "WER, %"),
    button("small", "SVG", () => saveSvg(standAlone(svg, getComputedStyle(view.frame).backgroundColor),
      "htreval-pages"), "The dots as a picture"));
  svg.append(drawn("path", { class: "zero", d: `M${x(0)},${y(0)}L${x(most)},${y(most)}`, "stroke-dasharray": "3 3" }),
    drawn("path", { class: "zero", fill: "none", d: `M${x(0)},${y(most)}V${y(0)}H${x(most)}` }));
  const flips = new Set(data.flips.map(([page]) => page));
  for (const [page, shown, a, b] of [...data.dots].reverse()) {
    const better = a === b ? null : Number(b < a);
    const dot = drawn("g", { class: "dot", "data-page": page, transform: `translate(${x(a)},${y(b)})` });
    // Never by colour alone: the mark of the system that is better, a cross where neither is.
    const mark = better === null ? drawn("path", { d: "M-4,-4l8,8m0,-8l-8,8", stroke: "currentColor" })
      : markPath(data.systems[better]);
    dot.append(mark);
    if (flips.has(page)) dot.append(drawn("circle", { r: 9, fill: "none", stroke: "currentColor" }));
    dot.append(drawn("title", {}, `${shown}\nA ${a.toFixed(1)}, B ${b.toFixed(1)}`));
    dot.addEventListener("click", () => send(page));
    svg.append(dot);
  }
  const foot = SIDE + 22;
  const ends = { class: "p", "text-anchor": "end" };
  svg.append(drawn("text", { x: x(0), y: foot, class: "p" }, "0"),
    drawn("text", { ...ends, x: x(most), y: foot }, most.toFixed(0)),
    drawn("text", { ...ends, x: EDGE - 4, y: y(most) + 8 }, most.toFixed(0)),
    drawn("text", { x: x(most / 2), y: foot + 8, class: "label", "text-anchor": "middle" }, "A"),
    drawn("text", { x: 12, y: y(most / 2), class: "label", "text-anchor": "middle" }, "B"));
  const ringed = flips.size ? " Ringed: WER and bWER disagree." : "";
  box.append(head, svg, element("p", "soft", `Below the line B is better.${ringed} Click a page to see it.`));
  return box;
}
