// What the layout costs: one row for each kind of failure and system, the costliest first.

function census(view, send) {
  const { data } = view;
  const box = element("section", "census");
  const head = element("div", "strip-head");
  head.append(element("h2", "", "What does each failure cost?"),
    element("span", "soft", data.census.length ? "points of WER; click narrows the pages" : ""));
  box.append(head);
  if (data.looking) {
    box.append(element("p", "soft", data.looking));
    return box;
  }
  if (!data.census.length) {
    box.append(element("p", "soft", "No failure of the layout was found."));
    return box;
  }
  const most = Math.max(...data.census.map((row) => row.points), 0.001);
  const list = element("div", "list");
  for (const row of data.census) {
    const line = element("div", "failure");
    line.classList.toggle("chosen", row.chosen);
    const pick = button("plain pick", "",
      () => send("kind", row.chosen ? ["", ""] : [row.kind, row.system]),
      `${row.words.toLocaleString("en")} words, ${row.errors.toLocaleString("en")} errors`);
    pick.setAttribute("aria-pressed", String(row.chosen));
    const icon = element("img", "icon");
    icon.src = row.icon;
    icon.alt = "";
    const name = element("span", "kind");
    const of = element("span", "soft");
    of.append(systemMark(row), ` ${isolated(row.shown)} · ${row.pages} page${row.pages === 1 ? "" : "s"}`);
    name.append(element("b", "", row.name), of);
    name.title = row.name;
    const bar = drawn("svg", { class: "cost", viewBox: "0 0 100 12", preserveAspectRatio: "none",
      "aria-hidden": "true" });
    bar.append(drawn("rect", { width: Math.max((100 * row.points) / most, 0.8), height: 12, fill: row.look }));
    pick.append(icon, name, bar, element("span", "points", row.points.toFixed(1)));
    const open = button("plain stamp", "", () => send("page", [row.worst, row.system]),
      "Open the page where it costs most");
    if (row.image) {
      const stamp = element("img");
      stamp.src = row.image;
      stamp.alt = "";
      open.append(stamp);
    } else open.append("›");
    line.append(pick, open);
    list.append(line);
  }
  box.append(list);
  return box;
}
