// The engine's twin for short texts: words, the trace of WER, the bag, the matching with its tie rule,
// NSFD. Whole numbers alone, those of the matching of any length, so equal is equal. A test holds it
// to the engine. Functions of texts and words; nothing here draws.

const MOST_WORDS = 60;
const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

// The words of both texts. In a script without spaces every sign counts as a word.
function pairOf(reference, output) {
  const bySign = UNSPACED.test(reference) || UNSPACED.test(output);
  const signs = new Intl.Segmenter("und", { granularity: "grapheme" });
  const wordsOf = (text) => {
    const words = text.normalize("NFC").split(SPACES).filter(Boolean);
    return bySign ? words.flatMap((word) => [...signs.segment(word)].map((one) => one.segment)) : words;
  };
  return { ref: wordsOf(reference), hyp: wordsOf(output), bySign };
}

// The edit distance of the first i of one list to the first j of the other, for all i and j.
function editTable(from, to) {
  const table = [Array.from({ length: to.length + 1 }, (_, j) => j)];
  from.forEach((one, i) => {
    const row = [i + 1];
    to.forEach((other, j) => row.push(
      Math.min(table[i][j] + (one === other ? 0 : 1), table[i][j + 1] + 1, row[j] + 1)));
    table.push(row);
  });
  return table;
}

const known = new Map();

// Letters in which two words differ.
function lettersApart(one, other) {
  if (one === other) return 0;
  const key = `${one} ${other}`;
  if (!known.has(key)) {
    if (known.size > 50_000) known.clear();
    known.set(key, editTable([...one], [...other]).at(-1).at(-1));
  }
  return known.get(key);
}

const lengthOf = (word) => [...word].length;

// Stretches of [kind, reference start and end, output start and end]: the trace as rapidfuzz finds it.
function foundBlocks(ref, hyp) {
  let start = 0, end = 0;
  const least = Math.min(ref.length, hyp.length);
  while (start < least && ref[start] === hyp[start]) start += 1;
  while (end < least - start && ref.at(-1 - end) === hyp.at(-1 - end)) end += 1;
  let j = ref.length - end - start, k = hyp.length - end - start;
  const table = editTable(ref.slice(start, start + j), hyp.slice(start, start + k));
  const kinds = Array(end).fill("equal");
  while (j || k) {
    if (!k || (j && table[j][k] - table[j - 1][k] === 1)) {
      kinds.push("delete");
      j -= 1;
      continue;
    }
    k -= 1;
    if (!j || (k && table[j][k] - table[j - 1][k] === -1)) kinds.push("insert");
    else {
      j -= 1;
      kinds.push(ref[start + j] === hyp[start + k] ? "equal" : "replace");
    }
  }
  const blocks = [];
  for (const kind of [...Array(start).fill("equal"), ...kinds.reverse()]) {
    const [, , before = 0, , above = 0] = blocks.at(-1) || [];
    if (!blocks.length || blocks.at(-1)[0] !== kind) blocks.push([kind, before, before, above, above]);
    blocks.at(-1)[2] += kind === "insert" ? 0 : 1;
    blocks.at(-1)[4] += kind === "delete" ? 0 : 1;
  }
  return blocks;
}

// Unequal stretches that touch, or have one equal word between them, put together.
function mergedBlocks(blocks) {
  const merged = [];
  const isSquare = ([, a, b, c, d]) => b - a === d - c;
  const joined = (first, last) => ["mixed", first[1], last[2], first[3], last[4]];
  for (const block of blocks) {
    const last = merged.at(-1);
    if (block[0] === "equal" || !last) merged.push(block);
    else if (last[0] !== "equal") merged.push(joined(merged.pop(), block));
    else if (merged.length > 1 && last[2] - last[1] === 1
      && !(isSquare(merged.at(-2)) && isSquare(block))) {
      merged.pop();
      merged.push(joined(merged.pop(), block));
    } else merged.push(block);
  }
  return merged;
}

// The cheapest alignment of a stretch by word edits, then by the letters that those edit.
function alignedStretch(ref, hyp) {
  const edit = 1 + [...ref, ...hyp].reduce((sum, word) => sum + lengthOf(word), 0);
  const best = [[0]];
  hyp.forEach((word, k) => best[0].push(best[0][k] + edit + lengthOf(word)));
  const replaced = (j, k) => (ref[j] === hyp[k] ? 0 : edit + lettersApart(ref[j], hyp[k]));
  ref.forEach((word, j) => {
    best.push([best[j][0] + edit + lengthOf(word)]);
    hyp.forEach((other, k) => best[j + 1].push(Math.min(best[j][k] + replaced(j, k),
      best[j][k + 1] + edit + lengthOf(word), best[j + 1][k] + edit + lengthOf(other))));
  });
  const rows = [];
  let j = ref.length, k = hyp.length;
  while (j || k) {
    if (j && k && best[j][k] === best[j - 1][k - 1] + replaced(j - 1, k - 1)) rows.push([--j, --k]);
    else if (j && best[j][k] === best[j - 1][k] + edit + lengthOf(ref[j - 1])) rows.push([--j, -1]);
    else rows.push([-1, --k]);
  }
  return rows.reverse();
}

