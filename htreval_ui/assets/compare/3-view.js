// What stands beside the texts. Drawn anew when anything changes; it is small.

const shown = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const text = JSON.stringify({ ...data, page: "" });
  const before = shown.get(parentElement);
  if (before && before.text === text) {
    for (const line of before.frame.querySelectorAll(".change")) {
      line.setAttribute("aria-pressed", String(line.dataset.page === data.page));
    }
    return;
  }
  let root = parentElement.querySelector(".root");
  if (!root) {
    root = element("div", "root");
    parentElement.append(root);
  }
  const frame = element("div", "frame compare");
  const view = { data, frame };
  frame.append(forest(view), changes(view, (page) => setTriggerValue("page", page)));
  if (data.lines.length) {
    const more = element("details");
    more.append(element("summary", "", "What explains it"), ...data.lines.map((line) => element("p", "", line)));
    frame.append(more);
  }
  root.replaceChildren(frame);
  shown.set(parentElement, { text, frame });
}
