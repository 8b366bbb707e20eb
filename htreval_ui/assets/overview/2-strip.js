// Every page: one row for each system, one column for each page, the parts of its WER stacked.

function strip(view, send) {
  const { data } = view;
  const { columns, values, marked, rank, ranks, chosen, asTable } = data.strip;
  const box = element("section", "strip");
  const head = element("div", "strip-head");
  head.append(element("h2", "", "Every page"), element("span", "soft", "the worst first by"),
    chooser("soft", "Rank pages by", ranks, rank, (by) => send("rank", [by]), 4),
    element("span", "soft", data.rows.length > 1 ? `of ${isolated(data.rows.find((row) => row.name === chosen).shown)}` : ""));
  const asRows = button("small", "as a table", () => send("table", []),
    "Every page of every system as a row, below");
  asRows.setAttribute("aria-pressed", String(asTable));
  head.append(asRows);
  const says = element("p", "soft says", REST);
  box.append(head);
  const all = Object.values(values).flat().filter(Boolean).map((parts) => parts.reduce((a, b) => a + b, 0));
  // One looped page must not make all others invisible.
  const most = Math.min(Math.max(...all, 0.01), Math.max(2 * quantile(all, 0.9), 0.05));
  const height = Math.min(Math.max(Math.round(200 / data.rows.length), 36), 130);
  const width = 10 * columns.length;
  for (const row of data.rows) {
    const line = element("div", "strip-row");
    const name = element("span", "strip-name");
    name.append(systemMark(row), ` ${isolated(row.shown)}`);
    const svg = drawn("svg", { class: "columns", viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: "none", role: "img",
      "aria-label": `WER of every page of ${row.shown}, the worst first` });
    svg.style.height = `${height}px`;
    // A few pages are no wide blocks: hatchings keep their slant.
    svg.style.maxWidth = `${26 * columns.length}px`;
    const fills = partFills(svg, data.parts);
    values[row.name].forEach((parts, at) => {
      const column = drawn("g", { class: "column" });
      column.dataset.at = at;
      column.append(drawn("rect", { x: 10 * at, width: 10, height, class: "hit" }));
      if (parts) stack(column, parts, fills, { at, height, most });
      if (data.kind && !marked[at]) column.classList.add("off");
      svg.append(column);
    });
    svg.addEventListener("pointermove", (event) => {
      says.textContent = tell(data, row, columnOf(event.target)) || REST;
    });
    svg.addEventListener("pointerleave", () => { says.textContent = REST; });
    svg.addEventListener("click", (event) => {
      const at = columnOf(event.target);
      if (at !== null && values[row.name][at]) send("page", [columns[at].page, row.name]);
    });
    line.append(name, svg);
    box.append(line);
  }
  const open = button("small", `Open ${columns[0] ? columns[0].shown : ""}`,
    () => send("page", [columns[0].page, chosen]), "Look at the worst page");
  const foot = element("div", "strip-foot");
  foot.append(says, open);
  if (data.kind) {
    foot.append(button("small", "show all pages", () => send("kind", ["", ""]),
      `Now only pages with: ${data.kind}`));
  }
  box.append(foot);
  return box;
}

const REST = "Each column is a page, its height is WER. Hover to see its name, click to open it. Pointed tip: the bar is cut off. Dashed: reference in doubt.";

function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] || 0;
}

function columnOf(target) {
  const column = target.closest ? target.closest(".column") : null;
  return column ? Number(column.dataset.at) : null;
}

function stack(column, parts, fills, { at, height, most }) {
  let y = height;
  parts.forEach((value, number) => {
    const tall = Math.min((value / most) * height, y);
    if (tall <= 0) return;
    y -= tall;
    column.append(drawn("rect", { x: 10 * at + 1, y: y.toFixed(2), width: 8, height: tall.toFixed(2),
      fill: fills[number] }));
  });
  if (parts.reduce((a, b) => a + b, 0) > most * 1.001) {
    column.append(drawn("path", { class: "cut", d: `M${10 * at + 1},5l4,-5l4,5z` }));
  }
  if (parts[parts.length - 1] > 0) {
    column.append(drawn("rect", { class: "doubt", x: 10 * at + 0.5, y, width: 9, height: height - y }));
  }
}

function tell(data, row, at) {
  if (at === null) return "";
  const { page, shown, more } = data.strip.columns[at];
  const parts = data.strip.values[row.name][at];
  const name = isolated(shown || page) + (more ? ` and ${more} more pages` : "");
  if (!parts) return `${name}: ${isolated(row.shown)} has no output`;
  const sum = (100 * parts.reduce((a, b) => a + b, 0)).toFixed(1);
  return `${name} under ${isolated(row.shown)}: WER ${sum} = ${told(data, { parts }) || "0"}`;
}
