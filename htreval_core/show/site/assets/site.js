// The site: its frame, and what becomes of wishes. The address says what is shown, as in the app.

const TITLES = { index: "Overview", page: "Page", compare: "Compare", errors: "Errors", learn: "Learn" };
const LONGEST = 600;
const NEAR = 2000;
const AT_ONCE = 60;
const name = document.body.dataset.view;
const params = () => Object.fromEntries(new URLSearchParams(location.search));
let site = null;
let shownErrors = AT_ONCE;
let drawing = 0;

function make(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function query(given) {
  const text = new URLSearchParams(Object.entries(given).filter(([, value]) => value)).toString();
  return text ? `?${text}` : "";
}

const addressOf = (view, given) => `${view}.html${query(given)}`;

// Another page means no word; another view keeps what all of them share.
function change(changes) {
  const before = params();
  const isOther = ["page", "system"].some((one) => one in changes && changes[one] !== before[one]);
  const given = { ...before, ...(isOther ? { word: "", event: "", repaired: "" } : {}), ...changes };
  history.pushState(null, "", `${location.pathname.split("/").pop() || "index.html"}${query(given)}`);
  draw();
}

const leave = (view, given) => location.assign(addressOf(view, given));
const shared = () => {
  const { system, page, other, rank, embed } = params();
  return { system, page, other, rank, embed };
};

function systemNumber(given) {
  const at = site.systems.findIndex((one) => one.name === given.system);
  return at < 0 ? site.first : at;
}

// Of an address with systems that this site does not hold.
const lostSystems = ({ system, other }) => [system, other].filter((one) => one && name !== "learn"
  && !site.systems.some((two) => two.name === one)).map((one) => make("p", "note",
  `This site has no system called \u2068${one}\u2069; another one is shown.`));

const pageNumber = (id) => site.pages.findIndex(([one]) => one === id);

function host(takes, wish) {
  return { takes: (what) => takes.includes(what), wish, keep: () => {} };
}

// The element of a view, made where it is not there yet, under what stands above it.
const parents = new Map();
function under(key, ...above) {
  if (!parents.has(key)) {
    const box = make("div", `view ${key}`);
    parents.set(key, box);
    document.querySelector("main").append(box);
  }
  const box = parents.get(key);
  above.unshift(...lostSystems(params()));
  let head = document.querySelector(".above");
  if (above.length || head) {
    if (!head) {
      head = make("div", "above");
      document.querySelector("main").prepend(head);
    }
    head.replaceChildren(...above);
  }
  return box;
}

function chooser(label, options, chosen, act) {
  const made = make("select");
  made.setAttribute("aria-label", label);
  options.forEach(([value, text]) => {
    const option = make("option", "", text);
    option.value = value;
    option.selected = value === chosen;
    made.append(option);
  });
  made.addEventListener("change", () => act(made.value));
  return made;
}

const DRAW = {
  async index(given) {
    const system = systemNumber(given);
    const rank = site.ranks.some(([one]) => one === given.rank) ? given.rank : site.ranks[0][0];
    const isOut = given.where === "not in doubt" && site.without.includes("doubt");
    const payload = await htreval.load(`overview/${isOut ? "doubt" : "all"}-${system}-${rank}`);
    return () => htreval.draw("overview", under("overview"), payload,
      host(["page", "system", "rank", "doubt", "catastrophe"], (what, value) => {
        const [first, second] = value || [];
        if (what === "page") leave("page", { ...shared(), page: first, system: second });
        else if (what === "system") change({ system: first });
        else if (what === "rank") change({ rank: first });
        else if (what === "catastrophe") change({ system: first, rank: "catastrophe" });
        else if (what === "doubt") change({ where: isOut ? "" : "not in doubt" });
      }));
  },

  async page(given) {
    const system = systemNumber(given);
    const rank = site.ranks.some(([one]) => one === given.rank) ? given.rank : site.ranks[0][0];
    const order = site.orders[system][rank].filter((one) => site.open.includes(one));
    const wanted = pageNumber(given.page);
    if (!order.length) return () => say("No page of this system is part of this site.");
    const number = order.includes(wanted) ? wanted : order[0];
    const place = order.indexOf(number);
    const state = pageState(given);
    const file = `page/${String(number).padStart(4, "0")}-${system}`;
    const plain = await htreval.load(file);
    const known = plain.repairs.sets.find((one) => one.join() === state.repaired.join());
    const repaired = known || [];
    const suffix = repaired.length ? `-${repaired.map((one) => one + 1).join("+")}`
      : state.view === "trace" ? "-trace" : "";
    const found = suffix ? await htreval.load(file + suffix) : plain;
    const start = order.length <= NEAR ? 0 : Math.max(place - 100, 0);
    const near = order.slice(start, order.length <= NEAR ? undefined : place + 101);
    const id = site.pages[number][0];
    const payload = {
      ...found,
      head: { ...found.head, pages: near.map((one) => site.pages[one]), place, total: order.length,
        rank, ranks: site.ranks },
      event: repaired.length ? null : state.event,
      picked: state.picked,
      repaired,
      mode: state.mode,
      marks: plain.marks,
      repairs: plain.repairs,
      rules: { float: [], "leave-out": [], either: [] },
    };
    const lost = given.page && wanted !== number;
    const note = wanted < 0 ? "This site has no such page; this is the first." : site.open.includes(wanted) ? "This system has not read that page; this is its first one."
      : `That page is not among the ${site.open.length} that this site holds.`;
    const takes = ["page", "step", "system", "view", "mode", "word", "event", "rank", "repair"];
    return () => htreval.draw("page", under("page", ...(lost && note ? [make("p", "note", note)] : [])), payload,
      host(takes, (what, value, from) => {
        if (what === "page") change({ page: value, system: site.systems[system].name });
        else if (what === "step") {
          const at = order.indexOf(pageNumber(from)) + Number(value);
          change({ page: site.pages[order[Math.min(Math.max(at, 0), order.length - 1)]][0],
            system: site.systems[system].name });
        } else if (what === "system") change({ system: value, page: id });
        else if (what === "rank") change({ rank: value, page: id });
        else if (what === "view") change({ view: value === "trace" ? value : "" });
        else if (what === "mode") change({ mode: value });
        else if (what === "word") change({ word: wordName(value) });
        else if (what === "event") change({ event: payload.event === value ? "" : String(value + 1), repaired: "" });
        else if (what === "repair") {
          const next = nextRepair(payload.repairs, repaired, value, state.event);
          change({ repaired: next.map((one) => one + 1).join("+") });
        }
      }));
  },

  async compare(given) {
    if (!site.pairs.length) return () => say("This site holds only one system, so there is nothing to compare.");
    const at = [given.system, given.other].map((one) => site.systems.findIndex((two) => two.name === one));
    const pair = site.pairs.find((one) => one.join() === at.join())
      || site.pairs.find(([one]) => one === at[0]) || site.pairs.find(([one]) => one === site.first) || site.pairs[0];
    const file = `compare/${pair.join("-")}`;
    const told = await htreval.load(file);
    const order = told.order.filter((one) => site.open.includes(one));
    const wanted = pageNumber(given.page);
    const number = order.includes(wanted) ? wanted : order[0];
    const texts = number === undefined ? null
      : await htreval.load(`${file}-${String(number).padStart(4, "0")}`);
    const id = number === undefined ? "" : site.pages[number][0];
    const names = pair.map((one) => site.systems[one]);
    const goTo = (page) => {
      change({ page, system: names[0].name, other: names[1].name });
    };
    const pick = (label, side, act) => chooser(label, site.systems.map((one, n) => [String(n), `${label}  ${one.shown}`])
      .filter(([one]) => site.pairs.some((two) => two[side] === Number(one) && (!side || two[0] === pair[0]))),
    String(pair[side]), (value) => act(site.systems[Number(value)].name));
    const goPair = (a, b) => change({ system: a, other: b, page: id });
    const swap = make("button", "", "⇄");
    swap.title = "Swap A and B";
    swap.setAttribute("aria-label", swap.title);
    swap.addEventListener("click", () => goPair(names[1].name, names[0].name));
    const which = make("span", "pair");
    which.append(pick("A", 0, (name) => goPair(name, names[name === names[1].name ? 0 : 1].name)), " ", swap, " ",
      pick("B", 1, (name) => goPair(names[0].name, name)));
    return () => {
      const above = [which, make("h1", "", told.head)];
      if (given.page && wanted !== number) {
        above.push(make("p", "note", "This site does not hold that page under both systems; this is another one."));
      }
      if (told.line) above.push(make("p", "", told.line));
      above.push(...told.warnings.map((one) => make("p", "note", one)));
      const only = host(["page"], (what, value) => goTo(value));
      if (texts) {
        const walk = number === undefined ? [] : order.slice(Math.max(order.indexOf(number) - 500, 0), order.indexOf(number) + 501);
        htreval.draw("threeway", under("threeway", ...above), { ...texts, pages: walk.map((one) => site.pages[one]) }, only);
      }
      htreval.draw("compare", under("compare", ...above), { ...told.view, page: id }, only);
    };
  },

  async errors(given) {
    const system = systemNumber(given);
    const all = await htreval.load(`errors/${system}`);
    const asked = { tab: "", find: "", which: "", sort: "", ...given };
    const rows = asked.tab === "lines" ? [] : foundErrors(all, asked);
    const first = rows.slice(0, shownErrors);
    const chunks = [...new Set(first.map((one) => one.chunk).filter((one) => one >= 0))];
    const inks = await Promise.all(chunks.map((one) => htreval.load(`errors/${system}-crops-${one}`)));
    const crops = Object.assign({}, ...inks);
    const tab = ["words", "lines"].includes(asked.tab) ? asked.tab : "";
    const payload = tab === "lines" ? { ...all.lines, tab } : {
      ...all, tab, find: asked.find, which: asked.which, sort: asked.sort, lines: null,
      matrix: tab ? null : all.matrix,
      words: tab === "words" ? all.commonest[asked.which] || all.commonest[""] : null,
      total: rows.length, pages: new Set(rows.map((one) => one.at[0])).size,
      tiles: first.map((one) => ({ ...one, crop: crops[one.number] || null })),
    };
    const openWord = ([page, word], view) => leave("page", { ...shared(),
      page: site.pages[page][0], system: site.systems[system].name, word: `ref:${word}`, view });
    const above = [make("h1", "", all.title)];
    if (site.systems.length > 1) {
      above.push(chooser("System", site.systems.map((one) => [one.name, one.shown]),
        site.systems[system].name, (value) => { shownErrors = AT_ONCE; change({ system: value }); }));
    }
    above.push(make("p", "", all.told));
    return () => htreval.draw("errors", under("errors", ...above), payload,
      host(["show", "more", "word", "line"], (what, value) => {
        if (what === "show") {
          shownErrors = AT_ONCE;
          change(value);
        } else if (what === "more") {
          shownErrors += AT_ONCE;
          draw();
        } else if (what === "word") openWord(all.rows.find((one) => one.number === value).at, "");
        else if (what === "line") openWord(all.linesAt[value], "trace");
      }));
  },
};

DRAW.learn = async ({ lesson, reference = "", output = "" }) => {
  const told = await htreval.load("learn");
  const isKnown = told.lessons.some((one) => one.name === lesson);
  const payload = { ...told, lesson: isKnown ? lesson : told.lesson,
    reference: reference.slice(0, LONGEST), output: output.slice(0, LONGEST) };
  return () => htreval.draw("learn", under("learn"), payload, host(["show", "page"], (what, value) => {
    if (what === "show") change(value);
    else if (what === "page") leave("page", { page: value[0], system: value[1], event: String(value[2] + 1) });
  }));
};

// The errors that are asked for, as the app finds them: "rn→m", or a part of a word.
function foundErrors(all, { find, which, sort }) {
  const arrow = ["→", "->", ">"].find((one) => find.includes(one));
  const fold = (text) => text.normalize().toLowerCase();
  let fits = ({ read }) => fold(read.word).includes(fold(find.trim())) || fold(read.as).includes(fold(find.trim()));
  if (arrow) {
    const at = find.indexOf(arrow);
    const [from, to] = [find.slice(0, at).trim(), find.slice(at + arrow.length).trim()];
    fits = ({ read }) => (read.word === from && read.as === to)
      || read.pairs.some(([one, two]) => one === from && two === to);
  }
  const isKind = all.kinds.some(([kind]) => kind === which);
  const rows = all.rows.filter((one) => (!isKind || one.kinds.includes(which)) && fits(one));
  if (sort === "often") {
    const key = ({ read }) => `${read.word}\u0000${read.as}`;
    const times = new Map();
    for (const one of rows) times.set(key(one), (times.get(key(one)) || 0) + 1);
    const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    rows.sort((a, b) => times.get(key(b)) - times.get(key(a)) || order(key(a), key(b)) || a.number - b.number);
  }
  return rows;
}

function say(text) {
  under("said", make("p", "note", text));
}

async function draw() {
  drawing += 1;
  const own = drawing;
  try {
    const act = await DRAW[name](params());
    // Who clicked on meanwhile wants the later one.
    if (own !== drawing) return;
    act();
    followAddress();
  } catch (error) {
    if (own === drawing) say(error.message);
  }
  document.documentElement.dataset.drawn = String(own);
}

// Links to the other views keep what is chosen.
function followAddress() {
  for (const link of document.querySelectorAll("nav a")) link.href = addressOf(link.dataset.view, shared());
}

// The code that shows this page in another one.
function embedding() {
  const box = make("dialog", "embed");
  const code = make("textarea");
  code.readOnly = true;
  code.rows = 5;
  code.setAttribute("aria-label", "Code for another page");
  const copy = make("button", "", "Copy");
  const close = make("button", "", "Close");
  copy.addEventListener("click", () => {
    code.select();
    navigator.clipboard?.writeText(code.value);
  });
  close.addEventListener("click", () => box.close());
  const acts = make("p");
  acts.append(copy, " ", close);
  const told = make("p");
  box.append(told, code, acts);
  const open = make("button", "", "Embed");
  open.addEventListener("click", () => {
    const address = new URL(addressOf(name, { ...params(), embed: "1" }), location.href);
    const frame = make("iframe");
    for (const [key, value] of [["src", address.href], ["title", document.title], ["width", "100%"],
      ["height", "640"], ["loading", "lazy"]]) frame.setAttribute(key, value);
    told.textContent = location.protocol === "file:"
      ? "This address works on this computer only: publish the folder first."
      : "Put this into the HTML of a blog or a course. It shows what this address shows.";
    code.value = new XMLSerializer().serializeToString(frame).replace(/ xmlns="[^"]*"/, "");
    box.showModal();
    code.select();
  });
  document.body.append(box);
  return open;
}

function frame() {
  const header = make("header");
  const nav = make("nav");
  nav.setAttribute("aria-label", "Views");
  for (const [view, title] of Object.entries(TITLES)) {
    if (view === "compare" && !site.pairs.length) continue;
    const link = make("a", "", title);
    link.dataset.view = view;
    link.href = addressOf(view, shared());
    if (view === name) link.setAttribute("aria-current", "page");
    nav.append(link);
  }
  header.append(nav, make("span", "data", site.title), embedding());
  const footer = make("footer");
  footer.append(make("p", "", site.signature));
  document.body.prepend(header);
  document.body.append(make("main"), footer);
  document.title = `${TITLES[name]}: ${site.title}`;
  document.body.classList.toggle("embedded", params().embed === "1");
}

async function start() {
  if (typeof DecompressionStream === "undefined" || !("adoptedStyleSheets" in Document.prototype)) {
    document.body.append(make("p", "note", "This browser is too old for these pages: they need one of 2023 or later."));
    return;
  }
  try {
    site = await htreval.load("site");
  } catch (error) {
    document.body.append(make("p", "note", error.message));
    return;
  }
  frame();
  // A projector has no room for what stands around a view.
  document.addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    const types = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (event.key !== "h" || types || event.ctrlKey || event.metaKey || event.altKey) return;
    document.body.classList.toggle("embedded");
    event.preventDefault();
  });
  window.addEventListener("popstate", draw);
  draw();
}

start();
