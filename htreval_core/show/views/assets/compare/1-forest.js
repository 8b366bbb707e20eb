// What changes from A to B: metric by metric: the estimate with the interval of the test behind p.

const ROW = 27;
const PLOT = 130;

function forest(view) {
  const { data } = view;
  const box = element("section", "forest");
  const head = element("div", "section-head");
  head.append(element("h2", "", "What changes from A to B"),
    element("span", "soft", "points"),
    button("small", "SVG", () => saveSvg(standAlone(view.plot,
      getComputedStyle(view.frame).backgroundColor), "htreval-differences"), "The plot as a picture"));
  const ends = data.forest.flatMap((row) => [row.at, ...row.interval]).map(Math.abs);
  const reach = Math.max(...ends, 0.5) * 1.12;
  const [left, right] = [50, 165];
  const height = ROW * data.forest.length + 26;
  const width = left + PLOT + right;
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": "Difference of each metric from A to B with its interval" });
  const x = (value) => left + PLOT / 2 + (value / reach) * (PLOT / 2);
  svg.append(drawn("path", { class: "zero", d: `M${x(0)},0V${height - 20}` }));
  data.forest.forEach((row, number) => {
    const y = ROW * number + 15;
    const colour = row.better === null ? "currentColor" : data.systems[row.better].colour;
    const line = drawn("g", { color: colour, class: row.better === null ? "chance" : "real" });
    const alone = row.alone === row.p ? "" : `\ntested alone: ${row.alone}`;
    line.append(drawn("title", {}, `${row.help}\n${row.values}${alone}`));
    if (row.interval.length) {
      const [a, b] = row.interval.map(x);
      line.append(drawn("path", { d: `M${a},${y}H${b}M${a},${y - 4}v8M${b},${y - 4}v8`,
        stroke: "currentColor", fill: "none", "stroke-width": 1.6 }));
    }
    line.append(drawn("rect", { x: x(row.at) - 5, y: y - 5, width: 10, height: 10,
      stroke: "currentColor", "stroke-width": 2,
      fill: row.shown ? "currentColor" : "var(--host-back)" }));
    svg.append(drawn("text", { x: 0, y: y + 4, class: "label" }, row.label), line,
      drawn("text", { x: left + PLOT + 8, y: y + 4, class: "label" }, row.points),
      drawn("text", { x: left + PLOT + 52, y: y + 4, class: "p" }, row.p));
  });
  const foot = height - 6;
  svg.append(drawn("text", { x: x(0) - 8, y: foot, class: "p", "text-anchor": "end" }, "◀ B better"),
    drawn("text", { x: x(0) + 8, y: foot, class: "p" }, "A better ▶"));
  view.plot = svg;
  box.append(head, svg, element("p", "soft", "Filled: significant. Hollow in colour: only a hint. "
    + "Grey: may be chance. WER is the main question; p of the others is corrected for testing several."));
  return box;
}
