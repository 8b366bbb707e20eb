// Faults as changes: what B fixes, what it adds, what both have; chips narrow the list.

const CHANGES = [["fixed", "B has it right"], ["added", "only B has it"], ["both", "A and B have it"]];

function changes(view, send) {
  const { data } = view;
  const box = element("section", "changes");
  const head = element("div", "section-head");
  head.append(element("h2", "", "Faults as changes"));
  const chips = element("div", "chips");
  const list = element("div", "list");
  const chosen = { change: "", kind: "", flips: false };
  const draw = () => {
    for (const chip of chips.querySelectorAll("button")) {
      const on = chip.dataset.flips ? chosen.flips : chip.dataset.change === chosen.change;
      chip.setAttribute("aria-pressed", String(on));
    }
    const flips = new Set(data.flips.map(([page]) => page));
    const found = data.changes.filter((one) => (!chosen.change || one.change === chosen.change)
      && (!chosen.kind || one.kind === chosen.kind) && (!chosen.flips || flips.has(one.page)));
    const rows = found.map((one) => row(one, data, send));
    if (chosen.flips) {
      const named = new Set(found.map((one) => one.page));
      rows.push(...data.flips.filter(([page]) => !named.has(page)).map((flip) => plainRow(flip, send)));
    }
    list.replaceChildren(...(rows.length ? rows : [element("p", "soft", data.changes.length
      ? "None of these." : data.looking || "Neither system has a layout fault on these pages.")]));
  };
  for (const [change, help] of CHANGES) {
    const chip = button("small chip", `${change} ${data.counts[change]}`, () => {
      chosen.change = chosen.change === change ? "" : change;
      draw();
    }, help);
    chip.dataset.change = change;
    chips.append(chip);
  }
  const kinds = [...new Map(data.changes.map((one) => [one.kind, one.name]))].sort();
  chips.append(chooser("small", "Kind of fault", [["", "all kinds"], ...kinds], "", (kind) => {
    chosen.kind = kind;
    draw();
  }));
  if (data.flips.length) {
    const chip = button("small chip", `WER and bWER disagree ${data.flips.length}`, () => {
      chosen.flips = !chosen.flips;
      draw();
    }, "Pages on which one system misreads fewer words and the other keeps the better order");
    chip.dataset.flips = "yes";
    chips.append(chip);
  }
  draw();
  box.append(head, chips, list);
  return box;
}

function row(one, data, send) {
  const line = button("plain change", "", () => send(one.page), "Show the page below");
  line.dataset.page = one.page;
  line.setAttribute("aria-pressed", String(one.page === data.page));
  const [a, b] = one.errors;
  const states = element("span", "states");
  [a, b].forEach((errors, number) => {
    const state = element("span", errors ? "bad" : "good", errors ? `${"AB"[number]} ${errors}` : `${"AB"[number]} ✓`);
    if (errors) state.style.setProperty("--look", one.look);
    states.append(state);
  });
  const icon = element("img", "icon");
  icon.src = one.icon;
  icon.alt = "";
  line.append(element("span", "page", isolated(one.shown)), icon, element("span", "kind", one.name),
    states, element("span", "soft", `${one.words.toLocaleString("en")} words`));
  return line;
}

function plainRow([page, shown], send) {
  const line = button("plain change", "", () => send(page), "Show the page below");
  line.append(element("span", "page", isolated(shown)), element("span"),
    element("span", "kind", "WER and bWER disagree"), element("span"), element("span"));
  return line;
}
