// Learn: one story in chapters. All is computed here; what the address is to hold goes out as a wish.

const views = new WeakMap();
const MOST_LETTERS = 600;
const FIGURES = {
  wer: ["WER", "words to replace, leave out or add, of the reference words"],
  bwer: ["bWER", "words missing or extra, wherever they stand"],
  delta: ["ΔWER", "WER − bWER: what is left to the order of words"],
  hwer: ["hWER", "words of the matching that are not equal"],
  nsfd: ["NSFD", "how far words went from their places; backwards is 100 %"],
};

function show(host) {
  const { lesson, reference, output } = host.payload;
  const told = JSON.stringify([lesson, reference, output]);
  const view = views.get(host.place);
  if (view) {
    view.host = host;
    const page = view.lessons.find((one) => one.real);
    if (page && !page.real.image && host.payload.real?.image) {
      page.real = host.payload.real;
      if (chapter(view) === page) drawStage(view);
    }
    const echo = view.sent.lastIndexOf(told);
    const isOld = echo >= 0 || told === view.told;
    view.told = told;
    view.sent.splice(0, echo + 1);
    // What was asked for here is drawn already.
    if (isOld) return;
    Object.assign(view, { name: lesson, reference, output });
    fillBoxes(view);
    drawAll(view);
    return;
  }
  const made = {
    host, told, name: lesson, reference, output, sent: [], at: {}, picture: {}, system: {}, guess: {}, lab: {}, real: {}, own: null,
    timer: 0, player: 0,
  };
  made.lessons = host.payload.lessons.map((one) => (one.pictures?.includes("page") ? { ...one, real: host.payload.real } : one))
    .filter((one) => !one.pictures?.includes("page") || one.real);
  views.set(host.place, made);
  const frame = element("div", "frame learn");
  const main = element("div", "two");
  made.head = element("header", "chapter");
  made.left = element("div", "left");
  made.about = element("div", "about");
  made.ownBox = ownText(made);
  made.left.append(made.about, made.ownBox);
  made.stage = element("section", "stage");
  made.stage.setAttribute("aria-label", "Picture");
  main.append(made.left, made.stage);
  frame.append(made.head, main);
  rootOf(host.place).replaceChildren(frame);
  made.frame = frame;
  listen(made);
  fillBoxes(made);
  drawAll(made);
}

function wishShow(view) {
  clearTimeout(view.timer);
  const { name, reference, output } = view;
  const told = JSON.stringify([name, reference, output]);
  if (view.sent.at(-1) === told || (!view.sent.length && view.told === told)) return;
  view.sent.push(told);
  view.host.wish("show", { lesson: name, reference, output });
}

function chapter(view) {
  return view.lessons.find((one) => one.name === view.name) || view.lessons[0];
}

// The texts of a chapter: one's own through all lessons, else those of the story.
function pairShown(view) {
  const lesson = chapter(view);
  if (isOwn(view)) return pairOf(view.reference, view.output);
  const system = view.system[lesson.name] || Object.keys(lesson.systems || { A: 0 })[0];
  return lesson.page ? pairOf(referenceOf(lesson), lesson.systems[system]) : null;
}

const isOwn = (view) => Boolean(view.reference.trim() || view.output.trim());

function guessState(view, lesson) {
  return (view.guess[lesson.name] ||= { chosen: -1, isSeen: false, isClass: false });
}

function go(view, step) {
  const names = view.lessons.map((one) => one.name);
  const next = names[Math.min(Math.max(names.indexOf(chapter(view).name) + step, 0), names.length - 1)];
  if (next !== view.name) open(view, next);
}

function open(view, name) {
  view.name = name;
  drawAll(view);
  wishShow(view);
}

function drawAll(view) {
  drawHead(view);
  drawAbout(view);
  drawStage(view);
}

function drawHead(view) {
  const lesson = chapter(view), at = view.lessons.indexOf(lesson);
  const row = element("div", "turn");
  const back = button("small", "‹", () => { go(view, -1); view.head.querySelector("button").focus(); }, "Previous lesson (p)");
  const forth = button("small", "›", () => { go(view, 1); view.head.querySelector("button:last-of-type").focus(); }, "Next lesson (n)");
  back.disabled = !at;
  forth.disabled = at + 1 === view.lessons.length;
  row.append(back, chooser("", "Lesson", view.lessons.map((one, n) => [one.name, `${n + 1}  ${one.title}`]), lesson.name, (name) => {
    open(view, name);
    view.head.querySelector("select").focus();
  }), forth);
  view.head.replaceChildren(element("h1", "", lesson.heading), row);
}

