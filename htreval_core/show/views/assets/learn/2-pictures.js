// The pictures that are stepped through. Each is made of two texts and gives `n`, its steps beyond
// the first sight, and `show(box, at)`, which draws one of them and returns what is to be said of it.

const GAMMAS = ["0", "0.1", "0.5", "1", "2", "5", "10", "20", "50", "100"];
const BY_CELL = 150;

const many = (n, one, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;
// Signs that nobody sees, or that turn other text, by their numbers, as in the other views.
const legible = (word) => word.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
  (one) => `‹U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}›`);

function short(word, most = 13) {
  const signs = [...legible(word)];
  return signs.length > most ? `${signs.slice(0, most - 1).join("")}…` : signs.join("");
}


const quoted = (word) => `‘${isolated(short(word, 24))}’`;
// Which way a text runs, as its first word does.
const directionOf = (words) => (/^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u.test(words[0] || "") ? "rtl" : "ltr");

// A cost in letters, rounded to hundredths.
function cost(sum, unit) {
  const hundredths = (sum * 200n + unit) / (2n * unit);
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;
}

function percentOf(count, n) {
  return n ? `${((100 * count) / n).toFixed(1)} %` : "–";
}

// Scrolls a box so far that a place of its picture is in sight, and never the page.
function inSight(box, x, y) {
  const scale = Number(box.dataset.scale) || 1;
  const reach = (at, from, size) => Math.max(Math.min(from, at - 30), at + 50 - size);
  box.scrollTo(reach(scale * x, box.scrollLeft, box.clientWidth), reach(scale * y, box.scrollTop, box.clientHeight));
}

// A picture fills its box up to a projector’s; where it has no room it scrolls.
function canvas(box, width, height, label, role = "img") {
  const [wide, high] = [box.clientWidth - 14, box.clientHeight - 14];
  const scale = Math.max(Math.min(wide / width, high / height, 2.4), Math.min(Math.max(wide / width, 0.8), 1));
  box.dataset.scale = scale;
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width: width * scale, height: height * scale, role, "aria-label": label });
  box.replaceChildren(svg);
  return svg;
}

function written(svg, x, y, text, more = {}) {
  const made = drawn("text", { x, y, ...more }, text);
  svg.append(made);
  return made;
}

const OPS = {
  hit: ["=", "as it is"], sub: ["≠", "replaced"], del: ["−", "left out"], ins: ["+", "added"],
};
const opOf = ({ ref, hyp }, [j, k]) => (j < 0 ? "ins" : k < 0 ? "del" : ref[j] === hyp[k] ? "hit" : "sub");

