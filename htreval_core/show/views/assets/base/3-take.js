// Taking away: texts to the clipboard or as files, pictures as SVG and PNG.

function save(blob, name) {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function saveText(text, name, type) {
  save(new Blob([text], { type }), name);
}

const STYLED = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity",
  "stroke-linecap", "stroke-linejoin", "opacity", "font-family", "font-size", "font-weight",
  "font-style", "text-anchor", "dominant-baseline", "letter-spacing", "visibility", "display",
  "paint-order", "vector-effect", "r",
];

// A picture as it is drawn now: what a style sheet gave it becomes its own.
function standAlone(svg, behind) {
  const copy = svg.cloneNode(true);
  const originals = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, at) => {
    const look = getComputedStyle(originals[at]);
    for (const name of STYLED) {
      const value = look.getPropertyValue(name);
      if (value) node.style.setProperty(name, value);
    }
    node.removeAttribute("class");
  });
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute("xmlns", SVG);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  if (!copy.getAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  if (behind) {
    const [x, y, w, h] = copy.getAttribute("viewBox").split(/[ ,]+/).map(Number);
    copy.prepend(drawn("rect", { x, y, width: w, height: h, fill: behind }));
  }
  return copy;
}

// Several pictures, which lie over each other on the screen, as one.
function together(pictures, behind) {
  const [first] = pictures;
  const { left, top, width, height } = first.getBoundingClientRect();
  const whole = drawn("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  if (behind) whole.append(drawn("rect", { width, height, fill: behind }));
  for (const picture of pictures) {
    const box = picture.getBoundingClientRect();
    const copy = standAlone(picture);
    copy.setAttribute("x", box.left - left);
    copy.setAttribute("y", box.top - top);
    whole.append(copy);
  }
  return whole;
}

function svgText(svg) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
}

function saveSvg(svg, name) {
  saveText(svgText(svg), `${name}.svg`, "image/svg+xml");
}

// Twice as large as on the screen, for print.
function savePng(svg, name, scale = 2) {
  const image = new Image();
  image.onload = () => {
    const canvas = element("canvas");
    canvas.width = image.width * scale;
    canvas.height = image.height * scale;
    const paint = canvas.getContext("2d");
    paint.scale(scale, scale);
    paint.drawImage(image, 0, 0);
    canvas.toBlob((blob) => save(blob, `${name}.png`), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
}
