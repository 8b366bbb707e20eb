// The contact sheet: the ink of each word, and what was made of it.

function spelling(pieces) {
  const box = element("bdi", "spelled");
  for (const [text, differs] of pieces) box.append(differs ? element("mark", "", text) : text);
  if (!pieces.length) {
    box.classList.add("none");
    box.textContent = "no counterpart";
  }
  return box;
}

function reading(style, content) {
  const row = element("span", "reading");
  const name = element("span", style ? "hidden" : "label", style ? style.name : "reference");
  if (style) row.append(systemMark(style));
  row.append(name, content);
  return row;
}

function ink(address, alt) {
  const picture = element("img");
  picture.src = address;
  picture.alt = alt;
  picture.loading = "lazy";
  return picture;
}

function tile(one, view) {
  const box = button("tile plain", "", () => view.send("word", one.number));
  const place = element("span", "ink");
  if (one.crop) place.append(ink(one.crop, ""));
  else {
    const [before, after] = one.around;
    place.classList.add("as-text");
    place.append(`${before} `, element("b", "", one.word.map(([text]) => text).join("")), ` ${after}`);
    place.dir = "auto";
  }
  box.append(place, reading(null, spelling(one.word)));
  one.reads.forEach((pieces, at) => box.append(reading(view.data.systems[at], spelling(pieces))));
  box.append(element("span", "soft", isolated(one.page)));
  return box;
}

function strip(one, number, view) {
  const box = button("strip plain", "", () => view.send("line", number));
  if (one.crop) box.append(ink(one.crop, ""));
  box.append(element("span", "soft", `${isolated(one.page)}, line ${one.line}: ${one.errors} errors`),
    reading(null, element("bdi", "", one.word)));
  one.reads.forEach((text, at) => box.append(reading(view.data.systems[at],
    element("bdi", text ? "" : "none", text || "nothing"))));
  return box;
}

function more(view, shown) {
  const left = view.data.total - shown;
  return left > 0
    ? [button("small more", `More: ${left.toLocaleString("en")} left`, () => view.send("more", shown))]
    : [];
}
