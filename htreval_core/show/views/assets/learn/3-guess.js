// Guess, then see: which option is right is worked out from the texts, and guesses are counted here.

const KEPT = "htreval-guesses";

// Counts of each lesson's options; what a browser forbids to keep is kept as long as the view stands.
const guesses = {
  all: null,
  read() {
    try { this.all ||= JSON.parse(localStorage.getItem(KEPT)); } catch { /* kept nowhere */ }
    this.all ||= {};
    return this.all;
  },
  of(lesson) {
    const found = this.read()[lesson.name];
    return lesson.option.map((_, n) => (Array.isArray(found) && Number.isInteger(found[n]) ? found[n] : 0));
  },
  keep() {
    try { localStorage.setItem(KEPT, JSON.stringify(this.all)); } catch { /* kept nowhere */ }
  },
  add(lesson, n) {
    const counts = this.of(lesson);
    counts[n] += 1;
    this.all[lesson.name] = counts;
    this.keep();
  },
  clear() {
    this.all = {};
    this.keep();
  },
};

// A figure by its name in the lessons: "wer", "wer%", "hwer@100", "B.nsfd", "mate.5", "said".
function figureNamed(lesson, name) {
  if (lesson.real) {
    const { counts } = lesson.real;
    return name in counts ? counts[name] : lesson.real[name];
  }
  const [, system = Object.keys(lesson.systems)[0], figure, gamma = "1", percent] =
    name.match(/^(?:([A-Z])\.)?([a-zA-Z]+(?:\.\d+)?)(?:@([\d.]+))?(%)?$/);
  const pair = pairOf(referenceOf(lesson), lesson.systems[system]);
  const [of, number] = figure.split(".");
  if (number) {
    const mates = matchingOf(pair.ref, pair.hyp, gamma), j = Number(number) - 1;
    if (of === "mate") return mates[j] + 1;
    const costs = costsOf(pair.ref, pair.hyp, gamma);
    const sum = of === "cost" ? costs.pair(j, mates[j]) : costs.alone(pair.ref[j]) + costs.alone(pair.hyp[mates[j]]);
    return cost(sum, costs.unit);
  }
  const scores = scoresOf(pair, gamma);
  return percent ? (100 * scores[figure]) / scores.n : scores[figure];
}

const COMPARED = {
  "=": (a, b) => a === b, "<": (a, b) => a < b, ">": (a, b) => a > b, "<=": (a, b) => a <= b, ">=": (a, b) => a >= b,
};

// Whether "bwer < hwer@100 <= wer" holds.
function holds(lesson, told) {
  const parts = told.split(/ (<=|>=|=|<|>) /);
  const value = (text) => {
    if (text !== "" && !Number.isNaN(Number(text))) return Number(text);
    return /^(n|wer|bwer|hwer|delta|nsfd|mate|kind)\b|^[A-Z]\./.test(text) ? figureNamed(lesson, text) : text;
  };
  return parts.slice(2).every((_, n) => n % 2 || COMPARED[parts[n + 1]](value(parts[n]), value(parts[n + 2])));
}

function rightOption(lesson) {
  // Where several hold, as "none" and "less than half" do, the first is meant.
  return lesson.option.findIndex((option) => holds(lesson, option.if));
}

// A text with its figures in place of their names.
function filled(lesson, text) {
  return text.replace(/\{([^}]+)\}/g, (_, name) => {
    const value = figureNamed(lesson, name);
    return name.endsWith("%") ? `${value.toFixed(1)} %` : String(value);
  });
}

function referenceOf(lesson) {
  return lesson.page.flat().join("\n");
}

