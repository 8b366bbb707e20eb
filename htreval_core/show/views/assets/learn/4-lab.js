// The laboratory: a text is spoiled step by step, by chance with a fixed seed, and its figures drawn.

const POINTS = 12;
const FINER = 5;
const MOST_RUNS = 31;
const CURVES = [
  ["wer", "WER", "", "circle"], ["bwer", "bWER", "6 3", "square"], ["delta", "ΔWER", "2 3", "diamond"],
  ["hwer", "hWER", "10 3 2 3", "triangle-up"], ["nsfd", "NSFD", "1 4", "x"],
];

// Marsaglia's xorshift32: the same numbers on every machine.
function chanceFrom(seed) {
  let state = seed | 0;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

// A text after 0, 1, … 12 steps, each on top of those before.
function spoiled(text, kind, seed) {
  const chance = chanceFrom(0x9e3779b9 ^ (seed * 7919 + 1));
  const lines = linesOf(text).map((line) => line.split(SPACES).filter(Boolean));
  const found = [lines.map((line) => line.join(" ")).join("\n")];
  const letters = [...new Set([...text].filter((one) => !SPACES.test(one)))];
  for (let n = 0; n < POINTS; n += 1) {
    if (kind === "swaps" && lines.length > 1) {
      const one = chance(lines.length), other = (one + 1 + chance(lines.length - 1)) % lines.length;
      [lines[one], lines[other]] = [lines[other], lines[one]];
    } else if (kind === "noise" && lines.length) {
      const line = lines[chance(lines.length)], at = chance(line.length), word = [...line[at]];
      const letter = chance(word.length), others = letters.filter((one) => one !== word[letter]);
      if (others.length) word[letter] = others[chance(others.length)];
      line[at] = word.join("");
    }
    found.push(lines.map((line) => line.join(" ")).join("\n"));
  }
  return found;
}

// The lines of a text; one that has a single line is cut into lines of four words.
function linesOf(text) {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).filter((line) => line.split(SPACES).some(Boolean));
  if (lines.length > 1) return lines;
  const words = text.split(SPACES).filter(Boolean);
  return Array.from({ length: Math.ceil(words.length / 4) }, (_, n) => words.slice(4 * n, 4 * n + 4).join(" "));
}

// Adds one run to the sums of each point: fractions of words, of NSFD's largest sum.
function oneRun(sums, reference, kind, run) {
  spoiled(reference, kind, run).forEach((text, n) => {
    const scores = scoresOf(pairOf(reference, text));
    for (const [name] of CURVES) {
      sums[n][name] += name === "nsfd" ? scores.nsfd / scores.nsfdOf : scores[name] / Math.max(scores.n, 1);
    }
  });
}

function curves(box, sums, runs, kind) {
  const [left, top, width, height, right] = [46, 12, 470, 230, 120];
  const svg = canvas(box, left + width + right, top + height + 40, "The figures after each step");
  const most = Math.max(0.1, ...sums.flatMap((point) => CURVES.map(([name]) => point[name] / runs)));
  const x = (n) => left + (n / POINTS) * width, y = (value) => top + height - (value / most) * height;
  for (let n = 0; n <= 4; n += 1) {
    const value = (most * n) / 4;
    svg.append(drawn("path", { class: "rule", d: `M${left},${y(value)}H${left + width}` }));
    written(svg, left - 6, y(value) + 4, `${Math.round(100 * value)} %`, { "text-anchor": "end", class: "cost" });
  }
  for (let n = 0; n <= POINTS; n += 3) written(svg, x(n), top + height + 16, `${n}`, { "text-anchor": "middle", class: "cost" });
  written(svg, left + width / 2, top + height + 34, kind === "swaps" ? "pairs of lines swapped" : "letters misread", { "text-anchor": "middle", class: "cost" });
  const ends = CURVES.map(([name]) => y(sums.at(-1)[name] / runs));
  // Names that would stand on each other move apart.
  const order = ends.map((_, n) => n).sort((a, b) => ends[a] - ends[b]);
  const at = [];
  order.forEach((n, place) => { at[n] = place ? Math.max(ends[n], at[order[place - 1]] + 16) : ends[n]; });
  [...order].reverse().forEach((n, place, all) => { at[n] = Math.min(at[n], place ? at[all[place - 1]] - 16 : top + height); });
  CURVES.forEach(([name, label, dashes, sign], n) => {
    const path = sums.map((point, step) => `${step ? "L" : "M"}${x(step).toFixed(1)},${y(point[name] / runs).toFixed(1)}`).join("");
    svg.append(drawn("path", { class: `curve c${n}`, d: path, "stroke-dasharray": dashes }));
    sums.forEach((point, step) => {
      if (step % 3) return;
      svg.append(drawn("path", { class: `sign c${n}`, d: MARKS[sign], transform: `translate(${x(step)},${y(point[name] / runs)}) scale(.8)` }));
    });
    svg.append(drawn("path", { class: `sign c${n}`, d: MARKS[sign], transform: `translate(${left + width + 14},${at[n]})` }));
    written(svg, left + width + 24, at[n] + 4, `${label} ${((100 * sums.at(-1)[name]) / runs).toFixed(1)} %`, { class: `name c${n}` });
  });
}

// The chapter: nothing is computed before somebody asks for it.
function laboratory(stage, kind, reference, state) {
  if (state.text !== reference || state.kind !== kind) Object.assign(state, { text: reference, kind, runs: 0, sums: null });
  const picture = element("div", "picture");
  picture.tabIndex = 0;
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", "Curves");
  const says = element("p", "says");
  says.setAttribute("role", "status");
  const row = element("div", "steps");
  const nLines = linesOf(reference).length;
  const draw = () => {
    if (state.runs) curves(picture, state.sums, state.runs, kind);
    else {
      const text = element("p", "lines", reference);
      text.dir = "auto";
      picture.replaceChildren(text);
    }
    says.textContent = nLines < 2 && kind === "swaps" ? "This text has one line; there is nothing to swap."
      : state.runs ? `${many(state.runs, "run")} of ${POINTS} steps on ${many(nLines, "line")}, always the same by a fixed seed.`
        : "This text is spoiled on purpose; the output plays no part. What was done is known, so you can see which figure reacts.";
    run.textContent = state.runs ? `Finer: ${FINER} more runs` : "Run";
    run.disabled = state.runs >= MOST_RUNS || !nLines || (nLines < 2 && kind === "swaps");
  };
  const run = button("small", "Run", () => {
    state.sums ||= Array.from({ length: POINTS + 1 }, () => Object.fromEntries(CURVES.map(([name]) => [name, 0])));
    for (let more = state.runs ? FINER : 1; more > 0; more -= 1) {
      oneRun(state.sums, reference, kind, state.runs);
      state.runs += 1;
    }
    draw();
  });
  row.append(run);
  draw();
  stage.append(picture, says, row);
}