// WER: the edit distance cell by cell, then the way back.
function gridPicture(pair) {
  const { ref, hyp } = pair;
  const table = editTable(ref, hyp), trace = traceOf(ref, hyp);
  const cells = ref.length * hyp.length;
  const leap = cells > BY_CELL ? Math.max(hyp.length, 1) : 1;
  const fills = Math.ceil(cells / leap);
  // The cells of the way, from the last to the first.
  const way = [[0, 0, ""]];
  trace.forEach((row) => {
    const [i, k] = way.at(-1);
    way.push([i + (row[0] < 0 ? 0 : 1), k + (row[1] < 0 ? 0 : 1), opOf(pair, row), row]);
  });
  way.reverse();
  const [left, top, wide, high] = [86, 26, 46, 24];
  const rule = (i, k) => {
    const [a, b] = [quoted(ref[i - 1]), quoted(hyp[k - 1])];
    if (ref[i - 1] === hyp[k - 1]) return `${a} on both sides: nothing to pay, ${table[i][k]} as before both.`;
    const [replace, drop, add] = [table[i - 1][k - 1], table[i - 1][k], table[i][k - 1]];
    return `${a} is not ${b}: 1 more than the least of ${replace} (replace), ${drop} (leave out) and ${add} (add): ${table[i][k]}.`;
  };
  const show = (box, at) => {
    const filled = Math.min(at, fills) * leap, back = Math.max(at - fills, 0);
    const svg = canvas(box, left + (hyp.length + 1) * wide + 2, top + (ref.length + 1) * high + 2,
      "The edit distance of every beginning of the reference to every beginning of the output");
    const onWay = new Map(way.slice(0, back).map(([i, k, op]) => [`${i},${k}`, op]));
    for (let i = 0; i <= ref.length; i += 1) {
      if (i) written(svg, left - 6, top + i * high + 16, short(ref[i - 1], 11), { "text-anchor": "end", class: "word" });
      for (let k = 0; k <= hyp.length; k += 1) {
        if (!i && k) written(svg, left + k * wide + wide / 2, 16, short(hyp[k - 1], 7), { "text-anchor": "middle", class: "word" });
        const number = (i - 1) * hyp.length + k;
        const isShown = !i || !k || number <= filled;
        const [x, y] = [left + k * wide, top + i * high];
        const isNow = i && k && at && at <= fills && number === Math.min(filled, cells);
        const op = onWay.get(`${i},${k}`);
        svg.append(drawn("rect", { x, y, width: wide, height: high,
          class: `cell ${isShown ? "" : "empty"} ${isNow ? "now" : ""} ${op === undefined ? "" : `way ${op}`}` }));
        if (isShown) {
          written(svg, x + wide / 2, y + 16.5, `${op && op !== "hit" ? `${OPS[op][0]} ` : ""}${table[i][k]}`, { "text-anchor": "middle" });
        }
        if (isNow && leap === 1) {
          const from = ref[i - 1] === hyp[k - 1] ? [-1, -1]
            : [[-1, -1], [-1, 0], [0, -1]].find(([a, b]) => table[i + a][k + b] + 1 === table[i][k]);
          svg.append(drawn("path", { class: "from", d: `M${x + wide / 2 + from[1] * wide * 0.62},${y + high / 2 + from[0] * high * 0.62}L${x + wide / 2 + from[1] * wide * 0.34},${y + high / 2 + from[0] * high * 0.34}` }));
        }
      }
    }
    const lastCell = Math.max(Math.min(filled, cells) - 1, 0);
    const [i, k] = back ? way[Math.min(back, way.length) - 1]
      : hyp.length ? [Math.floor(lastCell / hyp.length) + 1, (lastCell % hyp.length) + 1] : [0, 0];
    inSight(box, left + k * wide, top + i * high);
    if (!at) return "The reference runs down the side, the output along the top. Each cell will hold the fewest words to replace, leave out or add to get that far.";
    if (!back) return leap === 1 && cells ? rule(i, k) : `The row of ${quoted(ref[i - 1] || "")} is filled.`;
    if (back < way.length) {
      const [, , op, row] = way[back - 1];
      const word = quoted(row[0] < 0 ? hyp[row[1]] : ref[row[0]]);
      return `The way back: ${word} ${op === "sub" ? `was read as ${quoted(hyp[row[1]])}` : op === "hit" ? "is right" : `was ${OPS[op][1]}`}.`;
    }
    const n = (wanted) => way.filter(([, , op]) => op === wanted).length;
    return `${many(table.at(-1).at(-1), "error")}: ${n("sub")} replaced, ${n("del")} left out, ${n("ins")} added. The total is fixed; another path of the same length may split it otherwise.`;
  };
  return { n: fills + way.length, show };
}