// The trace behind WER: pairs of positions in order, -1 where a word has no mate.
function traceOf(ref, hyp) {
  return mergedBlocks(foundBlocks(ref, hyp)).flatMap(([kind, a, b, c, d]) => {
    const some = ref.slice(a, b), others = hyp.slice(c, d);
    if (kind === "mixed" || (kind === "replace" && b - a > 1 && some.some((word) => others.includes(word)))) {
      return alignedStretch(some, others).map(([j, k]) => [j < 0 ? -1 : a + j, k < 0 ? -1 : c + k]);
    }
    return Array.from({ length: Math.max(b - a, d - c) },
      (_, at) => [a + at < b ? a + at : -1, c + at < d ? c + at : -1]);
  });
}

// How often each word stands on either side.
function bagOf(ref, hyp) {
  const rows = new Map();
  const count = (word, side) => {
    if (!rows.has(word)) rows.set(word, [0, 0]);
    rows.get(word)[side] += 1;
  };
  ref.forEach((word) => count(word, 0));
  hyp.forEach((word) => count(word, 1));
  return [...rows].map(([word, [inRef, inHyp]]) => ({
    word, inRef, inHyp, missing: Math.max(inRef - inHyp, 0), extra: Math.max(inHyp - inRef, 0),
  }));
}

// γ as a fraction [p, q].
function fractionOf(gamma) {
  const [whole, part = ""] = String(gamma).split(".");
  return [BigInt(whole + part), 10n ** BigInt(part.length)];
}

// What pairing costs, in units of 1/(2Mq): see htreval_core/metrics/matching/savings.py.
function costsOf(ref, hyp, gamma) {
  const [p, q] = fractionOf(gamma);
  const per = BigInt(Math.max(ref.length, hyp.length, 1)) * q;
  const lengths = new Map([...ref, ...hyp].map((word) => [word, BigInt(lengthOf(word))]));
  return {
    p, per, unit: 2n * per,
    alone: (word) => lengths.get(word) * per + 2n * p,
    pair: (j, k) => 2n * per * BigInt(lettersApart(ref[j], hyp[k])) + 2n * p * BigInt(Math.abs(j - k)),
    saving(j, k) { return this.alone(ref[j]) + this.alone(hyp[k]) - this.pair(j, k); },
  };
}

// The assignment of greatest weight, each row to a column of its own; there are no more rows than
// columns, and no weight is below 0 (Kuhn, Munkres; shortest augmenting paths).
function assigned(weights) {
  const n = weights.length, m = n ? weights[0].length : 0;
  const byRow = Array(n + 1).fill(0n), byColumn = Array(m + 1).fill(0n), owner = Array(m + 1).fill(0);
  for (let row = 1; row <= n; row += 1) {
    const least = Array(m + 1).fill(null), from = Array(m + 1).fill(0), seen = Array(m + 1).fill(false);
    let at = 0;
    owner[0] = row;
    do {
      seen[at] = true;
      const of = owner[at];
      let step = null, next = 0;
      for (let column = 1; column <= m; column += 1) {
        if (seen[column]) continue;
        const left = -weights[of - 1][column - 1] - byRow[of] - byColumn[column];
        if (least[column] === null || left < least[column]) [least[column], from[column]] = [left, at];
        if (step === null || least[column] < step) [step, next] = [least[column], column];
      }
      for (let column = 0; column <= m; column += 1) {
        if (seen[column]) {
          byRow[owner[column]] += step;
          byColumn[column] -= step;
        } else if (least[column] !== null) least[column] -= step;
      }
      at = next;
    } while (owner[at]);
    for (; at; at = from[at]) owner[at] = owner[from[at]];
  }
  const columnOf = Array(n).fill(-1);
  owner.forEach((row, column) => { if (column && row) columnOf[row - 1] = column - 1; });
  return columnOf;
}

