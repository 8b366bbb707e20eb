// What stands beside the texts. Drawn anew when anything changes; it is small.

const shown = new WeakMap();

function show({ payload: data, place, wish }) {
  const text = JSON.stringify({ ...data, page: "" });
  const before = shown.get(place);
  if (before && before.text === text) {
    for (const line of before.frame.querySelectorAll(".change")) {
      line.setAttribute("aria-pressed", String(line.dataset.page === data.page));
    }
    return;
  }
  const root = rootOf(place);
  const frame = element("div", "frame compare");
  const view = { data, frame };
  frame.append(forest(view), changes(view, (page) => wish("page", page)));
  if (data.lines.length) {
    const more = element("details");
    more.append(element("summary", "", "What explains it"), ...data.lines.map((line) => element("p", "", line)));
    frame.append(more);
  }
  root.replaceChildren(frame);
  shown.set(place, { text, frame });
}