// bWER: both bags, word by word.
function bagPicture({ ref, hyp }) {
  const rows = bagOf(ref, hyp);
  const show = (box, at) => {
    const done = rows.slice(0, at), now = done.at(-1);
    const total = (name) => done.reduce((sum, row) => sum + row[name], 0);
    const bag = (title, words, one, other, sign) => {
      const made = element("div", "bag");
      made.dir = directionOf(words);
      made.append(element("span", "soft", title));
      const seen = new Map();
      words.forEach((word) => {
        const row = rows.find((each) => each.word === word);
        const nth = (seen.get(word) || 0) + 1;
        seen.set(word, nth);
        const isDone = done.includes(row), isLeft = nth > Math.min(row[one], row[other]);
        const chip = element("span", `chip ${row === now ? "now" : ""} ${isDone ? (isLeft ? `left ${sign[0]}` : "gone") : ""}`,
          `${isDone ? (isLeft ? `${sign[1]} ` : "✓ ") : ""}${legible(word)}`);
        chip.dir = "auto";
        made.append(chip);
      });
      return made;
    };
    box.replaceChildren(bag("reference", ref, "inRef", "inHyp", ["del", "−"]), bag("output", hyp, "inHyp", "inRef", ["ins", "+"]));
    const current = box.querySelector(".chip.now");
    if (current) inSight(box, current.offsetLeft - box.offsetLeft, current.offsetTop - box.offsetTop);
    const sums = `So far ${total("missing")} missing, ${total("extra")} extra.`;
    if (!at) return "Each text is thrown into a bag: where a word stands is forgotten.";
    if (at <= rows.length) return `${quoted(now.word)}: ${now.inRef} in the reference, ${now.inHyp} in the output. ${sums}`;
    return `${total("missing")} missing, ${total("extra")} extra. A missing and an extra word make one misread word, so the larger number counts: ${Math.max(total("missing"), total("extra"))}.`;
  };
  return { n: rows.length + 1, show };
}

// ΔWER: what is left of WER when the bag has taken its errors.
function restPicture(pair) {
  const { wer, bwer, delta } = scoresOf(pair);
  const show = (box, at) => {
    const row = element("div", "squares");
    for (let n = 0; n < wer; n += 1) {
      const isBag = n < bwer;
      const look = at < 1 ? "" : isBag && at > 1 ? "ins" : at > 2 ? "mov" : "plain";
      row.append(element("span", `square ${look}`, at < 1 ? "" : isBag && at > 1 ? "b" : at > 2 ? "Δ" : "×"));
    }
    const words = element("p", "lines");
    words.dir = directionOf(pair.ref);
    traceOf(pair.ref, pair.hyp).forEach((one) => {
      const op = opOf(pair, one), [j, k] = one;
      const made = element("span", `chip ${at && op !== "hit" ? `left ${op}` : ""}`,
        op === "sub" ? `${legible(pair.ref[j])} → ${legible(pair.hyp[k])}` : `${at && op !== "hit" ? `${OPS[op][0]} ` : ""}${legible(k < 0 ? pair.ref[j] : pair.hyp[k])}`);
      made.dir = "auto";
      words.append(made);
    });
    box.replaceChildren(words, row);
    return ["Both texts in the order in which WER reads them.",
      `WER counts ${many(wer, "error")}: a square each.`,
      `The bag accounts for ${bwer} of them: words misread, left out or added wherever they stand.`,
      delta ? `What is left is ΔWER: ${delta}. Most of it is the price of order, now and then of chance.` : "Nothing is left: ΔWER is 0.",
    ][Math.min(at, 3)];
  };
  return { n: 3, show };
}

// Where the columns stand.
const [FROM, TO, LANES] = [236, 336, 550];

