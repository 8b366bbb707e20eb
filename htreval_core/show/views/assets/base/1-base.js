// What all views build with. All text arrives as data and is set with textContent.

const SVG = "http://www.w3.org/2000/svg";

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// An element of a picture with its attributes.
function drawn(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function shape(className, path) {
  return drawn("path", { class: className, d: path });
}

// Where a view draws; a host may have things of its own in the same place.
function rootOf(place) {
  let root = place.querySelector(".root");
  if (!root) {
    root = element("div", "root");
    place.append(root);
  }
  return root;
}

function button(className, text, act, help) {
  const made = element("button", className, text);
  made.type = "button";
  if (help) {
    made.title = help;
    if (!text || text.length < 3) made.setAttribute("aria-label", help);
  }
  made.addEventListener("click", act);
  return made;
}

// A field to choose from: pairs of a value and what is shown for it. In a ranking the first few
// are shown and the rest under "more".
function chooser(className, label, options, chosen, act, few = options.length) {
  const made = element("select", className);
  made.setAttribute("aria-label", label);
  const rest = element("optgroup");
  rest.label = "more";
  options.forEach(([value, shown], number) => {
    const option = element("option", "", shown);
    option.value = value;
    option.selected = value === chosen;
    (number < few ? made : rest).append(option);
  });
  if (few < options.length) made.append(rest);
  made.addEventListener("change", () => act(made.value));
  return made;
}

// A text between signs that keep its direction from turning what stands beside it.
function isolated(text) {
  return `\u2068${text}\u2069`;
}

// The signs of systems, told apart without their colour too.
const MARKS = {
  circle: "M5,0A5,5 0 1 1 -5,0A5,5 0 1 1 5,0Z",
  diamond: "M0,-6L6,0L0,6L-6,0Z",
  square: "M-4.5,-4.5H4.5V4.5H-4.5Z",
  "triangle-up": "M0,-5.5L5.5,4.5H-5.5Z",
  cross: "M-2,-5.5H2V-2H5.5V2H2V5.5H-2V2H-5.5V-2H-2Z",
  x: "M-5,-3L-3,-5L0,-2L3,-5L5,-3L2,0L5,3L3,5L0,2L-3,5L-5,3L-2,0Z",
  star: "M0,-6L1.6,-1.9L6,-1.9L2.5,.8L3.7,5L0,2.5L-3.7,5L-2.5,.8L-6,-1.9L-1.6,-1.9Z",
};

function markPath(style) {
  return drawn("path", { d: MARKS[style.symbol] || MARKS.circle, fill: style.colour });
}

function systemMark(style) {
  const svg = drawn("svg", { class: "mark", viewBox: "-7 -7 14 14", "aria-hidden": "true" });
  svg.append(markPath(style));
  return svg;
}
