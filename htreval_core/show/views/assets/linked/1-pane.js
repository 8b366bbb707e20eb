// One side of the page: its lines, laid out as text at once, its words made only where they are seen.

const LONG_LINE = 400;
const PIECE = 120;
const MOVED = 4;
const DIVIDED = 5;

// The last of the sorted numbers that is not above the value; 0 if all are.
function lastAtMost(length, numberAt, value) {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numberAt(middle) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

class Pane {
  constructor(side, number, name, view) {
    this.side = side;
    this.number = number;
    this.view = view;
    this.words = new Array(side.kinds.length);
    this.eventOf = new Int16Array(side.kinds.length).fill(-1);
    this.expected = -10;
    this.box = element("div", "pane");
    this.box.tabIndex = 0;
    this.box.setAttribute("role", "region");
    this.box.setAttribute("aria-label", name);
    if (!side.lines.length) this.box.append(element("div", "empty", "no words"));
    this.lines = this.cut(side.lines).map((line) => this.lay(line));
    // What is about to be scrolled in gets its words; the rest stays plain text.
    this.observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) if (entry.isIntersecting) this.make(entry.target.line);
      },
      { root: this.box, rootMargin: "600px 0px" },
    );
    for (const line of this.lines) this.observer.observe(line.node);
  }

  // A page without line breaks is one line of thousands of words: it is drawn in pieces.
  cut(lines) {
    const pieces = [];
    for (const [no, first, texts] of lines) {
      const step = texts.length > LONG_LINE ? PIECE : texts.length || 1;
      for (let at = 0; at < texts.length; at += step) {
        pieces.push({ no: at ? "" : String(no), line: no - 1, first: first + at, texts: texts.slice(at, at + step) });
      }
    }
    return pieces;
  }

  lay({ no, line: number, first, texts }) {
    const node = element("div", "line");
    const label = element("span", "no", no);
    const text = element("span", "text", texts.join(" "));
    text.dir = "auto";
    node.append(label, text);
    this.box.append(node);
    const line = { node, label, text, line: number, first, texts, made: false };
    node.line = line;
    return line;
  }

  make(line) {
    if (line.made) return;
    line.made = true;
    this.observer.unobserve(line.node);
    const { side } = this;
    const parts = document.createDocumentFragment();
    line.texts.forEach((word, offset) => {
      const index = line.first + offset;
      const kind = side.kinds[index];
      const span = element("span", `w k${kind}`, word);
      span.dataset.side = this.number;
      span.dataset.index = index;
      // One arrow at the head of a stretch is enough: the words after it went the same way.
      const way = this.way(index);
      if (way && this.way(index - 1) !== way && this.way(index + 1) === way) {
        span.dataset.arrow = way > 0 ? "▼" : "▲";
      }
      this.words[index] = span;
      if (offset) parts.append(" ");
      parts.append(span);
    });
    line.text.replaceChildren(parts);
    this.dress(line);
  }

  // Where a moved word went: 1 further down, -1 further up, 0 for all other words.
  way(index) {
    const { kinds, mates } = this.side;
    return kinds[index] === MOVED ? Math.sign(mates[index] - index) || 1 : 0;
  }

  // What depends on the chosen event and on the search.
  dress(line) {
    if (!line.made) return;
    const { event, colours, hits } = this.view;
    const found = hits[this.number];
    for (let index = line.first; index < line.first + line.texts.length; index += 1) {
      const span = this.words[index];
      const own = this.eventOf[index];
      const isIn = event !== null && own === event;
      span.classList.toggle("of-event", isIn);
      span.classList.toggle("dim", event !== null && !isIn);
      if (isIn) span.style.setProperty("--event", colours[event]);
      span.classList.toggle("hit", found !== null && found.has(index));
      this.dressMoved(span, index);
    }
  }

  // Words that moved have the colour of their block; what merely stands between blocks is faint.
  dressMoved(span, index) {
    const event = this.eventOf[index];
    if (this.side.kinds[index] !== MOVED) return;
    span.classList.toggle("of-block", event >= 0);
    span.classList.toggle("between", event < 0);
    if (event >= 0) span.style.setProperty("--event", this.view.colours[event]);
  }

  // Which event each word belongs to, of [first, last, event], -1 for none; lines get a stripe in
  // its colour.
  setEvents(stretches) {
    this.eventOf.fill(-1);
    for (const [from, to, event] of stretches) {
      if (event >= 0) this.eventOf.fill(event, from, to);
    }
    for (const line of this.lines) {
      const own = this.eventOf.subarray(line.first, line.first + line.texts.length).find((e) => e >= 0);
      if (own === undefined) line.label.style.removeProperty("--stripe");
      else line.label.style.setProperty("--stripe", this.view.colours[own]);
      this.dress(line);
    }
  }

  lineOf(index) {
    return this.lines[lastAtMost(this.lines.length, (at) => this.lines[at].first, index)];
  }

  textOf(index) {
    const { first, texts } = this.lineOf(index);
    return texts[index - first];
  }

  word(index) {
    if (index < 0 || index >= this.words.length) return null;
    this.make(this.lineOf(index));
    return this.words[index];
  }

  // Height of a word, as a fraction may be of one, within the scrolled text.
  yOf(index) {
    if (!this.lines.length) return 0;
    const { node, first, texts } = this.lineOf(index);
    const part = Math.min(Math.max((index - first) / texts.length, 0), 1);
    return node.offsetTop + part * node.offsetHeight;
  }

  indexAt(y) {
    if (!this.lines.length) return 0;
    const { node, first, texts } =
      this.lines[lastAtMost(this.lines.length, (at) => this.lines[at].node.offsetTop, y)];
    const part = Math.min(Math.max((y - node.offsetTop) / (node.offsetHeight || 1), 0), 1);
    return first + part * texts.length;
  }

  // First word in sight and the one after the last.
  seen() {
    if (!this.lines.length) return [0, 0];
    const { scrollTop, clientHeight } = this.box;
    const last = this.lines[lastAtMost(
      this.lines.length, (at) => this.lines[at].node.offsetTop, scrollTop + clientHeight)];
    return [Math.floor(this.indexAt(scrollTop)), last.first + last.texts.length];
  }

  // Where a stretch of words begins and ends, from the top of the visible part: to the pixel if it
  // is near, by the height of its lines if it is far off.
  stretch(start, end) {
    const base = this.box.scrollTop;
    const [from, to] = this.seen();
    const top = start >= from && start < to
      ? this.word(start).getBoundingClientRect().top - this.box.getBoundingClientRect().top
      : this.yOf(start) - base;
    const bottom = end > from && end <= to
      ? this.word(end - 1).getBoundingClientRect().bottom - this.box.getBoundingClientRect().top
      : this.yOf(end) - base;
    return [top + 3, Math.max(bottom - 3, top + 6)];
  }

  bring(index) {
    const word = this.word(index);
    if (!word) return;
    const box = word.getBoundingClientRect();
    const seen = this.box.getBoundingClientRect();
    if (box.top < seen.top + 8 || box.bottom > seen.bottom - 8) {
      this.box.scrollTop += box.top - seen.top - seen.height / 2;
    }
  }
}