// The question with its options; `state` knows what was chosen and whether a class is counted.
function question(lesson, state, redraw, focusOn) {
  const box = element("section", "guess");
  box.setAttribute("aria-label", "Guess");
  box.append(element("p", "prompt", filled(lesson, lesson.prompt)));
  const { chosen, isSeen, isClass } = state;
  const right = isSeen ? rightOption(lesson) : -1, counts = guesses.of(lesson);
  const options = element("div", "options");
  lesson.option.forEach((option, n) => {
    const sign = isSeen && n === right ? "✓ " : isSeen && n === chosen ? "× " : "";
    const one = button("small option", `${sign}${option.says}${isClass ? `  · ${counts[n]}` : ""}`, () => {
      guesses.add(lesson, n);
      if (!isClass) Object.assign(state, { chosen: n, isSeen: true });
      redraw();
      focusOn(isClass ? `.option:nth-child(${n + 1})` : ".guess .small:not(:disabled)");
    });
    one.setAttribute("aria-pressed", String(n === chosen));
    one.disabled = isSeen;
    options.append(one);
  });
  box.append(options);
  if (isSeen) {
    const said = chosen === right ? "Yes. " : chosen >= 0 ? `Not ‘${lesson.option[chosen].says}’ but ‘${lesson.option[right].says}’. ` : `The answer is ‘${lesson.option[right].says}’. `;
    const why = element("p", `why ${chosen === right ? "yes" : ""}`, said + filled(lesson, lesson.why));
    why.setAttribute("role", "status");
    box.append(why, button("small", "Guess again", () => {
      Object.assign(state, { chosen: -1, isSeen: false });
      redraw();
      focusOn(".option");
    }));
    return box;
  }
  const row = element("div", "options");
  row.append(button("small", isClass ? "See the answer" : "Just show me", () => {
    state.isSeen = true;
    redraw();
    focusOn(".guess .small:not(:disabled)");
  }));
  const count = button("small", "Count a class", () => {
    state.isClass = !isClass;
    redraw();
    focusOn('[aria-pressed][title^="Every"]');
  }, "Every press of an answer counts one hand; the answer waits until you ask for it");
  count.setAttribute("aria-pressed", String(isClass));
  row.append(count);
  box.append(row);
  return box;
}

// The table of all guesses, to look at and to print.
function guessTable(lessons) {
  const box = element("table", "guessed");
  box.append(element("caption", "", "Guesses on this machine"));
  const head = element("tr");
  for (const name of ["lesson", "answer", "guesses", "right"]) {
    const cell = element("th", "", name);
    cell.scope = "col";
    head.append(cell);
  }
  box.append(head);
  for (const lesson of lessons) {
    const right = rightOption(lesson), counts = guesses.of(lesson), sum = counts.reduce((a, b) => a + b, 0);
    lesson.option.forEach((option, n) => {
      const row = element("tr", n ? "" : "first");
      const share = sum ? ` (${Math.round((100 * counts[n]) / sum)} %)` : "";
      row.append(element("td", "", n ? "" : lesson.title), element("td", "", option.says),
        element("td", "count", `${counts[n]}${share}`), element("td", "", sum && n === right ? "✓" : ""));
      box.append(row);
    });
  }
  return box;
}

// Prints some nodes alone, without what stands around the view.
function printed(title, nodes) {
  const frame = element("iframe", "sheet-of-paper");
  frame.title = "To be printed";
  frame.setAttribute("aria-hidden", "true");
  document.body.append(frame);
  Object.assign(frame.style, { position: "fixed", width: "0", height: "0", border: "0" });
  const paper = frame.contentDocument;
  paper.title = title;
  const style = paper.createElement("style");
  style.textContent = "body { font: 11pt/1.4 sans-serif; margin: 12mm; } table { border-collapse: collapse; } td, th { text-align: left; padding: 1mm 4mm 1mm 0; border-bottom: .2mm solid #999; } caption { text-align: left; } li { margin-bottom: 1mm; } button { display: none; }";
  paper.head.append(style);
  const heading = paper.createElement("h1");
  heading.textContent = title;
  paper.body.append(heading, ...nodes.map((node) => paper.importNode(node, true)));
  frame.contentWindow.addEventListener("afterprint", () => frame.remove());
  frame.contentWindow.print();
}
