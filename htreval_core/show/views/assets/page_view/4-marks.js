// Marks: what they are on, the keys that set them, and how many pages are left.

const MARK_KEYS = { l: 0, b: 1, w: 2 };
let saved = 0;
// Marks that the server has not confirmed: a run may be cut short by the next.
const queue = [];
let lastMark = 0;

function putMark(view, target, add, drop, remark, send) {
  lastMark = Math.max(Date.now(), lastMark + 1);
  const { name } = view.data.head.systems.find((one) => one.chosen);
  queue.push([lastMark, view.data.page, name, target, add, drop, remark]);
  view.sendMarks(queue);
  drawMarks(view, send);
}

function confirmMarks(view) {
  const { marks } = view.data;
  if (!marks || !queue.length) return;
  while (queue.length && queue[0][0] <= marks.confirmed) queue.shift();
  if (queue.length) view.sendMarks(queue);
}

// The word under the cursor, else the fault that is brought out, else the page.
function markTargets(view) {
  const { picked } = view.data;
  const [side, index] = view.cursor || (picked ? [picked[0] === "ref" ? 0 : 1, picked[1]] : []);
  const targets = [["page", ["page"]]];
  if (view.event !== null && view.event !== undefined) {
    targets.unshift([`fault ${view.event + 1}`, ["fault", view.event]]);
  }
  // Words of a page with text put back stand elsewhere than those of its file.
  const isThere = side === 0 || (side === 1 && !view.data.repaired.length);
  const word = isThere && view.panes[side].word(index);
  if (word) {
    const name = side ? "hyp" : "ref";
    const { line } = view.panes[side].lineOf(index);
    targets.unshift([`word ${isolated(word.textContent.slice(0, 24))}`, ["word", name, index]],
      [`line ${line + 1}`, ["line", name, line]]);
  }
  return targets;
}

const sameTarget = (a, b) => a.join() === b.join();

// What the user says of a target, with what is on its way.
function saidOf(view, target) {
  const own = view.data.marks.marks.filter((one) => one.mine && sameTarget(one.on, target));
  const said = { tags: own.flatMap((one) => one.tags),
    remark: own.map((one) => one.remark).filter(Boolean).join("\n") };
  for (const [, page, , on, add, drop, remark] of queue) {
    if (page !== view.data.page || !sameTarget(on, target)) continue;
    said.tags = [...said.tags.filter((tag) => !drop.includes(tag) && !add.includes(tag)), ...add];
    if (remark !== null) said.remark = remark;
  }
  return said;
}

function toggleMark(view, target, tag, send) {
  const isOn = saidOf(view, target).tags.includes(tag);
  putMark(view, target, isOn ? [] : [tag], isOn ? [tag] : [], null, send);
}

function drawMarks(view, send) {
  const told = view.data.marks;
  view.marks.classList.toggle("hidden", !told);
  if (!told || view.marks.querySelector("form")) return;
  const isOpen = view.takes("mark");
  const targets = markTargets(view);
  const key = targets.map(([, on]) => on.join()).join(";");
  if (view.markKey !== key) [view.markOn, view.markKey] = [targets[0][1], key];
  const mine = saidOf(view, view.markOn);
  const shown = JSON.stringify([told, targets, view.markOn, mine, view.data.repaired]);
  if (view.markShown === shown && view.marks.firstChild) return;
  view.markShown = shown;
  const fields = () => [...view.marks.querySelectorAll("button, select")];
  const focused = fields().indexOf(view.root.activeElement);
  const group = element("div", "walk");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Mark");
  const names = targets.map(([label, on]) => [on.join(), label]);
  group.append(element("span", "soft", "Mark"),
    chooser("mark-on", "What to mark", names, view.markOn.join(), (value) => {
      view.markOn = targets.find(([, on]) => on.join() === value)[1];
      drawMarks(view, send);
    }));
  told.tags.forEach((tag, number) => {
    const letter = Object.keys(MARK_KEYS)[number];
    const one = button("small", tag, () => toggleMark(view, view.markOn, tag, send),
      letter ? `Key ${letter}; with Shift the whole line` : "A tag of your own");
    one.setAttribute("aria-pressed", String(mine.tags.includes(tag)));
    group.append(one);
  });
  group.append(button("small", "tags, remark …", () => writeMark(view, send), "Key t"));
  const list = element("div", "walk mark-list");
  for (const one of told.marks) {
    const entry = button("small", "", () => toMark(view, one, send), `${one.place} (${one.person})`);
    entry.append(element("b", "", isolated(one.place)), ` ${isolated(one.said)}`,
      one.mine ? "" : ` · ${isolated(one.person)}`);
    list.append(entry);
  }
  const right = element("div", "right soft");
  if (told.kept) right.title = told.kept;
  right.append(`${told.left} of ${view.data.head.total} pages not looked at${told.kept ? " · marks last for this session" : ""}`);
  const next = button("small", "next of these", () => send("left", 0), "Key u");
  next.disabled = told.isLast;
  right.append(next);
  view.marks.replaceChildren(...(isOpen ? [group, list, right] : [list]));
  if (focused >= 0) (fields()[focused] || next).focus();
  for (const node of view.frame.querySelectorAll(".noted")) node.classList.remove("noted");
  for (const { on: [what, side, at] } of told.marks) {
    if (what !== "word" && what !== "line") continue;
    const pane = view.panes[side === "ref" ? 0 : 1];
    const line = pane.lines.find((one) => one.line === at);
    const node = what === "word" ? pane.word(at) : line && line.label;
    if (node && (side === "ref" || !view.data.repaired.length)) node.classList.add("noted");
  }
}

