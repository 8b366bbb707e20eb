// A picture or a table to take away, one click each. What is written as text comes when it is
// asked for; pictures are taken as they are drawn.

const states = new WeakMap();

// All layers of a chart: Plotly draws several pictures over each other.
function layersOf(key) {
  const place = document.querySelector(`.st-key-${CSS.escape(key)}`);
  return place ? [...place.querySelectorAll("svg.main-svg")] : [];
}

function takePicture(data, kind, behind) {
  const layers = layersOf(data.picture);
  if (!layers.length) return;
  const whole = together(layers, behind);
  if (kind === "svg") saveSvg(whole, data.name);
  else savePng(whole, data.name);
}

const TYPES = { csv: "text/csv", md: "text/markdown", tex: "application/x-tex" };

function show({ payload: data, place: parent, wish }) {
  const before = states.get(parent) || {};
  if (data.file && data.file.number !== before.number) {
    const { kind, text } = data.file;
    saveText(text, `${data.name}.${kind}`, TYPES[kind]);
  }
  states.set(parent, { number: data.file ? data.file.number : before.number });
  const root = rootOf(parent);
  const box = element("div", "frame take");
  const act = (kind) => {
    if (kind === "svg" || kind === "png") {
      takePicture(data, kind, getComputedStyle(box).backgroundColor);
    } else wish("take", kind);
  };
  for (const [kind, label, help] of data.offers) box.append(button("small", label, () => act(kind), help));
  root.replaceChildren(box);
}
