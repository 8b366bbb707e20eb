// What stands beside the texts. Drawn anew when anything changes; it is small.

const shown = new WeakMap();

function show({ payload: data, place, wish }) {
  const text = JSON.stringify({ ...data, page: "" });
  const before = shown.get(place);
  if (before && before.text === text) {
    before.data.page = data.page;
    mark(before.frame, data.page);
    return;
  }
  const root = rootOf(place);
  const frame = element("div", "frame compare");
  const view = { data, frame };
  const send = (page) => wish("page", page);
  frame.append(forest(view), changes(view, send), dots(view, send));
  if (data.lines.length) {
    const more = element("details");
    more.append(element("summary", "", "What explains it"), ...data.lines.map((line) => element("p", "", line)));
    frame.append(more);
  }
  mark(frame, data.page);
  root.replaceChildren(frame);
  shown.set(place, { text, frame, data });
}

function mark(frame, page) {
  for (const line of frame.querySelectorAll(".change")) {
    line.setAttribute("aria-pressed", String(line.dataset.page === page));
  }
  for (const dot of frame.querySelectorAll(".dot")) {
    dot.classList.toggle("chosen", dot.dataset.page === page);
  }
}
