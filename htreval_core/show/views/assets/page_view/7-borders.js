// Borders between the panes that can be dragged, and the sheet of keys.

const PLACE = "htreval.borders";
const LEAST = 15;
const MOST = 70;
// The share of the image, and that of the reference in what is left for both texts, in percent.
const BORDERS = [["image", "Image and texts", 30], ["reference", "Reference and output", 50]];

function keptBorders() {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE)) || {};
  } catch {
    return {};
  }
}

function setBorder(view, name, share) {
  const value = Math.min(Math.max(Math.round(share), LEAST), MOST);
  const border = view.borders[name];
  border.setAttribute("aria-valuenow", value);
  const kept = { ...keptBorders(), [name]: value };
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(kept));
  } catch {
    // Where the browser keeps nothing, it is so wide until the next page.
  }
  if (name === "image") view.frame.style.setProperty("--image", `${value}%`);
  else {
    view.frame.style.setProperty("--ref", `${value}fr`);
    view.frame.style.setProperty("--hyp", `${100 - value}fr`);
  }
}

function makeBorders(view, gutter) {
  view.borders = {};
  for (const [name, label, usual] of BORDERS) {
    const border = element("div", `border border-${name}`);
    border.tabIndex = 0;
    for (const [key, value] of Object.entries({
      role: "separator", "aria-orientation": "vertical", "aria-label": label,
      "aria-valuemin": LEAST, "aria-valuemax": MOST, "aria-valuenow": usual,
    })) border.setAttribute(key, value);
    view.borders[name] = border;
    (name === "image" ? view.stage : gutter).append(border);
    const kept = Number(keptBorders()[name]);
    if (kept) setBorder(view, name, kept);
    const now = () => Number(border.getAttribute("aria-valuenow"));
    border.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
      if (event.key === "Home" || event.key === "End") setBorder(view, name, event.key === "Home" ? LEAST : MOST);
      else if (step) setBorder(view, name, now() + step);
      else return;
      event.preventDefault();
    });
    border.addEventListener("dblclick", () => setBorder(view, name, usual));
    border.addEventListener("pointerdown", (event) => border.setPointerCapture(event.pointerId));
    border.addEventListener("pointermove", (event) => {
      if (!border.hasPointerCapture(event.pointerId)) return;
      const [first, last] = name === "image" ? [view.stage, view.stage] : view.panes.map(({ box }) => box);
      const left = first.getBoundingClientRect().left;
      setBorder(view, name, (100 * (event.clientX - left)) / (last.getBoundingClientRect().right - left));
    });
  }
}

function placeBorders(view) {
  const { offsetLeft, offsetWidth } = view.place;
  view.borders.image.style.left = `${offsetLeft + offsetWidth - 4}px`;
}

const KEYS = [
  ["n p", "next, previous"], ["[ ]", "previous, next page"], ["r", "put right, one by one"],
  ["m", "matched anywhere, strictly in order"], ["v", "side by side, lines"], ["/", "find words"],
  ["l b w", "mark: looked at, send back, reference wrong; with Shift the line"], ["t", "write a remark"],
  ["u", "next page not looked at"],
  ["h", "hide everything but the page"], ["+ − 0", "on the image: larger, smaller, whole"],
  ["← → ↑ ↓", "on the image: move it; on a border between panes: drag it"], ["?", "show these keys"],
  ["Esc", "close"],
];

function keySheet(view) {
  const dialog = element("dialog", "key-sheet");
  dialog.setAttribute("aria-label", "Keys");
  const list = element("dl");
  // An audit has nothing to mark or to put right, and not every host keeps marks.
  const isThere = (key) => (view.takes("mark") || !/^[ltu]/.test(key)) && (!view.data.labels || !/^[lrtu]/.test(key));
  for (const [keys, text] of KEYS.filter(([key]) => isThere(key))) {
    const names = element("dt");
    for (const key of keys.split(" ")) names.append(element("kbd", "", key), " ");
    list.append(names, element("dd", "", keys === "n p" ? `${text} ${labels(view).step}` : text));
  }
  dialog.append(element("h2", "", "Keys"), list, button("small", "Close", () => dialog.close()));
  return dialog;
}
