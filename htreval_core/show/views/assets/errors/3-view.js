// The Errors view put together. The filter stays while the rest is drawn anew, so that one may type.

const views = new WeakMap();
const TABS = [["", "Characters"], ["words", "Words"], ["lines", "Lines"]];
const WAIT = 350;

function build(parent) {
  const view = { frame: element("div", "frame errors") };
  const root = rootOf(parent);
  view.tabs = element("div", "bar tabs");
  view.tabs.setAttribute("role", "group");
  view.tabs.setAttribute("aria-label", "What is shown");
  view.field = element("input");
  view.field.type = "search";
  view.field.placeholder = "rn→m, or a word";
  view.field.setAttribute("aria-label", "Filter: characters or a word read as others, rn→m or rn->m; or a part of a word");
  view.count = element("span", "soft");
  view.count.setAttribute("role", "status");
  view.choices = element("span", "bar choices");
  view.choices.title = "Each word with its counterpart in the matching. The Overview counts by bags of words, where one word makes up for another, so its figures differ.";
  view.filter = element("div", "bar filter");
  view.filter.append(view.field, view.choices, view.count);
  view.body = element("div", "body");
  const top = element("div", "bar top");
  top.append(view.tabs, view.filter);
  view.frame.append(top, view.body);
  root.replaceChildren(view.frame);
  const find = () => view.field.value !== view.data.find && view.show({ find: view.field.value });
  view.field.addEventListener("input", () => {
    clearTimeout(view.waiting);
    view.waiting = setTimeout(find, WAIT);
  });
  view.field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") find();
  });
  return view;
}

function choice(view, name, options) {
  return options.map(([value, label]) => {
    const one = button("small", label, () => view.show({ [name]: value }));
    one.setAttribute("aria-pressed", String(view.data[name] === value));
    return one;
  });
}

function kindNames({ systems }) {
  const [a, b] = systems.map((one) => isolated(one.name));
  return { misread: "misread", "left-out": "no counterpart", divided: "divided or joined",
    a: `only ${a} right`, b: `only ${b} right`, both: "both wrong" };
}

function draw(view) {
  const { data } = view;
  view.tabs.replaceChildren(...choice(view, "tab", TABS));
  view.filter.hidden = data.tab === "lines";
  if (data.tab === "lines") {
    view.body.className = "body strips";
    if (!data.lines) {
      view.body.replaceChildren(button("small", "Find the lines with most errors",
        () => view.send("find lines", "")));
      return;
    }
    view.body.replaceChildren(element("p", "soft", "Words misread, left out or added on a line; text "
      + "that stands elsewhere is not an error here. A click opens the line on its page."),
    ...data.lines.map((one, at) => strip(one, at, view)), ...more(view, data.lines.length));
    return;
  }
  if (document.activeElement !== view.field && view.frame.getRootNode().activeElement !== view.field) {
    view.field.value = data.find;
  }
  const names = kindNames(data);
  view.choices.replaceChildren(
    ...choice(view, "which", [["", "all"],
      ...data.kinds.map(([kind, n]) => [kind, `${names[kind]} ${n.toLocaleString("en")}`])]),
    ...choice(view, "sort", [["", "by page"], ["often", "commonest first"]]));
  view.count.textContent = data.total
    ? `${data.total.toLocaleString("en")} word${data.total > 1 ? "s" : ""} on ${data.pages} page${data.pages > 1 ? "s" : ""}`
    : "no error matches; rn→m finds rn read as m, e→ an e left out, →e an e added";
  const left = element("div", "left");
  if (data.matrix) left.append(matrix(data.matrix, view));
  if (data.words) left.append(wordList(data.words, view));
  const sheet = element("div", "sheet");
  sheet.tabIndex = 0;
  sheet.setAttribute("role", "region");
  sheet.setAttribute("aria-label", "Words as they stand on the page, with what was read");
  sheet.append(...data.tiles.map((one) => tile(one, view)), ...more(view, data.tiles.length));
  view.body.className = "body halves";
  view.body.replaceChildren(left, sheet);
}

function show({ payload: data, place, wish }) {
  let view = views.get(place);
  if (!view || !view.frame.isConnected) {
    view = build(place);
    views.set(place, view);
  }
  const text = JSON.stringify(data);
  if (view.drawn === text) return;
  const before = view.data;
  Object.assign(view, { data, drawn: text });
  view.send = wish;
  view.show = (change) => {
    clearTimeout(view.waiting);
    const { tab = "", find = "", which = "", sort = "" } = view.data;
    view.send("show", { tab, find, which, sort, ...change });
  };
  const scrolled = before && [".wide, .list", ".sheet"].map((one) => view.body.querySelector(one)?.scrollTop);
  const focused = view.frame.getRootNode().activeElement?.getAttribute("aria-label");
  draw(view);
  if (!before) return;
  // What was scrolled stays where it was, and the focus with the cell that was chosen.
  const [left, sheet] = [".wide, .list", ".sheet"].map((one) => view.body.querySelector(one));
  if (left) left.scrollTop = scrolled[0] || 0;
  const isSame = ["find", "which", "sort", "tab"].every((one) => before[one] === data[one]);
  if (sheet && isSame) sheet.scrollTop = scrolled[1] || 0;
  if (focused) [...view.frame.querySelectorAll("[aria-label]")].find((one) => one.getAttribute("aria-label") === focused)?.focus();
}
