// The table that is the chart: one row for each system, WER as a bar of its parts, every value beside it.

const BAR = { width: 300, height: 14 };

function headCell(text, help, className) {
  const cell = element("th", className || "", text);
  cell.scope = "col";
  if (help) cell.title = help;
  return cell;
}

function valueCell({ value, interval, best }, className) {
  const cell = element("td", className || "");
  if (best) {
    const star = element("span", "star", "★ ");
    star.title = "Better than every other system in the paired test";
    cell.append(star);
  }
  cell.append(element("b", "", value));
  if (interval) cell.append(element("span", "interval", ` ${interval}`));
  return cell;
}

// What fills a bar: the largest WER or end of an interval, and room for its stroke.
function longest(data) {
  return 1.01 * Math.max(...data.rows.map((row) => Math.max(row.end, row.interval[1] || 0)), 0.001);
}

function table(view, send) {
  const { data } = view;
  const box = element("table", "systems");
  const head = element("tr");
  head.append(
    headCell("system"), headCell("WER and what it is made of", "In percent of the reference words", "bars"),
    headCell(...data.labels.wer), headCell(...data.labels.bwer), headCell(...data.labels.delta_wer),
    ...(data.labels.delta_wer_admissible ? [headCell(...data.labels.delta_wer_admissible)] : []),
    headCell("moved words", "Words read somewhere other than where they stand, in the faults found", "minor"),
    headCell(...data.labels.cer), headCell(...data.labels.nsfd, "least"), headCell("pages", "", "minor"),
  );
  box.append(element("thead"));
  box.firstChild.append(head);
  const body = element("tbody");
  const most = longest(data);
  for (const row of data.rows) {
    const line = element("tr");
    const name = element("th");
    name.scope = "row";
    const pick = button("plain", "", () => send("system", [row.name]), "Rank the pages by this system");
    pick.append(systemMark(row), element("span", "", isolated(row.shown)));
    pick.setAttribute("aria-pressed", String(row.name === data.strip.chosen));
    name.append(pick);
    const bar = element("td", "bars");
    bar.append(rowBar(data, row, most));
    line.append(name, bar, valueCell(row.cells.wer), valueCell(row.cells.bwer, "narrow"),
      valueCell(row.cells.delta_wer, "narrow"),
      ...(row.cells.delta_wer_admissible ? [valueCell(row.cells.delta_wer_admissible, "narrow")] : []),
      element("td", "minor", row.moved),
      valueCell(row.cells.cer, "narrow"),
      valueCell(row.cells.nsfd, "narrow least"), element("td", "minor", row.pages));
    for (const cell of line.querySelectorAll(".narrow .interval")) {
      cell.parentElement.title = `95 % interval ${cell.textContent.trim()}`;
      cell.remove();
    }
    body.append(line);
  }
  box.append(body);
  return box;
}

function told(data, row) {
  if (row.told) return row.told;
  return data.parts
    .map(({ name }, number) => `${(100 * row.parts[number]).toFixed(1)} ${name}`)
    .filter((_, number) => row.parts[number] > 0).join(" + ");
}

function rowBar(data, row, most) {
  const { width, height } = BAR;
  const svg = drawn("svg", {
    class: "bar", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
    "aria-label": told(data, row),
  });
  svg.append(drawn("title", {}, told(data, row)));
  partBar(svg, partFills(svg, data.parts), row.parts, { y: 1, width, height: height - 2, most });
  whisker(svg, row, { x: 0, y: height / 2, width, most });
  return svg;
}

function whisker(svg, row, { x, y, width, most }) {
  if (row.interval.length < 2) return;
  const [a, b] = row.interval.map((end) => x + (Math.max(end, 0) / most) * width);
  svg.append(drawn("path", { class: "whisker", d: `M${a},${y}H${b}M${a},${y - 3}v6M${b},${y - 3}v6`,
    fill: "none", stroke: "currentColor", "stroke-width": 1.2 }));
}

// What the parts look like, where the names stand alone.
function legend(data) {
  const box = element("p", "legend");
  data.parts.forEach((part, number) => {
    if (!data.rows.some((row) => row.parts[number] > 0)) return;
    const svg = drawn("svg", { class: "swatch", viewBox: "0 0 14 10", "aria-hidden": "true" });
    svg.append(drawn("rect", { width: 14, height: 10, fill: partFills(svg, data.parts)[number] }));
    const entry = element("span", "", part.name);
    entry.prepend(svg);
    box.append(entry);
  });
  return box;
}

// The chart alone, for paper: names, bars, intervals and values.
function systemsPicture(data) {
  const [row, left, width, right] = [30, 170, 420, 170];
  const height = row * data.rows.length + 44;
  const svg = drawn("svg", { xmlns: SVG, width: left + width + right, height,
    viewBox: `0 0 ${left + width + right} ${height}` });
  const text = { "font-family": "sans-serif", "font-size": 13, fill: "#1c2328" };
  svg.append(drawn("rect", { width: left + width + right, height, fill: "#ffffff" }));
  const fills = partFills(svg, data.parts);
  const most = longest(data);
  data.rows.forEach((one, number) => {
    const y = number * row + 10;
    const mark = markPath(one);
    mark.setAttribute("transform", `translate(12,${y + 8})`);
    svg.append(mark, drawn("text", { x: 24, y: y + 12, ...text }, one.shown));
    partBar(svg, fills, one.parts, { x: left, y, width, height: 16, most });
    const bars = drawn("g", { color: "#1c2328" });
    whisker(bars, one, { x: left, y: y + 8, width, most });
    const { value, interval, best } = one.cells.wer;
    svg.append(bars, drawn("text", { x: left + width + 14, y: y + 12, ...text },
      `${best ? "★ " : ""}${value} %${interval ? `  (${interval})` : ""}`));
  });
  let x = left;
  data.parts.forEach((part, number) => {
    const y = height - 20;
    svg.append(drawn("rect", { x, y, width: 14, height: 10, fill: fills[number] }),
      drawn("text", { x: x + 19, y: y + 10, ...text, "font-size": 12 }, part.name));
    x += 34 + 7 * part.name.length;
  });
  return svg;
}

async function copyOr(text, name, type, one) {
  const was = one.textContent;
  try {
    await navigator.clipboard.writeText(text);
    one.textContent = "copied";
    setTimeout(() => { one.textContent = was; }, 1500);
  } catch {
    saveText(text, name, type);
  }
}

function takeAway(data) {
  const box = element("div", "take");
  const { tex, md, name } = data.take;
  const copies = [["LaTeX", tex, "tex", "application/x-tex"], ["Markdown", md, "md", "text/markdown"]];
  for (const [label, text, ending, type] of copies) {
    const one = button("small", label, () => copyOr(text, `${name}.${ending}`, type, one),
      `Copy the table as ${label}`);
    box.append(one);
  }
  box.append(
    button("small", "SVG", () => saveSvg(systemsPicture(data), name), "The chart as a picture"),
    button("small", "PNG", () => savePng(systemsPicture(data), name), "The chart as an image"),
  );
  return box;
}
