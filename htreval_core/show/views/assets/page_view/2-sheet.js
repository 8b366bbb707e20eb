// The page itself: its image, the lines of faults tinted, both reading paths, zoom and pan.

class Sheet {
  constructor(view) {
    this.view = view;
    this.box = element("div", "sheet");
    this.svg = drawn("svg", { tabindex: 0, preserveAspectRatio: "xMidYMin meet", role: "img",
      "aria-label": "The page with both reading orders; plus, minus and arrows move it" });
    this.tools = element("div", "tools");
    this.tools.append(
      button("small", "+", () => this.zoom(1.4), "Larger"),
      button("small", "−", () => this.zoom(1 / 1.4), "Smaller"),
      button("small", "fit", () => this.fit(), "The whole page"),
      this.paths = button("small", "paths", () => {
        const hidden = this.svg.classList.toggle("without-paths");
        this.paths.setAttribute("aria-pressed", String(!hidden));
      }, "Both reading orders: the reference’s is broad, the output’s narrow"),
    );
    this.paths.setAttribute("aria-pressed", "true");
    this.bar = element("div", "region-bar hidden");
    this.credit = element("div", "credit");
    this.box.append(this.svg, this.tools, this.credit, this.bar);
    this.lit = null;
  }

  // Both may come later than the words: the geometry with the layout.
  take(sheet, image, credit) {
    this.sheet = sheet;
    this.credit.textContent = image ? credit : "";
    const { svg, view } = this;
    svg.replaceChildren();
    const [width, height] = sheet.size;
    svg.append(drawn("rect", { class: "paper", width, height }));
    if (image) {
      const picture = drawn("image", { width, height, preserveAspectRatio: "none" });
      picture.setAttribute("href", image);
      svg.append(picture);
    }
    const eventOf = new Map(sheet.shades.map(([event, line]) => [line, event]));
    this.lines = sheet.outlines.map((corners, line) => {
      if (!corners.length) return null;
      const outline = drawn("polygon", { class: "outline", points: corners.join(" ") });
      outline.dataset.line = line;
      const event = eventOf.get(line);
      if (event !== undefined) {
        outline.classList.add("shade");
        outline.dataset.event = event;
        outline.style.setProperty("--event", view.data.colours[event]);
      } else if (!image) outline.classList.add("bare");
      svg.append(outline);
      return outline;
    });
    const path = (points) => `M${points.map((point) => point.join(",")).join("L")}`;
    if (sheet.asRead.length) {
      svg.append(shape("path-ref", path(sheet.inOrder)));
      if (sheet.admissible.length) svg.append(shape("path-best", path(sheet.admissible)));
      svg.append(shape("path-halo", path(sheet.asRead)), shape("path-hyp", path(sheet.asRead)));
    }
    const numbered = new Set();
    for (const [event, line] of sheet.shades) {
      if (numbered.has(event) || !sheet.outlines[line].length) continue;
      numbered.add(event);
      // Whole on the page, also where the line begins at its edge.
      const [x, y] = sheet.outlines[line][0].map((at, side) => {
        const room = 0.025 * Math.max(width, height);
        return Math.min(Math.max(at, room), sheet.size[side] - room);
      });
      const badge = drawn("g", { class: "badge", transform: `translate(${x},${y})` });
      badge.dataset.event = event;
      badge.style.setProperty("--event", view.data.colours[event]);
      badge.append(drawn("circle", {}), drawn("text", {}, String(event + 1)));
      svg.append(badge);
    }
    this.paths.title = "Reading orders: the reference’s is broad, the output’s narrow"
      + (sheet.admissible.length ? ", the best that the page allows dashed" : "");
    this.svg.classList.toggle("without-paths", sheet.tangled);
    this.paths.setAttribute("aria-pressed", String(!sheet.tangled));
    this.fit();
  }

  fit() {
    const [width, height] = this.sheet.size;
    this.see({ x: 0, y: 0, width, height });
    this.whole = true;
  }

  see(seen) {
    this.seen = seen;
    this.whole = false;
    this.svg.setAttribute("viewBox", `${seen.x} ${seen.y} ${seen.width} ${seen.height}`);
    this.measure();
  }

  // How many units of the page a pixel is: badges and strokes keep their size.
  measure() {
    const { clientWidth, clientHeight } = this.svg;
    if (!clientWidth || !this.seen) return;
    this.unit = Math.max(this.seen.width / clientWidth, this.seen.height / clientHeight);
    this.svg.style.setProperty("--unit", `${this.unit}px`);
  }

  zoom(factor, at) {
    const { x, y, width, height } = this.seen;
    const [whole] = this.sheet.size;
    const times = Math.min(Math.max(factor, width / (whole * 1.5)), (width / whole) * 40);
    const [cx, cy] = at || [x + width / 2, y + height / 2];
    this.see({
      x: cx - (cx - x) / times, y: cy - (cy - y) / times, width: width / times, height: height / times,
    });
  }