function toMark(view, { on: [what, side, at] }, send) {
  if (what === "fault") {
    if (view.event !== side) send("event", side);
    return;
  }
  const number = side === "ref" ? 0 : 1;
  const line = what === "line" && view.panes[number].lines.find((one) => one.line === at);
  const index = what === "word" ? at : line && line.first;
  view.cursor = typeof index === "number" ? [number, index] : null;
  if (view.cursor) {
    bring(view, number, index);
    light(view, view.panes[number].word(index));
  }
  drawMarks(view, send);
}

// Tags with commas between, and a remark.
function writeMark(view, send) {
  const target = view.markOn;
  const before = saidOf(view, target);
  const form = element("form", "walk");
  const field = (label, value, most) => {
    const made = element("input", "");
    made.setAttribute("aria-label", label);
    made.placeholder = label;
    made.maxLength = most;
    made.value = value;
    return made;
  };
  const tags = field("Tags, with commas between", before.tags.join(", "), 400);
  const remark = field("Remark", before.remark, 2000);
  remark.classList.add("remark");
  const close = () => {
    form.remove();
    drawMarks(view, send);
    view.panes[0].box.focus();
  };
  const keep = button("small", "Keep", () => {}, "Enter");
  keep.type = "submit";
  form.append(tags, remark, keep, button("small", "Cancel", close, "Escape"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = tags.value.split(",").map((tag) => tag.trim()).filter(Boolean);
    form.remove();
    putMark(view, target, wanted.filter((tag) => !before.tags.includes(tag)),
      before.tags.filter((tag) => !wanted.includes(tag)), remark.value, send);
    close();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  view.marks.replaceChildren(form);
  remark.focus();
}

function listenForMarks(view, send) {
  document.addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    const types = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    const told = view.data.marks;
    if (!told || !view.takes("mark") || types || event.ctrlKey || event.metaKey || event.altKey || !view.frame.isConnected
      || view.keys.open) return;
    const number = MARK_KEYS[event.key.toLowerCase()];
    // Where the key came sooner than the next run, what was clicked last is not drawn yet.
    if (number !== undefined || event.key === "t") drawMarks(view, send);
    if (number !== undefined) {
      const line = markTargets(view).find(([, on]) => on[0] === "line");
      toggleMark(view, event.shiftKey && line ? line[1] : view.markOn, told.tags[number], send);
    } else if (event.key === "t") writeMark(view, send);
    else if (event.key === "u") send("left", 0);
    else {
      if (event.key === "Escape") view.markOn = ["page"];
      if (["n", "p", "Escape"].includes(event.key)) requestAnimationFrame(() => drawMarks(view, send));
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }, { signal: view.signal, capture: true });
}

// A corrected reference, once for each time that it was asked for.
function saveOnce(file) {
  if (!file || file.number === saved) return;
  saved = file.number;
  const bytes = Uint8Array.from(atob(file.content), (char) => char.charCodeAt(0));
  save(new Blob([bytes], { type: "application/xml" }), file.name);
}
