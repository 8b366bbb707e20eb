// The faults beside the lines where they happened, each with what can be done about it.

function card(view, one, number, send) {
  const { data } = view;
  const box = element("section", "card");
  box.dataset.event = number;
  box.style.setProperty("--event", data.colours[number]);
  const head = element("div", "card-head");
  head.append(element("span", "badge", String(number + 1)));
  const icon = element("img");
  icon.src = one.icon;
  icon.alt = "";
  head.append(icon, element("b", "", one.name));
  const acts = element("div", "acts");
  acts.append(button("small show", "Show", () => send("event", number), "Highlight its words"));
  if (one.movable) {
    acts.append(button("small repair", "Put right", () => send("repair", number),
      "Put these words back in their place; your files stay as they are"));
  }
  if ((data.correctable || []).includes(number)) {
    acts.append(button("small", "Take the systems’ order", () => send("correct", number),
      "Saves a copy of the reference whose ReadingOrder alone is changed; your file stays as it is"));
  }
  if (one.sure) acts.append(element("span", "sure", one.sure));
  box.append(head, element("p", "", one.sentence), acts);
  return box;
}

// Where a fault stands in the output: at its own words, or where they are missing.
function heightOf(view, [ref, hyp]) {
  return view.panes[1].yOf(hyp >= 0 ? hyp : across(view, Math.max(ref, 0), 0));
}

function takeCards(view, send) {
  const { cards } = view.data;
  view.cards = cards.map((one, number) => card(view, one, number, send));
  view.rest = element("p", "rest", view.data.besides);
  view.deck.replaceChildren(...view.cards, view.rest);
  view.badges.replaceChildren(...cards.map((one, number) => {
    const badge = button("badge", String(number + 1), () => send("event", number), one.name);
    badge.dataset.event = number;
    badge.style.setProperty("--event", view.data.colours[number]);
    return badge;
  }));
}

// Each card as near its lines as the cards above it allow.
function layCards(view) {
  if (!view.cards) return;
  const order = view.cards.map((box, number) => [heightOf(view, view.data.cards[number].at), box]);
  order.sort((a, b) => a[0] - b[0]);
  const heights = order.map(([, box]) => box.offsetHeight);
  // Alone on a narrow screen they stand one under the other.
  const flows = !view.panes[1].box.clientHeight;
  let bottom = 6;
  order.forEach(([y, box], at) => {
    const top = flows ? bottom : Math.max(y, bottom);
    box.style.top = `${top}px`;
    bottom = top + heights[at] + 6;
  });
  view.rest.style.top = `${bottom}px`;
  view.deck.style.height = `${Math.max(bottom + view.rest.offsetHeight + 8, view.panes[1].box.scrollHeight)}px`;
  moveCards(view);
}

// The costliest fault is in sight when the page opens: its words on either side and its card.
function openAtFirst(view) {
  const [first] = view.cards;
  const { box } = view.panes[1];
  if (!first || first.offsetTop + first.offsetHeight <= box.clientHeight) return;
  const [ref, hyp] = view.data.cards[0].at;
  bring(view, 1, Math.round(hyp >= 0 ? hyp : across(view, Math.max(ref, 0), 0)), ref >= 0 && hyp >= 0 ? ref : null);
}

function moveCards(view) {
  if (view.side) view.side.scrollTop = view.panes[1].box.scrollTop;
}

function dressCards(view) {
  const { event, repaired } = view;
  for (const box of view.cards || []) {
    const number = Number(box.dataset.event);
    box.classList.toggle("chosen", number === event);
    box.querySelector(".show").setAttribute("aria-pressed", String(number === event));
    const repair = box.querySelector(".repair");
    if (!repair) continue;
    const isRight = repaired.includes(number);
    repair.textContent = isRight ? "Undo" : "Put right";
    repair.setAttribute("aria-pressed", String(isRight));
  }
  for (const badge of view.badges.children) {
    badge.setAttribute("aria-pressed", String(Number(badge.dataset.event) === event));
  }
}