function drawAbout(view) {
  const lesson = chapter(view);
  const parts = [element("p", "told", lesson.told)];
  const isStory = lesson.page && !isOwn(view);
  if (isStory) parts.push(sketch(lesson, view));
  const redraw = () => { drawAbout(view); drawStage(view); };
  const focusOn = (what) => view.about.querySelector(what)?.focus();
  if (isStory || lesson.real) parts.push(question(lesson, guessState(view, lesson), redraw, focusOn));
  if (lesson.page && isOwn(view)) parts.push(...sentences(view, lesson).map((line) => element("p", "own-said", line)));
  if (lesson.real && guessState(view, lesson).isSeen && view.host.takes("page")) {
    parts.push(button("small main", "Open this page and put it right", () => view.host.wish("page", lesson.real.open)));
  }
  view.ownBox.hidden = !lesson.page && !lesson.lab;
  view.about.replaceChildren(...parts);
}

// The page as the clerk wrote it, in columns, and the text of the machine.
function sketch(lesson, view) {
  const box = element("div", "sketch");
  const page = element("div", "columns-of");
  for (const [n, lines] of lesson.page.entries()) {
    const column = element("div", n > 1 ? "margin" : "");
    for (const line of lines) column.append(element("p", "", line));
    page.append(column);
  }
  const names = Object.keys(lesson.systems), system = view.system[lesson.name] || names[0];
  const output = element("div", "machine");
  for (const line of lesson.systems[system].split("\n")) output.append(element("p", "", line));
  const of = (title, what) => {
    const one = element("div");
    one.append(element("span", "soft", title), what);
    return one;
  };
  box.append(of("the clerk", page), of(names.length > 1 ? `machine ${system}` : "the machine", output));
  return box;
}

// What the figures taught so far say of one's own text.
function sentences(view, lesson) {
  const pair = pairShown(view), problem = unfit(pair);
  if (problem) return [];
  const scores = scoresOf(pair, gammaOf(view));
  const ops = traceOf(pair.ref, pair.hyp).map((row) => opOf(pair, row));
  const n = (op) => ops.filter((one) => one === op).length;
  const said = {
    wer: `WER counts ${many(scores.wer, "error")} against ${many(scores.n, "word")}: ${n("sub")} replaced, ${n("del")} left out, ${n("ins")} added.`,
    bwer: `In the bag ${scores.missing} are missing and ${scores.extra} extra.`,
    delta: scores.delta ? `${scores.delta} of WER’s errors are left to order or chance.` : "None of WER’s errors are left to order.",
    hwer: scores.hwer > scores.bwer ? `The matching counts ${scores.hwer}: ${many(scores.hwer - scores.bwer, "word")} that the bag takes for right ${scores.hwer - scores.bwer === 1 ? "was" : "were"} read for others.` : `The matching agrees with the bag: ${scores.hwer}.`,
    nsfd: scores.nsfd ? `Places moved and words without a mate add up to ${scores.nsfd} of ${scores.nsfdOf}.` : "No word moved.",
  };
  return [...(pair.bySign ? ["This script puts no spaces between words, so every sign counts as a word."] : []), ...lesson.figures.map((name) => said[name])];
}

// Why a pair is not drawn; empty where it is.
function unfit({ ref, hyp }) {
  const longest = Math.max(ref.length, hyp.length);
  if (longest > MOST_WORDS) return `Lessons are for short texts: up to ${MOST_WORDS} words on a side, and this has ${longest}. Cut it down, or score it as data.`;
  return ref.length ? "" : "Type a reference: without one there is nothing to compare with.";
}

function gammaOf(view) {
  const lesson = chapter(view);
  return lesson.pictures?.includes("gamma") ? GAMMAS[view.at[`${lesson.name}/gamma`] ?? GAMMAS.indexOf("1")] : "1";
}

