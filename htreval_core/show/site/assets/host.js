"use strict";
// What all static hosts of the views share: views in scopes of their own, and packed payloads.

const htreval = (() => {
  const shows = new Map();
  const styles = new Map();
  const places = new Map();
  const packed = new Map();
  const held = new Map();

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  // Mates come as steps from one to the next, words of an output that are their mates' as 0.
  function whole(payload) {
    const sides = payload.sides || [];
    const reference = (sides[sides.length - 2] || { lines: [] }).lines.flatMap(([, , words]) => words);
    for (const side of sides) {
      let at = 0;
      side.mates = side.mates.map((step) => { at += step; return at; });
      for (const line of side.lines) {
        line[2] = line[2].map((word, n) => (word === 0 ? reference[side.mates[line[1] + n]] : word));
      }
    }
    return payload;
  }

  // A payload by the name of its file, each loaded once; a script, which a disk can serve, too.
  function load(name) {
    if (!held.has(name)) {
      const found = new Promise((done, fail) => {
        if (packed.has(name)) {
          done();
          return;
        }
        const script = document.createElement("script");
        script.src = `data/${name}.js`;
        script.onload = () => { script.remove(); done(); };
        script.onerror = () => fail(new Error(`The file data/${name}.js cannot be read. Copy the whole folder of this site.`));
        document.head.append(script);
      }).then(() => unpack(packed.get(name))).then(whole);
      found.catch(() => held.delete(name));
      held.set(name, found);
    }
    return held.get(name);
  }

  // Draws a view in an element, with a style that nothing outside has a part in.
  function draw(name, parent, payload, host) {
    if (!shows.has(name)) throw new Error(name);
    let place = places.get(parent);
    if (!place) {
      place = parent.attachShadow({ mode: "open" });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(styles.get(name));
      place.adoptedStyleSheets = [sheet];
      places.set(parent, place);
    }
    if (typeof shows.get(name) !== "object") shows.set(name, { show: shows.get(name)() });
    shows.get(name).show({ payload, place, ...host });
  }

  return {
    view: (name, style, make) => { shows.set(name, make); styles.set(name, style); },
    take: (name, text) => packed.set(name, text),
    load,
    draw,
  };
})();

// What the address, or a notebook, says of a page that is shown.
function pageState(given) {
  const word = /^(ref|hyp):(\d+)$/.exec(given.word || "");
  const event = /^\d+$/.test(given.event || "") ? Number(given.event) - 1 : null;
  const repaired = (given.repaired || "").split(/[+ ]/).filter((one) => /^\d+$/.test(one)).map((one) => Number(one) - 1);
  return {
    picked: word ? [word[1], Number(word[2])] : null,
    event: repaired.length ? null : event,
    repaired,
    mode: given.mode === "lines" ? "lines" : "",
    view: given.view === "trace" ? "trace" : "matching",
  };
}

// Which events are right after a wish; a set that was not prepared gives way to the one event.
function nextRepair({ possible, own, sets }, now, wanted, shown) {
  const known = (events) => !events.length || sets.some((one) => one.join() === events.join());
  const sorted = (events) => events.sort((a, b) => a - b);
  const toggled = (event) => sorted(now.includes(event) ? now.filter((one) => one !== event) : [...now, event]);
  if (wanted === "all") return now.length ? [] : own;
  if (wanted === "next") {
    const left = own.filter((one) => !now.includes(one));
    const next = own.includes(shown) ? toggled(shown) : left.length ? sorted([...now, left[0]]) : [];
    return known(next) ? next : [];
  }
  if (!possible.includes(wanted)) return now;
  return known(toggled(wanted)) ? toggled(wanted) : [wanted];
}

const wordName = ([side, index]) => `${side}:${Number(index)}`;