// Both texts as columns with lines between mates. `left` and `right` say what stands beside a word.
function lanes(box, pair, mates, { label, shown = () => true, now = -1, nowHyp = -1, rival, left = () => "", right = () => "", faint = () => false, high = 24, role }) {
  const { ref, hyp } = pair;
  const svg = canvas(box, LANES, Math.max(ref.length, hyp.length) * high + 8, label, role);
  const y = (n) => n * high + high / 2 + 4;
  const line = (j, k, className) => svg.append(drawn("path", { class: `${className} ${ref[j] === hyp[k] ? "same" : "unlike"}`, d: `M${FROM},${y(j)}L${TO},${y(k)}` }));
  const taken = new Set(mates);
  mates.forEach((k, j) => { if (k >= 0 && shown(j)) line(j, k, `link ${j === now ? "now" : ""}`); });
  if (rival) rival.forEach((k, j) => { if (k >= 0 && k !== mates[j]) line(j, k, "link rival"); });
  ref.forEach((word, j) => {
    written(svg, FROM - 13, y(j) + 4, short(word), { "text-anchor": "end", class: `word ${j === now ? "now" : ""} ${faint("ref", j) ? "faint" : ""}` });
    written(svg, 4, y(j) + 4, left(j), { class: "cost" });
    svg.append(drawn("circle", { cx: FROM, cy: y(j), r: 4, class: "dot" }));
  });
  hyp.forEach((word, k) => {
    written(svg, TO + 13, y(k) + 4, short(word), { class: `word ${k === nowHyp || (now >= 0 && mates[now] === k) ? "now" : ""} ${faint("hyp", k) ? "faint" : ""}` });
    svg.append(drawn("circle", { cx: TO, cy: y(k), r: 4, class: "dot" }));
    written(svg, LANES - 4, y(k) + 4, right(k, taken.has(k)), { class: "cost", "text-anchor": "end" });
  });
  return { svg, y, line, high };
}

const halves = (n) => `${n / 2}`;

// hWER: the matching pair by pair, with what each costs; lines can be dragged to other words.
function matchingPicture(pair, { gamma, redraw }) {
  const { ref, hyp } = pair;
  const best = matchingOf(ref, hyp, gamma), price = priced(ref, hyp, best, gamma);
  const longer = Math.max(ref.length, hyp.length);
  const own = { mates: null, rival: null };
  const inOrder = Array(ref.length).fill(-1);
  traceOf(ref, hyp).forEach(([j, k]) => { if (j >= 0) inOrder[j] = k; });
  const sum = (mates) => { const all = priced(ref, hyp, mates, gamma); return cost(all.sum, all.unit); };
  const told = ({ j, k, halves: n, apart, cost: paid }) => (j < 0 || k < 0
    ? `${quoted(j < 0 ? hyp[k] : ref[j])} stays alone: half its letters, ${halves(n)}, and one step of γ/${longer}: ${cost(paid, price.unit)}.`
    : `${quoted(ref[j])} with ${quoted(hyp[k])}: ${many(n / 2, "letter")} and ${many(apart, "place")} apart at γ/${longer} each: ${cost(paid, price.unit)}.`);
  const put = (j, k) => {
    const mates = [...(own.mates || best)];
    const other = k < 0 ? -1 : mates.indexOf(k);
    if (other >= 0 && other !== j) mates[other] = mates[j];
    mates[j] = k;
    own.mates = mates;
    own.rival = null;
  };
  const show = (box, at) => {
    const isAll = own.mates || at > price.rows.length;
    const mates = own.mates || best, rows = own.mates ? priced(ref, hyp, mates, gamma).rows : price.rows;
    const now = own.mates || isAll || !at ? null : rows[at - 1];
    const isShown = (row) => isAll || rows.indexOf(row) < at;
    const side = (row) => (row && isShown(row) ? `${halves(row.halves)} + ${row.apart}·γ/${longer} = ${cost(row.cost, price.unit)}` : "");
    const drawnLanes = lanes(box, pair, mates, {
      label: "Words of the reference and of the output with lines between mates", role: isAll ? "group" : "img",
      shown: (j) => isShown(rows[j]), now: now ? now.j : -1, nowHyp: now ? now.k : -1, rival: own.rival,
      left: (j) => side(rows[j]), right: (k, isTaken) => (isTaken ? "" : side(rows.find((row) => row.j < 0 && row.k === k))),
    });
    if (isAll) grip(box, drawnLanes, pair, mates, put, redraw);
    if (now) inSight(box, 0, drawnLanes.y(now.j < 0 ? now.k : now.j));
    if (own.mates) {
      const all = priced(ref, hyp, own.mates, gamma);
      const more = all.sum - price.sum;
      return `Your pairing costs ${cost(all.sum, all.unit)}${more ? `, ${cost(more, all.unit)} more than the best` : ": as cheap as the best"}.`;
    }
    if (!at) return "Every word looks for a mate. A pair costs the letters that differ and the places between; a word alone costs half its letters.";
    if (now) {
      const rival = own.rival ? ` Without this pair the cheapest pairing is the dashed one: ${sum(own.rival)} instead of ${sum(best)}.` : "";
      const sofar = rows.slice(0, at).reduce((all, row) => all + row.cost, 0n);
      return `${told(now)}${rival || ` Together ${cost(sofar, price.unit)}.`}`;
    }
    return `The total is ${sum(best)}, and no other pairing is cheaper: paired in order, as WER pairs them, these words cost ${sum(inOrder)}. Drag a line and see.`;
  };
  const acts = (at) => [
    ["Try it yourself", "Drag a line to another word, or press ↑ and ↓ on its end", () => { own.mates = [...best]; own.rival = null; }, !own.mates],
    ["Back to the best", "", () => { own.mates = null; own.rival = null; }, Boolean(own.mates)],
    ["Why not otherwise?", "The cheapest pairing without this pair", () => {
      const { j, k } = price.rows[at - 1];
      own.rival = own.rival ? null : matchingOf(ref, hyp, gamma, [j, k]);
    }, !own.mates && at > 0 && at <= ref.length && best[at - 1] >= 0],
  ].filter(([, , , isOffered]) => isOffered);
  return { n: price.rows.length + 1, show, acts, moved: () => { own.mates = null; own.rival = null; } };
}