function drawStage(view) {
  clearInterval(view.player);
  view.player = 0;
  view.step = null;
  const lesson = chapter(view), stage = view.stage;
  stage.replaceChildren();
  if (lesson.lab) {
    laboratory(stage, lesson.lab, isOwn(view) ? view.reference : lesson.text, view.lab);
    return;
  }
  if (!lesson.pictures) {
    closing(view, lesson);
    return;
  }
  const pair = pairShown(view);
  const problem = pair && unfit(pair);
  if (problem) {
    stage.append(element("p", "says", problem));
    if (pair.ref.length && view.host.takes("data")) stage.append(button("small", "Score it on the Data page", () => view.host.wish("data")));
    return;
  }
  const name = view.picture[lesson.name] || lesson.pictures[0];
  const key = `${lesson.name}/${name}`;
  const picture = lesson.real ? realPicture(lesson, view.real, guessState(view, lesson).isSeen)
    : PICTURES[name][1](pair, { gamma: gammaOf(view), redraw: () => redraw() });
  view.at[key] = Math.min(view.at[key] ?? picture.start ?? 0, picture.n);

  const tabs = element("div", "tabs");
  const press = (label, isChosen, act) => {
    const one = button("small", label, () => { act(); drawAbout(view); drawStage(view); [...stage.querySelectorAll(".tabs .small")].find((made) => made.textContent === label)?.focus(); });
    one.setAttribute("aria-pressed", String(isChosen));
    tabs.append(one);
  };
  const systems = isOwn(view) || !lesson.systems ? [] : Object.keys(lesson.systems);
  if (systems.length > 1) {
    for (const one of systems) press(`machine ${one}`, one === (view.system[lesson.name] || systems[0]), () => { view.system[lesson.name] = one; });
  }
  if (lesson.pictures.length > 1) for (const one of lesson.pictures) press(PICTURES[one][0], one === name, () => { view.picture[lesson.name] = one; });
  const box = element("div", "picture");
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Picture, step by step");
  const says = element("p", "says");
  says.setAttribute("role", "status");
  const steps = element("div", "steps");
  const figures = element("div", "figures");
  const move = (by) => {
    const before = view.at[key];
    view.at[key] = Math.min(Math.max(before + by, 0), picture.n);
    if (view.at[key] !== before) picture.moved?.();
    // What is said of one's own text follows γ.
    if (picture.slider && isOwn(view)) drawAbout(view);
    redraw();
  };
  const controls = [
    ["«", "To the beginning (Home)", () => move(-Infinity)], ["‹", "A step back (←)", () => move(-1)],
    ["›", "The next step (→ or space)", () => move(1)], ["»", "To the end (End)", () => move(Infinity)],
  ].map(([sign, help, act]) => button("small", sign, act, help));
  const count = element("span", "soft count");
  const play = button("small", "Play", () => {
    if (view.player) {
      clearInterval(view.player);
      view.player = 0;
    } else {
      if (view.at[key] === picture.n) view.at[key] = 0;
      view.player = setInterval(() => {
        move(1);
        if (view.at[key] === picture.n || !stage.isConnected) { clearInterval(view.player); view.player = 0; redraw(); }
      }, 900);
    }
    redraw();
  });
  // Nothing moves by itself for those who asked for that.
  play.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const acts = element("span", "acts");
  steps.append(...controls, count, play);
  if (picture.slider) {
    const slider = element("input");
    Object.assign(slider, { type: "range", min: 0, max: picture.n, step: 1 });
    slider.setAttribute("aria-label", "γ");
    slider.addEventListener("input", () => move(Number(slider.value) - view.at[key]));
    steps.append(slider);
  }
  steps.append(acts);
  function redraw() {
    const at = view.at[key];
    says.textContent = picture.show(box, at);
    count.textContent = `${at} / ${picture.n}`;
    [0, 0, picture.n, picture.n].forEach((end, n) => { controls[n].disabled = at === end; });
    play.textContent = view.player ? "Stop" : "Play";
    const slider = steps.querySelector("input");
    if (slider) {
      slider.value = at;
      slider.setAttribute("aria-valuetext", GAMMAS[at]);
    }
    acts.replaceChildren(...(picture.acts?.(at) || []).map(([label, help, act]) => button("small", label, () => { act(); redraw(); acts.querySelector("button")?.focus(); }, help)));
    drawFigures(view, lesson, pair, figures);
  }
  stage.append(...(tabs.childElementCount ? [tabs] : []), box, says, steps, figures);
  view.step = move;
  redraw();
}

// The figures taught so far; of the story they wait for a guess.
function drawFigures(view, lesson, pair, box) {
  const scores = lesson.real ? lesson.real.counts : scoresOf(pair, gammaOf(view));
  const isSeen = isOwn(view) && !lesson.real ? true : guessState(view, lesson).isSeen;
  box.replaceChildren(...lesson.figures.map((name) => {
    const one = element("span", "figure");
    one.title = FIGURES[name][1];
    const of = name === "nsfd" ? scores.nsfdOf : scores.n;
    one.append(element("span", "soft", FIGURES[name][0]),
      element("b", "", isSeen ? percentOf(scores[name], of) : "?"), element("span", "soft", isSeen ? `${scores[name]}/${of}` : ""));
    return one;
  }), element("span", "soft", isSeen ? "" : "guess first"));
}