// The mate of each reference word, -1 for none: least cost; then most equal pairs; then the least
// Σ d(d−1); then the first list of mates. One weight holds all four, each too heavy for what follows.
// A barred pair [j, k] may not be taken.
function matchingOf(ref, hyp, gamma, barred) {
  const costs = costsOf(ref, hyp, gamma);
  const [nRef, nHyp] = [ref.length, hyp.length];
  const few = BigInt(Math.min(nRef, nHyp)), longer = BigInt(Math.max(nRef, nHyp, 1));
  const perEqual = few * longer * longer + 1n, base = BigInt(nHyp + 1);
  const places = Array.from({ length: nRef + 1 }, (_, j) => base ** BigInt(j));
  const weight = (j, k) => {
    const isEqual = ref[j] === hyp[k], saving = costs.saving(j, k);
    if (saving < 0n || (saving === 0n && !isEqual)) return 0n;
    if (barred && barred[0] === j && barred[1] === k) return 0n;
    const apart = BigInt(k - j);
    return ((saving * (few + 1n) + (isEqual ? 1n : 0n)) * perEqual - apart * (apart - 1n)) * places[nRef]
      - BigInt(k + 1) * places[nRef - 1 - j];
  };
  const weights = ref.map((_, j) => hyp.map((__, k) => weight(j, k)));
  const mates = Array(nRef).fill(-1);
  if (nRef <= nHyp) {
    assigned(weights).forEach((k, j) => { if (weights[j][k] > 0n) mates[j] = k; });
  } else if (nHyp) {
    assigned(hyp.map((_, k) => weights.map((row) => row[k])))
      .forEach((j, k) => { if (weights[j][k] > 0n) mates[j] = k; });
  }
  // Left-over words in the same place or the next that save exactly nothing: one misread word is not two.
  if (!costs.p || costs.per <= 4n * costs.p) {
    const free = new Set(hyp.keys());
    mates.forEach((k) => free.delete(k));
    mates.forEach((mate, j) => {
      if (mate >= 0) return;
      for (const k of [j, j + 1]) {
        const isBarred = barred && barred[0] === j && barred[1] === k;
        if (mates[j] < 0 && free.has(k) && !isBarred && costs.saving(j, k) === 0n) {
          mates[j] = k;
          free.delete(k);
        }
      }
    });
  }
  return mates;
}

// What a pairing costs, row by row: reference words in order, then output words left over. `sum` is
// in units; `letters` counts halves.
function priced(ref, hyp, mates, gamma) {
  const costs = costsOf(ref, hyp, gamma);
  const left = new Set(hyp.keys());
  mates.forEach((k) => left.delete(k));
  const alone = (word) => ({ halves: lengthOf(word), apart: 1, cost: costs.alone(word) });
  const rows = [
    ...mates.map((k, j) => (k < 0 ? { j, k, ...alone(ref[j]) } : {
      j, k, halves: 2 * lettersApart(ref[j], hyp[k]), apart: Math.abs(j - k), cost: costs.pair(j, k),
    })),
    ...[...left].map((k) => ({ j: -1, k, ...alone(hyp[k]) })),
  ];
  return { rows, unit: costs.unit, sum: rows.reduce((sum, row) => sum + row.cost, 0n) };
}

// NSFD step by step: words without a mate out, the others numbered anew, distances added up.
function placesOf(mates, nHyp) {
  const paired = mates.flatMap((k, j) => (k < 0 ? [] : [[j, k]]));
  const inOrder = paired.map(([, k]) => k).sort((a, b) => a - b);
  const rows = paired.map(([j, k], from) => {
    const to = inOrder.indexOf(k);
    return { j, k, from: from + 1, to: to + 1, apart: Math.abs(from - to) };
  });
  const alone = mates.length + nHyp - 2 * rows.length;
  const longer = Math.max(mates.length, nHyp);
  return {
    rows, alone, sum: rows.reduce((sum, row) => sum + row.apart, alone),
    of: Math.max(Math.floor((longer * longer) / 2), 1),
  };
}

// Every figure of a pair, as counts.
function scoresOf({ ref, hyp }, gamma = "1", mates = matchingOf(ref, hyp, gamma)) {
  const rows = bagOf(ref, hyp);
  const wer = editTable(ref, hyp).at(-1).at(-1);
  const total = (name) => rows.reduce((sum, row) => sum + row[name], 0);
  const bwer = Math.max(total("missing"), total("extra"));
  const equal = mates.filter((k, j) => k >= 0 && ref[j] === hyp[k]).length;
  const { sum, of } = placesOf(mates, hyp.length);
  return {
    n: ref.length, wer, bwer, delta: wer - bwer, missing: total("missing"), extra: total("extra"),
    hwer: Math.max(ref.length, hyp.length) - equal, nsfd: sum, nsfdOf: of,
  };
}
