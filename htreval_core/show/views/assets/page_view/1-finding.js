// What the keys go through: faults, and words that were searched for.

// One stop a fault: a misread word once, not on both sides; words that moved together, or that are
// divided or joined, once.
function faults(view) {
  const [ref, hyp] = view.data.sides;
  const stops = [];
  ref.kinds.forEach((kind, index) => {
    const further = { [MOVED]: 1, [DIVIDED]: 0 }[kind];
    const isSame = ref.kinds[index - 1] === kind
      && ref.mates[index - 1] === ref.mates[index] - further;
    if (kind && !isSame) stops.push([index, 0, index]);
  });
  hyp.kinds.forEach((kind, index) => {
    if (kind && hyp.mates[index] < 0) stops.push([across(view, index, 1), 1, index]);
  });
  return stops.sort((a, b) => a[0] - b[0]);
}

// Words of the lines that a regular expression finds.
function search(view, text) {
  const { box, count } = view.finder;
  view.hits = [null, null];
  view.found = [];
  count.textContent = "";
  box.classList.remove("wrong");
  let wanted = null;
  try {
    wanted = text ? new RegExp(text, "giu") : null;
  } catch {
    box.classList.add("wrong");
    count.textContent = "not a valid expression";
  }
  if (wanted) {
    view.panes.forEach((pane, side) => {
      const hits = new Set();
      for (const line of pane.lines) {
        const whole = line.texts.join(" ");
        const starts = [];
        line.texts.reduce((at, word) => (starts.push(at), at + word.length + 1), 0);
        for (const match of whole.matchAll(wanted)) {
          if (!match[0]) continue;
          const from = lastAtMost(starts.length, (n) => starts[n], match.index);
          const to = lastAtMost(starts.length, (n) => starts[n], match.index + match[0].length - 1);
          for (let n = from; n <= to; n += 1) hits.add(line.first + n);
          const index = line.first + from;
          view.found.push([side ? across(view, index, 1) : index, side, index]);
        }
      }
      view.hits[side] = hits;
    });
    view.found.sort((a, b) => a[0] - b[0]);
    count.textContent = view.found.length ? `${view.found.length} found, Enter goes on` : "none";
  }
  for (const pane of view.panes) for (const line of pane.lines) pane.dress(line);
}
