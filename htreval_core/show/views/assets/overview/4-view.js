// The Overview's first screen. Drawn anew when anything changes; it is small.

const shown = new WeakMap();

function show({ payload: data, place, wish: send, takes }) {
  const text = JSON.stringify(data);
  if (shown.get(place) === text) return;
  shown.set(place, text);
  const root = rootOf(place);
  const view = { data, takes, room: (place.host ?? place).clientWidth || window.innerWidth };
  const frame = element("div", "frame overview");
  const bar = element("div", "table-head");
  const left = element("span", "soft", data.pages);
  bar.append(left, takeAway(data));
  if (data.doubt && takes("doubt")) left.after(withoutDoubt(data, send));
  const wide = element("div", "wide");
  wide.append(table(view, send));
  frame.append(answer(view, send), bar, wide, legend(data), strip(view, send), census(view, send));
  root.replaceChildren(frame);
}

// Who is best, why it is not better, and what its text can be used for; the rest folded away.
function answer(view, send) {
  const { data } = view;
  const said = element("div", "said");
  for (const line of data.warnings) said.append(element("p", "warned", line));
  said.append(element("h1", "", data.head));
  if (data.cause) said.append(element("p", "", data.cause));
  for (const [system, name, told] of data.catastrophes) {
    const line = element("p", "catastrophe");
    const text = `${isolated(name)}: ${told}`;
    line.append(view.takes("catastrophe")
      ? button("plain", text, () => send("catastrophe", [system]), "Show these pages first") : text);
    said.append(line);
  }
  const row = element("div", "uses");
  if (data.uses.length) row.append(element("span", "soft", "good enough for"));
  for (const [name, state, short, told] of data.uses) row.append(use(name, state, short, told));
  if (data.uses.length && view.takes("send")) row.append(button("small", "What to send back", () => send("send", [data.best]),
    "Pages over a limit, missing or in doubt, and a letter about them"));
  said.append(row);
  if (data.policy) said.append(element("p", "soft", data.policy));
  if (data.notes.length) {
    const more = element("details", "notes");
    const n = data.notes.length;
    more.append(element("summary", "soft", `${n} ${n === 1 ? "note" : "notes"} on these figures`));
    for (const line of data.notes) more.append(element("p", "", line));
    said.append(more);
  }
  return said;
}

const SIGNS = { yes: "✓", no: "×", open: "?" };
const IN_WORDS = { yes: "good enough", no: "not good enough", open: "not certain" };

function use(name, state, short, told) {
  const chip = element("span", `use ${state}`, `${name} ${SIGNS[state]} `);
  chip.append(element("span", "soft", short));
  chip.title = `${IN_WORDS[state]}: ${told}`;
  chip.tabIndex = 0;
  chip.setAttribute("role", "note");
  chip.setAttribute("aria-label", `${name}: ${chip.title}`);
  return chip;
}

function withoutDoubt(data, send) {
  const [n, isOut] = data.doubt;
  const label = isOut ? "with pages in doubt" : `without ${n} ${n === 1 ? "page" : "pages"} in doubt`;
  const one = button("small", label, () => send("doubt", []),
    "Pages whose reference may itself be out of order");
  one.setAttribute("aria-pressed", String(isOut));
  return one;
}
