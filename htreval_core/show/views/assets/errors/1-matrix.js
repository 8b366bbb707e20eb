// What is read as what: characters as a matrix, words as a list. Choosing one filters the tiles.

// Marks that combine need something to stand on.
const bare = (text) => (/^\p{M}/u.test(text) ? `\u25CC${text}` : isolated(text));

function matrix({ rows, columns, counts }, view) {
  const box = element("div", "wide");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Characters of the reference by what they were read as");
  const table = element("table", "matrix");
  const head = element("tr");
  const corner = element("th", "corner", "reference ↓  read as →");
  corner.scope = "col";
  head.append(corner);
  for (const [, shown] of columns) {
    const one = element("th", shown ? "" : "none", shown ? bare(shown) : "left out");
    one.scope = "col";
    head.append(one);
  }
  const body = element("tbody");
  const chosen = view.data.find.replace("->", "→");
  const most = Math.log1p(Math.max(1, ...counts.flat()));
  const cells = rows.map(([text, shown, right], y) => {
    const row = element("tr");
    const name = element("th", shown ? "" : "none", shown ? bare(shown) : "added");
    name.scope = "row";
    if (right !== null) {
      name.append(element("span", "right", ` ${right.toFixed(1)} %`));
      name.title = `${right.toFixed(1)} % of them are read right`;
    }
    row.append(name);
    body.append(row);
    return counts[y].map((count, x) => {
      const cell = element("td");
      row.append(cell);
      if (!count) return null;
      const wanted = `${text}→${columns[x][0]}`;
      const one = button("cell", count.toLocaleString("en"), () => view.show({ find: wanted }));
      one.setAttribute("aria-label",
        `${shown || "nothing"} read as ${columns[x][1] || "nothing"}: ${count}`);
      one.setAttribute("aria-pressed", String(chosen === wanted));
      one.style.setProperty("--share", `${Math.round(8 + (42 * Math.log1p(count)) / most)}%`);
      one.tabIndex = -1;
      cell.append(one);
      return one;
    });
  });
  const all = cells.flat().filter(Boolean);
  const first = all.find((one) => one.getAttribute("aria-pressed") === "true") || all[0];
  if (first) first.tabIndex = 0;
  table.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const one = event.target.closest("button");
    if (!way || !one) return;
    event.preventDefault();
    let y = cells.findIndex((row) => row.includes(one));
    let x = cells[y].indexOf(one);
    do [y, x] = [y + way[0], x + way[1]]; while (cells[y] && x >= 0 && x < columns.length && !cells[y][x]);
    const next = cells[y] && cells[y][x];
    if (!next) return;
    [one.tabIndex, next.tabIndex] = [-1, 0];
    next.focus();
  });
  const top = element("thead");
  top.append(head);
  table.append(top, body);
  box.append(table);
  return box;
}

function wordList(words, view) {
  const box = element("div", "list");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Different errors, the commonest first");
  for (const [find, word, reads, times, pages] of words) {
    const row = button("plain row", "", () => view.show({ find }));
    row.setAttribute("aria-pressed", String(view.data.find === find));
    row.append(element("span", "", isolated(word)));
    reads.forEach((read) => row.append(element("span", read ? "" : "none", read ? isolated(read) : "left out")));
    row.append(element("span", "count", `${times.toLocaleString("en")}×`),
      element("span", "soft", pages === 1 ? "1 page" : `${pages} pages`));
    box.append(row);
  }
  return box;
}
