// The page line by line, as proof-readers work: a strip of the image, the reference, the output.

const STRIP = 42;
let hidesEqual = false;

// The rows from top to bottom: lines of the reference, and between them lines of the output that
// none of its words belongs to, after what was read before them. Each has the words of both sides.
function rowsOf({ sides: [ref, hyp] }) {
  const lineOf = [];
  const rows = ref.lines.map(([no, first, words], at) => {
    lineOf.push(...words.map(() => at));
    return { no, ref: words.map((_, n) => first + n), hyp: [], added: [] };
  });
  const top = { ref: [], hyp: [], added: [] };
  let last = top;
  for (const [no, first, words] of hyp.lines) {
    const mates = words.map((_, n) => hyp.mates[first + n]);
    const start = mates.find((mate) => mate >= 0);
    if (start === undefined) {
      last.added.push({ ref: [], hyp: words.map((_, n) => first + n), added: [], outputLine: no });
      continue;
    }
    // A word that was added stands behind the one before it, at the start of a line before the next.
    let key = start - 0.5;
    mates.forEach((mate, n) => {
      if (mate >= 0) key = mate;
      last = rows[lineOf[Math.max(Math.ceil(key), 0)]];
      last.hyp.push([mate >= 0 ? mate : key + (key % 1 ? 0 : 0.5), first + n]);
    });
  }
  for (const row of rows) row.hyp = row.hyp.sort((a, b) => a[0] - b[0]).map(([, index]) => index);
  return [top, ...rows].flatMap((row) => [...(row === top ? [] : [row]), ...row.added]);
}

class Lines {
  constructor(view) {
    this.view = view;
    this.rows = [];
    this.box = element("div", "by-line");
    this.box.tabIndex = 0;
    this.box.setAttribute("role", "region");
    this.box.setAttribute("aria-label", "Image and texts line by line");
    this.picture = new Image();
    this.observer = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) this.paint(entry.target);
    }, { root: this.box, rootMargin: "400px 0px" });
    this.resized = new ResizeObserver(() => {
      for (const row of this.rows) if (row.painted) this.paint(row.canvas);
    });
  }

  take() {
    const { data } = this.view;
    this.observer.disconnect();
    this.spans = [[], []];
    const bar = element("div", "lines-bar");
    const equal = button("small", "Hide equal lines", () => {
      hidesEqual = !hidesEqual;
      this.dress();
    }, "Lines whose words are all right and in their place");
    this.equal = equal;
    bar.append(equal);
    this.rows = rowsOf(data).map((row) => this.lay(row));
    this.nEqual = this.rows.filter((row) => row.isEqual).length;
    this.box.replaceChildren(bar, ...this.rows.map((row) => row.node));
    this.dress();
    if (data.image && data.sheet) {
      this.picture.onload = () => {
        for (const row of this.rows) if (row.canvas) this.observer.observe(row.canvas);
        this.resized.observe(this.box);
      };
      this.picture.src = data.image;
    }
  }

  lay(row) {
    const { data } = this.view;
    const node = element("div", "row");
    const corners = row.no && data.sheet ? data.sheet.outlines[row.no - 1] || [] : [];
    if (corners.length && data.image) {
      row.canvas = element("canvas", "strip");
      row.canvas.setAttribute("role", "img");
      row.canvas.setAttribute("aria-label", `Line ${row.no} on the image`);
      row.canvas.row = row;
      row.corners = corners;
      node.append(element("span", "no", ""), row.canvas);
    }
    for (const side of [0, 1]) {
      const label = element("span", "no", side ? "" : String(row.no || ""));
      const text = element("span", `text side-${side}`);
      text.dir = "auto";
      row[side ? "hyp" : "ref"].forEach((index, n) => {
        if (n) text.append(" ");
        text.append(this.word(side, index));
      });
      if (!text.childNodes.length) {
        text.classList.add("none");
        text.textContent = side ? "nothing" : `line ${row.outputLine} of the ${nameOf(this.view, 1)} has no place here`;
      }
      node.append(label, text);
    }
    const isRight = (side) => row[side ? "hyp" : "ref"].every((index) => !data.sides[side].kinds[index]);
    row.isEqual = row.hyp.length > 0 && isRight(0) && isRight(1);
    row.node = node;
    return row;
  }

  word(side, index) {
    const { kinds } = this.view.data.sides[side];
    const span = element("span", `w k${kinds[index]}`, this.view.panes[side].textOf(index));
    span.dataset.side = side;
    span.dataset.index = index;
    this.spans[side][index] = span;
    this.view.panes[side].dressMoved(span, index);
    return span;
  }

  dress() {
    this.equal.textContent = hidesEqual ? `Show ${this.nEqual} equal lines` : `Hide ${this.nEqual} equal lines`;
    this.equal.setAttribute("aria-pressed", String(hidesEqual));
    this.equal.disabled = !this.nEqual;
    for (const row of this.rows) row.node.hidden = hidesEqual && row.isEqual;
  }

  // The strip as wide as there is room, no higher than a few lines of text.
  paint(canvas) {
    const { row } = canvas;
    const { size } = this.view.data.sheet;
    const scale = [this.picture.naturalWidth / size[0], this.picture.naturalHeight / size[1]];
    const [xs, ys] = [0, 1].map((n) => row.corners.map((corner) => corner[n] * scale[n]));
    const around = 0.15 * (Math.max(...ys) - Math.min(...ys));
    const left = Math.max(Math.min(...xs) - around, 0);
    const top = Math.max(Math.min(...ys) - around, 0);
    const width = Math.min(Math.max(...xs) + around, this.picture.naturalWidth) - left;
    const height = Math.min(Math.max(...ys) + around, this.picture.naturalHeight) - top;
    if (!(width >= 1 && height >= 1)) return;
    const room = canvas.parentNode.clientWidth - 60;
    const times = Math.min(room / width, STRIP / height, 2);
    const ratio = window.devicePixelRatio || 1;
    canvas.style.width = `${width * times}px`;
    canvas.style.height = `${height * times}px`;
    canvas.width = Math.max(width * times * ratio, 1);
    canvas.height = Math.max(height * times * ratio, 1);
    canvas.getContext("2d").drawImage(this.picture, left, top, width, height, 0, 0, canvas.width, canvas.height);
    row.painted = true;
  }

  bring(side, index) {
    const span = this.view.data.mode && this.spans && this.spans[side][index];
    if (!span) return;
    const row = span.closest(".row");
    row.hidden = false;
    const { top, height } = row.getBoundingClientRect();
    const seen = this.box.getBoundingClientRect();
    if (top < seen.top + 40 || top + height > seen.bottom - 8) {
      this.box.scrollTop += top - seen.top - (seen.height - height) / 2;
    }
    for (const lit of this.box.querySelectorAll(".w.lit")) lit.classList.remove("lit");
    span.classList.add("lit");
  }
}

// What is drawn depends on the mode; lines are made when they are first wanted.
function showMode(view, send) {
  const { mode, layout, id } = view.data;
  const byLine = mode === "lines";
  view.modes.replaceChildren(...[["", "side by side"], ["lines", "lines"]].map(([value, label]) => {
    const one = button("small", label, () => send("mode", value), "Key v");
    one.setAttribute("aria-pressed", String((mode || "") === value));
    return one;
  }));
  view.body.classList.toggle("as-lines", byLine);
  if (!byLine) return;
  const drawn = `${id}${layout}`;
  if (view.lines.drawn !== drawn) view.lines.take();
  view.lines.drawn = drawn;
}