  pan(dx, dy) {
    const { x, y, width, height } = this.seen;
    this.see({ x: x - dx, y: y - dy, width, height });
  }

  place(event) {
    const point = new DOMPoint(event.clientX, event.clientY);
    const { x, y } = point.matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  // Rules for the region of a line: it may stand anywhere, does not count, or may come first.
  region(line, send) {
    if (!this.view.takes("float")) return;
    const [name, kind] = this.sheet.regions[line];
    const first = this.first;
    this.first = null;
    if (!name || (first === name)) {
      this.marked("");
      this.bar.classList.add("hidden");
      return;
    }
    if (first) {
      send("either", [first, name]);
      return;
    }
    this.marked(name);
    const { rules } = this.view.data;
    const rule = (what, label, help) => {
      const one = button("small", label, () => send(what, name), help);
      one.setAttribute("aria-pressed", String(rules[what].includes(name)));
      return one;
    };
    const either = button("small", "either first …", () => {
      this.first = name;
      this.bar.replaceChildren(element("span", "soft", "Click the region that may also come first"));
    }, "This region or another one may come first");
    either.setAttribute("aria-pressed", String(rules.either.some((one) => one.includes(name))));
    this.bar.replaceChildren(
      element("span", "region-name", isolated(kind ? `${kind} ${name}` : name)),
      rule("float", "may stand anywhere", "ΔWER* counts it in its best place"),
      rule("leave-out", "leave out", "It does not count on either side"),
      either,
    );
    this.bar.classList.remove("hidden");
  }

  marked(name) {
    this.lines.forEach((outline, line) => {
      if (outline) outline.classList.toggle("marked", Boolean(name) && this.sheet.regions[line][0] === name);
    });
  }

  // What the pointer is on, in the texts; and, while the page is enlarged, that it is in sight.
  light(line, follow = false) {
    if (this.lit) this.lit.classList.remove("lit");
    this.lit = (this.lines && this.lines[line]) || null;
    if (!this.lit) return;
    this.lit.classList.add("lit");
    if (follow) this.bring(line);
  }

  bring(line) {
    if (this.whole || !this.lines || !this.lines[line]) return;
    const box = this.lines[line].getBBox();
    const { x, y, width, height } = this.seen;
    const isIn = box.y > y && box.y + box.height < y + height
      && box.x + box.width > x && box.x < x + width;
    if (!isIn) this.pan(0, y + height / 2 - (box.y + box.height / 2));
  }

  bringOut(event) {
    for (const one of this.svg.querySelectorAll("[data-event]")) {
      one.classList.toggle("off", event !== null && Number(one.dataset.event) !== event);
    }
  }

  listen(signal, send) {
    const { svg, view } = this;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, this.place(event));
    }, { passive: false, signal });
    let from = null;
    let moved = false;
    svg.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      moved = false;
      svg.setPointerCapture(event.pointerId);
    }, { signal });
    svg.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
      if (!moved && Math.hypot(dx, dy) < 4) return;
      moved = true;
      from = [event.clientX, event.clientY];
      this.pan(dx * this.unit, dy * this.unit);
    }, { signal });
    svg.addEventListener("pointerup", (event) => {
      from = null;
      if (moved) return;
      const under = view.root.elementFromPoint(event.clientX, event.clientY);
      const badge = under && under.closest(".badge");
      if (badge) send("event", Number(badge.dataset.event));
      else if (under && under.dataset.line) {
        toLine(view, Number(under.dataset.line));
        this.region(Number(under.dataset.line), send);
      }
    }, { signal });
    svg.addEventListener("pointerover", (event) => {
      const { line } = event.target.dataset;
      lightLine(view, line === undefined ? -1 : Number(line));
    }, { signal });
    svg.addEventListener("pointerleave", () => lightLine(view, -1), { signal });
    svg.addEventListener("keydown", (event) => {
      const step = 40 * this.unit;
      const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step],
        ArrowDown: [0, -step] };
      if (event.key === "+") this.zoom(1.4);
      else if (event.key === "-") this.zoom(1 / 1.4);
      else if (event.key === "0") this.fit();
      else if (moves[event.key]) this.pan(...moves[event.key]);
      else return;
      event.preventDefault();
    }, { signal });
  }
}

// The words of a line of the reference in both texts.
function wordsOf(view, line) {
  const pane = view.panes[0];
  return pane.lines.filter((one) => one.line === line);
}

function lightLine(view, line) {
  for (const node of view.litLines) node.classList.remove("lit-line");
  view.litLines = line < 0 ? [] : wordsOf(view, line).map((one) => one.node);
  for (const node of view.litLines) node.classList.add("lit-line");
  if (view.sheet) view.sheet.light(line);
}

function toLine(view, line) {
  const [first] = wordsOf(view, line);
  if (first) bring(view, 0, first.first);
}
