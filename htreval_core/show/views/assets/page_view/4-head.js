// The line above the page: which page, under which system, what its errors come from.

function systemPill(view, one, most, send) {
  const pill = button("small pill", "", () => send("system", one.name), one.says);
  pill.setAttribute("aria-pressed", String(one.chosen));
  pill.disabled = !one.has;
  const svg = drawn("svg", { class: "mini", viewBox: "0 0 60 10", "aria-hidden": "true" });
  partBar(svg, partFills(svg, view.data.head.parts), one.parts, { width: 60, height: 10, most });
  pill.append(systemMark(one), element("span", "name", isolated(one.shown)), svg,
    element("span", "", one.wer));
  return pill;
}

function drawHead(view, send) {
  const { head } = view.data;
  const at = head.pages.findIndex(([id]) => id === view.data.page);
  const title = element("h1", "hidden", `Page ${isolated(head.pages[at][1])}`);
  const walks = view.takes("page");
  const walk = element("div", "walk");
  const back = button("small", "‹", () => send("step", -1), "Previous page; key [");
  const forth = button("small", "›", () => send("step", 1), "Next page; key ]");
  back.disabled = head.place === 0;
  forth.disabled = head.place === head.total - 1;
  if (!walks) walk.append(element("b", "page-name", isolated(head.pages[at][1])));
  else walk.append(back, chooser("page-name", "Page", head.pages, head.pages[at][0], (id) => send("page", id)),
    forth, element("span", "soft", `${head.place + 1} of ${head.total} by`),
    chooser("soft", "Ranked by", head.ranks, head.rank, (by) => send("rank", by), 4));
  const systems = element("div", "systems");
  const most = Math.max(...head.systems.map((one) => one.parts.reduce((a, b) => a + b, 0)), 0);
  if (head.systems.length > 6) {
    systems.append(chooser("small", "System",
      head.systems.filter((one) => one.has).map((one) => [one.name, `${one.shown}  ${one.wer}`]),
      head.systems.find((one) => one.chosen).name, (name) => send("system", name)));
  } else systems.append(...head.systems.map((one) => systemPill(view, one, most, send)));
  const sum = element("div", "sum");
  sum.title = head.verdict;
  sum.append(element("b", "", head.wer), head.sum);
  const right = element("div", "right");
  if (head.repair) {
    const put = button("small", head.repair, () => send("repair", "all"),
      "Put all text back in its place; your files stay as they are");
    put.setAttribute("aria-pressed", String(head.repaired));
    right.append(put);
  }
  right.append(sum);
  view.head.replaceChildren(title, walk, systems, right);
  view.notes.replaceChildren(...head.notes.map((text) => element("p", "note", text)));
  view.foot.figures.replaceChildren(...head.figures.map(([label, value, help]) => {
    const entry = element("span", "figure", `${label} `);
    entry.title = help;
    entry.append(element("b", "", value));
    return entry;
  }));
  for (const one of view.foot.views.children) {
    one.setAttribute("aria-pressed", String(one.dataset.view === view.data.view));
  }
}
