// What faults cost: one row for each kind, the costliest first, with a mark for each system.

const FIRST = 6;

function census(view, send) {
  const { data } = view;
  const box = element("section", "census");
  const head = element("div", "strip-head");
  head.append(element("h2", "", "What does each fault cost?"),
    element("span", "soft", data.census.length ? `points of WER; a click ${view.takes("kind") ? "narrows the pages" : "opens the worst page"}` : ""));
  box.append(head);
  if (data.looking) {
    box.append(element("p", "soft", data.looking));
    return box;
  }
  if (!data.census.length) {
    box.append(element("p", "soft", "No layout fault was found."));
    return box;
  }
  const most = Math.max(...data.census.flatMap((row) => row.systems.map((one) => one.points)), 0.001);
  const list = element("div", "list");
  data.census.forEach((row, number) => {
    const line = element("div", "fault");
    line.hidden = number >= FIRST;
    line.classList.toggle("chosen", row.chosen);
    const costs = row.systems.map((one) => `${one.shown}: ${one.points.toFixed(1)} points, ${one.told}`);
    const pick = button("plain pick", "", () => (view.takes("kind") ? send("kind", [row.kind]) : send("page", row.worst)), costs.join("\n"));
    pick.setAttribute("aria-pressed", String(row.chosen));
    const icon = element("img", "icon");
    icon.src = row.icon;
    icon.alt = "";
    const worst = Math.max(...row.systems.map((one) => one.points));
    pick.append(icon, element("b", "kind", row.name), cost(row, most),
      element("span", "points", worst.toFixed(1)));
    const open = button("plain stamp", "", () => send("page", row.worst),
      "Open the page where it costs most");
    if (row.image) {
      const stamp = element("img");
      stamp.src = row.image;
      stamp.alt = "";
      open.append(stamp);
    } else open.append("›");
    line.append(pick, open);
    list.append(line);
  });
  box.append(list);
  if (data.census.length > FIRST) {
    const more = button("small", `show all ${data.census.length} kinds`, () => {
      for (const line of list.children) line.hidden = false;
      more.remove();
    });
    box.append(more);
  }
  return box;
}

// The marks of the systems on a line from nothing to the largest cost.
function cost(row, most) {
  const svg = drawn("svg", { class: "cost", role: "img",
    "aria-label": row.systems.map((one) => `${one.shown} ${one.points.toFixed(1)}`).join(", ") });
  const ends = row.systems.map((one) => 98 * Math.max(one.points, 0) / most);
  const line = (className, end, look) => drawn("line", { class: className, x1: "0%", y1: 8,
    x2: `${end}%`, y2: 8, ...look });
  svg.append(line("rail", 98, {}), line("span", Math.max(...ends), { stroke: row.look }));
  row.systems.forEach((one, number) => {
    const place = drawn("svg", { x: `${ends[number]}%`, y: 8, overflow: "visible" });
    const mark = markPath(one);
    mark.append(drawn("title", {}, `${one.shown}: ${one.points.toFixed(1)} points, ${one.told}`));
    place.append(mark);
    svg.append(place);
  });
  return svg;
}
