// WER as a bar of its parts: misread, divided or joined, out of order, chance, reference in doubt; each
// has a colour and a hatching of its own.

let hatchings = 0;

// Defines the hatchings of a picture and returns how each part is filled there.
function partFills(svg, parts) {
  hatchings += 1;
  const defs = drawn("defs", {});
  const fills = parts.map(({ colour, pattern }, number) => {
    if (!pattern) return colour;
    const id = `hatch-${hatchings}-${number}`;
    const tile = drawn("pattern", {
      id, width: 6, height: 6, patternUnits: "userSpaceOnUse",
      patternTransform: pattern === "\\" ? "rotate(-45)" : pattern === "/" ? "rotate(45)" : "",
    });
    tile.append(drawn("rect", { width: 6, height: 6, fill: colour }));
    const light = { fill: "none", stroke: "#ffffff", "stroke-opacity": 0.5, "stroke-width": 2 };
    if (pattern === ".") tile.append(drawn("circle", { cx: 3, cy: 3, r: 1, fill: "#ffffff" }));
    else if (pattern === "x") tile.append(drawn("path", { d: "M0,0L6,6M6,0L0,6", ...light }));
    else tile.append(drawn("path", { d: "M0,3H6", ...light }));
    defs.append(tile);
    return `url(#${id})`;
  });
  svg.append(defs);
  return fills;
}

// One bar from left to right; the whole of `most` would fill `width`.
function partBar(svg, fills, parts, { x = 0, y = 0, width, height, most }) {
  let at = x;
  parts.forEach((value, number) => {
    const length = most > 0 ? (value / most) * width : 0;
    if (length <= 0) return;
    svg.append(drawn("rect", {
      x: at.toFixed(2), y, width: length.toFixed(2), height, fill: fills[number],
    }));
    at += length;
  });
  return at;
}
