// Every page: one row for each system, one column for each page, the parts of its WER stacked.

function strip(view, send) {
  const { data } = view;
  const { columns, values, rank, ranks, chosen, asTable } = data.strip;
  const box = element("section", "strip");
  const head = element("div", "strip-head");
  head.append(element("h2", "", "Every page"), element("span", "soft", "worst first, by"),
    chooser("soft", "Rank pages by", ranks, rank, (by) => send("rank", [by]), 4),
    element("span", "soft", data.rows.length > 1 ? `of ${isolated(data.rows.find((row) => row.name === chosen).shown)}` : ""));
  if (view.takes("table")) {
    const asRows = button("small", "as a table", () => send("table", []),
      "Every page of every system as a row, below");
    asRows.setAttribute("aria-pressed", String(asTable));
    head.append(asRows);
  }
  if (columns.length) {
    head.append(button("small", `Open ${columns[0].short}`, () => send("page", [columns[0].page, chosen]),
      "Look at the worst page"));
  }
  if (data.where && view.takes("all")) head.append(button("small", "show all pages", () => send("all", []), `Now only ${data.where}`));
  const says = element("p", "soft says", rest(view));
  box.append(head);
  const all = Object.values(values).flat().filter(Boolean).map((parts) => parts.reduce((a, b) => a + b, 0));
  // One looped page must not make all others invisible.
  const most = Math.min(Math.max(...all, 0.01), Math.max(3 * quantile(all, 0.9), 0.05));
  const height = Math.min(Math.max(Math.round(200 / data.rows.length), 30), 130);
  // Drawn for the room there is, beside the names, so that hatchings keep their slant.
  const unit = Math.min(Math.max((view.room - 126) / columns.length, 10), 240);
  const width = unit * columns.length;
  const widest = unit > 10 ? `${width}px` : "none";
  for (const row of data.rows) {
    const line = element("div", "strip-row");
    const name = element("span", "strip-name");
    name.append(systemMark(row), ` ${isolated(row.shown)}`);
    const plot = element("div", "plot");
    plot.append(...scale(most));
    const svg = drawn("svg", { class: "columns", viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: "none", role: "img",
      "aria-label": `WER of every page of ${row.shown}, the worst first` });
    svg.style.height = `${height}px`;
    svg.style.maxWidth = widest;
    const fills = partFills(svg, data.parts);
    values[row.name].forEach((parts, at) => {
      const column = drawn("g", { class: "column" });
      column.dataset.at = at;
      column.append(drawn("rect", { x: unit * at, width: unit, height, class: "hit" }));
      if (parts) stack(column, parts, fills, { at, unit, height, most, doubted: data.strip.doubted });
      svg.append(column);
    });
    svg.addEventListener("pointerleave", () => { says.textContent = rest(view); });
    picking(svg, columns, (at) => { says.textContent = tell(data, row, at) || rest(view); },
      (at) => { if (values[row.name][at]) send("page", [columns[at].page, row.name]); },
      view.takes("range") && ((first, last) => send("range", [columns[first].page, columns[last].page])));
    plot.append(svg);
    line.append(name, plot);
    box.append(line);
  }
  box.append(pageNames(columns, widest), says);
  return box;
}

// Lines at 0, 50 and 100 % with their figures, as far as the plot reaches.
function scale(most) {
  const step = most > 1.5 ? 1 : most > 0.6 ? 0.5 : most > 0.25 ? 0.2 : 0.1;
  const lines = [];
  for (let at = step; at <= most * 0.98; at += step) {
    const line = element("span", "level", `${Math.round(100 * at)} %`);
    line.style.bottom = `${(100 * at) / most}%`;
    lines.push(line);
  }
  return lines;
}

// The names of every n-th column, so that none hides another.
function pageNames(columns, widest) {
  const line = element("div", "strip-row");
  const names = element("div", "names");
  names.style.maxWidth = widest;
  const every = Math.ceil(columns.length / 12);
  columns.forEach(({ shown, short }, at) => {
    if (at % every) return;
    const name = element("span", "", isolated(short));
    name.title = shown;
    name.style.left = `${(100 * (at + 0.5)) / columns.length}%`;
    name.style.maxWidth = `${(100 * every) / columns.length}%`;
    names.append(name);
  });
  line.append(element("span"), names);
  return line;
}

// Hovering tells, a click opens, dragging over several columns picks these.
function picking(svg, columns, hover, open, range) {
  let first = null;
  const mark = (from, to) => {
    for (const column of svg.querySelectorAll(".column")) {
      const at = Number(column.dataset.at);
      column.classList.toggle("picked", from !== null && at >= Math.min(from, to) && at <= Math.max(from, to));
    }
  };
  svg.addEventListener("pointermove", (event) => {
    const at = columnOf(event.target);
    hover(at);
    if (range && first !== null && at !== null && at !== first) mark(first, at);
  });
  svg.addEventListener("pointerdown", (event) => { first = columnOf(event.target); });
  svg.addEventListener("pointerup", (event) => {
    const last = columnOf(event.target);
    const from = first;
    first = null;
    mark(null);
    if (from === null || last === null) return;
    if (from === last || !range) open(last);
    else range(Math.min(from, last), Math.max(from, last));
  });
  svg.addEventListener("pointerleave", () => { first = null; mark(null); });
}

const rest = (view) => `Each column is a page, its height is WER. Click one to open it${view.takes("range") ? ", drag across several to see only those" : ""}. Solid tip: bar truncated. Dashed: reference in doubt.`;

function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] || 0;
}

function columnOf(target) {
  const column = target.closest ? target.closest(".column") : null;
  return column ? Number(column.dataset.at) : null;
}

function stack(column, parts, fills, { at, unit, height, most, doubted }) {
  const left = unit * at;
  let y = height;
  parts.forEach((value, number) => {
    const tall = Math.min((value / most) * height, y);
    if (tall <= 0) return;
    y -= tall;
    column.append(drawn("rect", { x: left + 0.1 * unit, y: y.toFixed(2), width: 0.8 * unit,
      height: tall.toFixed(2), fill: fills[number] }));
  });
  const whole = parts.reduce((a, b) => a + b, 0);
  if (whole > most * 1.001) {
    column.append(drawn("path", { class: "cut", d: `M${left + 0.5 * unit - 4},5l4,-5l4,5z` }));
  }
  // What is in doubt comes last, once pages have been diagnosed.
  const doubt = parts[parts.length - 1];
  if (doubted && doubt > 0 && doubt >= doubted * whole) {
    column.append(drawn("rect", { class: "doubt", x: left + 0.05 * unit, y, width: 0.9 * unit,
      height: height - y }));
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
