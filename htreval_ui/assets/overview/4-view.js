// The Overview's first screen. Drawn anew when anything changes; it is small.

const shown = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const text = JSON.stringify(data);
  if (shown.get(parentElement) === text) return;
  shown.set(parentElement, text);
  const send = (what, values) => setTriggerValue("asked", [what, values]);
  let root = parentElement.querySelector(".root");
  if (!root) {
    root = element("div", "root");
    parentElement.append(root);
  }
  const view = { data };
  const frame = element("div", "frame overview");
  const said = element("div", "said");
  said.append(element("h1", "", data.head));
  for (const line of data.lines) said.append(element("p", "", line));
  for (const [system, name, told] of data.catastrophes) {
    const line = element("p", "catastrophe");
    line.append(button("plain", `${isolated(name)}: ${told}`, () => send("catastrophe", [system]),
      "Show these pages first"));
    said.append(line);
  }
  const bar = element("div", "table-head");
  bar.append(element("span", "soft", data.pages), takeAway(data));
  const wide = element("div", "wide");
  wide.append(table(view, send));
  const halves = element("div", "halves");
  halves.append(strip(view, send), census(view, send));
  frame.append(said, bar, wide, legend(data), halves);
  root.replaceChildren(frame);
}
