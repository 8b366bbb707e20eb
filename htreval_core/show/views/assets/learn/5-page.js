// The real page at the end of the story: its image with both paths, and both texts beside it.

function realPicture(lesson, state, isSeen) {
  const { real } = lesson;
  const path = (points, className) => drawn("path", { class: className, d: `M${points.map((point) => point.join(",")).join("L")}` });
  const text = (title, lines, marks) => {
    const box = element("div", "read");
    box.append(element("span", "soft", title));
    for (const line of lines) {
      const made = element("p");
      made.dir = "auto";
      for (const [word, isMoved] of line) {
        made.append(isMoved && marks ? element("mark", "", word) : document.createTextNode(word), " ");
      }
      box.append(made);
    }
    return box;
  };
  const show = (box, at) => {
    const isKnown = at > 2;
    const [width, height] = real.size;
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, class: `sheet ${state.isLarge ? "large" : ""}`, role: "img", "aria-label": "The page, with the path on which it was read" });
    if (real.image) svg.append(drawn("image", { href: real.image, width, height }));
    if (isKnown) {
      for (const n of real.shades) svg.append(drawn("polygon", { class: "shade", points: real.outlines[n].map((point) => point.join(",")).join(" ") }));
    }
    if (at === 1) svg.append(path(real.inOrder, "path"));
    if (at > 1) svg.append(path(real.asRead, "path read-path"));
    const row = element("div", "real");
    row.append(svg, text("reference", real.reference, isKnown), text("output", real.output, isKnown));
    box.replaceChildren(row);
    return ["The page, the reference, and what the machine read.",
      "The path of the reference through the lines.",
      "The path of the machine through the same lines.",
      `${real.said} These words are marked.`][at];
  };
  const acts = () => [[state.isLarge ? "Whole page" : "Larger", "", () => { state.isLarge = !state.isLarge; }]];
  // What it was waits for a guess.
  return { n: isSeen ? 3 : 2, show, acts };
}
