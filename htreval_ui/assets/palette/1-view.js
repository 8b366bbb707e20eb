// A box over the page: names are found here, texts by Python. Arrows move, Enter goes, Escape closes.

const views = new WeakMap();
const SHOWN = 8;
const NAMES = { view: "view", system: "system", kind: "fault", page: "page" };
const TWICE = 700;

function build(root) {
  const view = { data: null, send: null, at: 0, asked: "" };
  view.opener = button("small opener", "search", () => open(view), "A text, a page, a view, a system, a fault: Ctrl-K");
  view.box = element("dialog", "palette");
  view.box.setAttribute("aria-label", "Search");
  view.input = element("input");
  view.input.type = "text";
  view.input.placeholder = "Find a text, or go to a page, view, system, fault";
  view.input.setAttribute("aria-label", view.input.placeholder);
  view.input.setAttribute("role", "combobox");
  view.input.setAttribute("aria-expanded", "true");
  view.input.setAttribute("aria-controls", "palette-list");
  view.says = element("p", "soft");
  view.says.setAttribute("role", "status");
  view.list = element("div", "options");
  view.list.id = "palette-list";
  view.list.setAttribute("role", "listbox");
  view.list.setAttribute("aria-label", "What was found");
  view.box.append(view.input, view.says, view.list);
  view.box.addEventListener("click", (event) => { if (event.target === view.box) view.box.close(); });
  view.input.addEventListener("input", () => { view.at = 0; draw(view); });
  view.input.addEventListener("keydown", (event) => onKey(view, event));
  root.append(view.opener, view.box);
  return view;
}

function open(view) {
  if (view.box.open) return;
  view.box.showModal();
  view.input.select();
  draw(view);
}

function onKey(view, event) {
  const options = [...view.list.children];
  event.stopPropagation();
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    view.at = Math.min(Math.max(view.at + (event.key === "ArrowDown" ? 1 : -1), 0), options.length - 1);
    mark(view);
  } else if (event.key === "Enter" && options[view.at]) options[view.at].click();
  else return;
  event.preventDefault();
}

function mark(view) {
  [...view.list.children].forEach((one, number) => {
    const isChosen = number === view.at;
    one.setAttribute("aria-selected", String(isChosen));
    if (isChosen) {
      view.input.setAttribute("aria-activedescendant", one.id);
      one.scrollIntoView({ block: "nearest" });
    }
  });
}

function option(view, what, values, closes = true) {
  const one = element("div", "option");
  one.setAttribute("role", "option");
  one.addEventListener("click", () => {
    if (closes) view.box.close();
    view.send(what, values);
  });
  return one;
}

function draw(view) {
  const { places, found } = view.data;
  const wanted = view.input.value.trim();
  const isFound = Boolean(found) && found.wanted === wanted;
  const part = wanted.toLocaleLowerCase();
  const options = [];
  for (const [what, value, shown] of places) {
    if (options.length < SHOWN && shown.toLocaleLowerCase().includes(part)) {
      const one = option(view, what, [value]);
      one.append(element("span", "soft", NAMES[what]), element("b", "", isolated(shown)));
      options.push(one);
    }
  }
  const hits = isFound ? found.hits.map((hit) => {
    const one = option(view, "hit", [hit.page, hit.system, hit.word]);
    const text = element("span", "context");
    const [before, itself, after] = hit.parts;
    text.append(isolated(before), element("mark", "", itself), isolated(after));
    one.append(element("span", "soft", hit.where), text);
    return one;
  }) : [];
  if (wanted && !isFound) {
    const find = option(view, "find", [wanted], false);
    find.append(element("span", "soft", "texts"), element("b", "", `Find “${wanted}” in all texts`));
    find.addEventListener("click", () => {
      view.says.textContent = "Looking through the texts …";
    });
    options.push(find);
  }
  view.says.textContent = isFound ? found.told : "";
  view.list.replaceChildren(...hits, ...options);
  [...view.list.children].forEach((one, number) => { one.id = `palette-${number}`; });
  view.at = Math.min(view.at, Math.max(view.list.children.length - 1, 0));
  mark(view);
}

function listen(view) {
  const leave = new AbortController();
  let last = 0;
  document.addEventListener("keydown", (event) => {
    if (!view.opener.isConnected) return;
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
    const [target] = event.composedPath();
    const types = target.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.value);
    const isTwice = isSlash && !types && event.timeStamp - last < TWICE;
    if (isSlash) last = isTwice ? 0 : event.timeStamp;
    if (!isTwice && !(event.key === "k" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    event.stopPropagation();
    open(view);
  }, { capture: true, signal: leave.signal });
  return () => leave.abort();
}

function show({ payload: data, place, wish }) {
  let view = views.get(place);
  if (!view) {
    const root = rootOf(place);
    root.classList.add("frame");
    view = build(root);
    views.set(place, view);
    view.stop = listen(view);
  }
  view.data = data;
  view.send = wish;
  if (view.box.open) draw(view);
  return () => setTimeout(() => view.opener.isConnected || view.stop(), 0);
}