// The ends of lines can be taken hold of, with a pointer and with keys.
function grip(box, { svg, y, high }, { ref, hyp }, mates, put, redraw) {
  ref.forEach((word, j) => {
    const handle = drawn("circle", {
      cx: FROM, cy: y(j), r: 8, class: "handle", tabindex: 0, role: "slider", "aria-label": `Mate of ${legible(word)}`,
      "aria-valuemin": 0, "aria-valuemax": hyp.length, "aria-valuenow": mates[j] + 1, "data-j": j,
      "aria-valuetext": mates[j] < 0 ? "alone" : legible(hyp[mates[j]]),
    });
    const done = (k) => {
      if (k !== mates[j]) put(j, k);
      redraw();
      box.querySelector(`[data-j="${j}"]`)?.focus({ preventScroll: true });
    };
    handle.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      done(Math.min(Math.max(mates[j] + step, -1), hyp.length - 1));
    });
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
      const rubber = drawn("path", { class: "link rubber" });
      svg.append(rubber);
      const place = (moved) => {
        const frame = svg.getBoundingClientRect(), scale = LANES / frame.width;
        return [(moved.clientX - frame.left) * scale, (moved.clientY - frame.top) * scale];
      };
      const follow = (moved) => { const [x, at] = place(moved); rubber.setAttribute("d", `M${FROM},${y(j)}L${x},${at}`); };
      handle.addEventListener("pointermove", follow);
      handle.addEventListener("pointercancel", redraw, { once: true });
      handle.addEventListener("pointerup", (moved) => {
        const [x, at] = place(moved);
        const k = Math.floor((at - 4) / high);
        done(x < (FROM + TO) / 2 ? (Math.abs(x - FROM) < 12 ? mates[j] : -1) : Math.min(Math.max(k, 0), hyp.length - 1));
      }, { once: true });
    });
    svg.append(handle);
  });
}