// The last two chapters: what was guessed, and the teacher's page; both can be printed.
function closing(view, lesson) {
  const asked = view.lessons.filter((one) => one.option);
  const paper = element("div", "paper");
  paper.tabIndex = 0;
  paper.setAttribute("role", "group");
  paper.setAttribute("aria-label", lesson.title);
  if (lesson.name === "guesses") {
    paper.append(guessTable(asked));
  } else {
    for (const { heading, lines } of view.host.payload.teacher) {
      const list = element("ul");
      for (const line of lines) list.append(element("li", "", line));
      paper.append(element("h2", "", heading), list);
    }
    paper.append(element("h2", "", "Guesses, with answers"));
    const list = element("ul");
    for (const one of asked) {
      list.append(element("li", "", `${one.title}. ${filled(one, one.prompt)} – ${one.option[rightOption(one)].says}. ${filled(one, one.why)}`));
    }
    paper.append(list);
  }
  const row = element("div", "steps");
  row.append(button("small", "Print", () => printed(lesson.heading, [paper])));
  if (lesson.name === "teacher") row.append(button("small", "Print a sheet for the class", () => printed("What went wrong?", classSheet(asked))));
  if (lesson.name === "guesses") {
    row.append(button("small", "Clear all guesses", () => { guesses.clear(); view.guess = {}; drawStage(view); }));
  }
  view.stage.append(row, paper);
}

// The story on paper, with its questions and no answer.
function classSheet(lessons) {
  return lessons.flatMap((lesson) => {
    const texts = Object.entries(lesson.systems || {}).map(([name, text]) => element("p", "", `machine ${name}: ${text.replaceAll("\n", " / ")}`));
    const clerk = lesson.page ? [element("p", "", `clerk: ${lesson.page.flat().join(" / ")}`)] : [];
    const options = element("p", "", lesson.option.map(({ says }) => `☐ ${says}`).join("     "));
    return [element("h2", "", lesson.heading), ...clerk, ...texts, element("p", "", filled(lesson, lesson.prompt)), options];
  });
}

// Two boxes for one's own text, and examples; made once, so that typing is not disturbed.
function ownText(view) {
  const box = element("details", "own");
  box.append(element("summary", "", "Own text"));
  const areas = ["reference", "output"].map((side) => {
    const label = element("label", "", side);
    const area = element("textarea");
    Object.assign(area, { rows: 2, maxLength: MOST_LETTERS, dir: "auto", name: side, spellcheck: false });
    area.addEventListener("input", () => {
      view[side] = area.value;
      note();
      drawAbout(view);
      drawStage(view);
      clearTimeout(view.timer);
      view.timer = setTimeout(() => wishShow(view), 600);
    });
    area.addEventListener("change", () => wishShow(view));
    label.append(area);
    box.append(label);
    return area;
  });
  const full = element("p", "soft");
  full.setAttribute("role", "status");
  const note = () => {
    const sides = areas.filter((area) => area.value.length >= MOST_LETTERS).map((area) => area.name);
    full.textContent = sides.length ? `The ${sides.join(" and the ")} is full: ${MOST_LETTERS} characters at most.` : "";
  };
  const take = (reference, output) => {
    Object.assign(view, { reference, output });
    fillBoxes(view);
    drawAbout(view);
    drawStage(view);
    wishShow(view);
  };
  const row = element("div", "options");
  const examples = view.host.payload.examples;
  const choice = chooser("", "Examples", [["", "Examples …"], ...examples.map(({ name }) => [name, name])], "", (name) => {
    const found = examples.find((one) => one.name === name);
    if (found) take(found.reference, found.output);
    choice.value = "";
  });
  row.append(choice, button("small", "Back to the story", () => take("", "")));
  if (navigator.clipboard) {
    const copy = button("small", "Copy link", async () => {
      wishShow(view);
      // The address follows as soon as the host has taken up the text.
      setTimeout(() => navigator.clipboard.writeText(location.href).then(
        () => { copy.textContent = "Copied"; setTimeout(() => { copy.textContent = "Copy link"; }, 1500); }, () => {}), 700);
    }, "The address of this lesson with these texts");
    row.append(copy);
  }
  box.append(full, row);
  view.areas = areas;
  view.note = note;
  return box;
}

function fillBoxes(view) {
  view.areas[0].value = view.reference;
  view.areas[1].value = view.output;
  view.note();
  if (isOwn(view)) view.ownBox.open = true;
}

// Space and → step on, ← back; n and p turn to other chapters.
function listen(view) {
  const act = (event) => {
    if (!view.frame.isConnected) {
      document.removeEventListener("keydown", act);
      return;
    }
    const [target] = event.composedPath();
    if (event.ctrlKey || event.metaKey || event.altKey || /^(TEXTAREA|SELECT|INPUT)$/.test(target.tagName || "")) return;
    if (event.key === " " && /^(BUTTON|SUMMARY|A)$/.test(target.tagName || "")) return;
    const step = { " ": 1, ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step && view.step) view.step(step);
    else if (event.key === "n") go(view, 1);
    else if (event.key === "p") go(view, -1);
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", act);
}
