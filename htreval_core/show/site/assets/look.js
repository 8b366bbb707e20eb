// A notebook as host of one page: it has no other page, and no address.

async function startLook() {
  const plain = await htreval.load("look");
  const { address } = await htreval.load("image");
  const parent = document.querySelector("main").appendChild(document.createElement("div"));
  const takes = ["view", "mode", "word", "event", "repair"];
  let given = {};

  async function draw() {
    const state = pageState(given);
    const suffix = state.repaired.length ? `-${state.repaired.map((one) => one + 1).join("+")}`
      : state.view === "trace" ? "-trace" : "";
    const found = await htreval.load(`look${suffix}`);
    const payload = { ...found, image: address,
      head: { ...found.head, pages: [[plain.page, plain.page]], place: 0, total: 1, rank: "name", ranks: [["name", "name"]] },
      event: state.event, picked: state.picked, repaired: state.repaired, mode: state.mode,
      marks: null, rules: { float: [], "leave-out": [], either: [] } };
    htreval.draw("page", parent, payload, { takes: (what) => takes.includes(what), keep: () => {},
      wish: (what, value) => {
        if (what === "view") given = { ...given, view: value, repaired: "" };
        else if (what === "mode") given = { ...given, mode: value };
        else if (what === "word") given = { ...given, word: wordName(value) };
        else if (what === "event") given = { ...given, event: state.event === value ? "" : String(value + 1), repaired: "" };
        else if (what === "repair") {
          const next = nextRepair(plain.repairs, state.repaired, value, state.event);
          given = { ...given, word: "", repaired: next.map((one) => one + 1).join("+") };
        }
        draw();
      } });
  }

  draw();
}