// γ: each step is a value of it; lines and figures follow.
function gammaPicture(pair) {
  const { ref, hyp } = pair;
  const all = GAMMAS.map((gamma) => {
    const mates = matchingOf(ref, hyp, gamma);
    return { gamma, mates, scores: scoresOf(pair, gamma, mates) };
  });
  const show = (box, at) => {
    const { gamma, mates, scores } = all[at];
    lanes(box, pair, mates, { label: `The matching at γ = ${gamma}`, high: 20 });
    const bars = element("div", "bars-of");
    const most = Math.max(...all.map((one) => one.scores.hwer), scores.wer, 1);
    for (const [name, n, look] of [["bWER", scores.bwer, "ins"], [`hWER`, scores.hwer, "sub"], ["WER", scores.wer, "plain"]]) {
      const bar = element("span", `level ${look}`);
      bar.style.width = `${(100 * n) / most}%`;
      const cell = element("span", "rail");
      cell.append(bar);
      bars.append(element("b", "", name), cell, element("span", "", `${n}`));
    }
    box.prepend(bars);
    const equal = scores.hwer === scores.bwer ? "as the bag counts" : scores.hwer < scores.wer ? "more than the bag" : scores.hwer === scores.wer ? "as many as WER" : "more than WER";
    const why = gamma === "0" ? "Distance is free: a word may be matched anywhere."
      : scores.hwer === scores.bwer ? "Distance costs little: words still find their mates." : "Distance binds: a word would rather pair with an unlike neighbour than go far.";
    return `γ = ${gamma}. ${why} hWER counts ${scores.hwer}, ${equal}.`;
  };
  return { n: GAMMAS.length - 1, show, slider: true, start: GAMMAS.indexOf("1") };
}

// NSFD: from place to place.
function placesPicture(pair, { gamma }) {
  const { ref, hyp } = pair;
  const mates = matchingOf(ref, hyp, gamma), { rows, alone, sum, of } = placesOf(mates, hyp.length);
  const ofRef = new Map(rows.map((row) => [row.j, row])), ofHyp = new Map(rows.map((row) => [row.k, row]));
  const show = (box, at) => {
    const done = rows.slice(0, Math.max(at - 1, 0)), now = at > 1 && at - 2 < rows.length ? rows[at - 2] : null;
    const { y } = lanes(box, pair, mates, {
      label: "Places of the words on both sides", now: now ? now.j : -1,
      shown: (j) => at > rows.length + 1 || done.some((row) => row.j === j),
      faint: (side, n) => at > 0 && !(side === "ref" ? ofRef : ofHyp).has(n),
      left: (j) => (!at ? `place ${j + 1}` : !ofRef.has(j) ? "alone: + 1"
        : `place ${ofRef.get(j).from}${done.includes(ofRef.get(j)) ? `: + ${ofRef.get(j).apart}` : ""}`),
      right: (k) => (!at ? `place ${k + 1}` : ofHyp.has(k) ? `place ${ofHyp.get(k).to}` : "alone: + 1"),
    });
    if (now) inSight(box, 0, y(now.j));
    const sofar = alone + done.reduce((total, row) => total + row.apart, 0);
    if (!at) return "Every word has a place on either side.";
    if (at === 1) return alone ? `${many(alone, "word")} without a mate ${alone === 1 ? "is" : "are"} taken out, 1 for each: ${alone}. The others are renumbered.` : "Every word has a mate, so no place changes its number.";
    if (now) return `${quoted(ref[now.j])} went from place ${now.from} to ${now.to}: ${now.apart}. Together ${sofar}.`;
    return `Together ${sum}. A page read backwards would give ${of}: NSFD = ${sum}/${of} = ${percentOf(sum, of)}.`;
  };
  return { n: rows.length + 2, show };
}

const PICTURES = {
  grid: ["cell by cell", gridPicture], bag: ["both bags", bagPicture], rest: ["what is left", restPicture],
  matching: ["pair by pair", matchingPicture], gamma: ["γ", gammaPicture], places: ["from place to place", placesPicture],
};
