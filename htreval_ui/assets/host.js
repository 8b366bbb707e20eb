
// The app as a host of a view: it takes every wish.
export default ({ data, parentElement, setTriggerValue }) => {
  const stop = show({
    payload: data,
    place: parentElement,
    takes: () => true,
    wish: (what, value = null, page = "") => {
      setTriggerValue("wish", [what, value, page]);
      if (what === "table" && !data.strip?.asTable) bringUp(".st-key-more_row");
    },
    keep: (marks) => setTriggerValue("kept", marks),
  });
  // What is slow to load and stands below waits until the view is seen.
  if (data.awaited) requestAnimationFrame(() => setTimeout(() => setTriggerValue("drawn", true)));
  return stop;
};

// What opens below the fold is brought to the top, once it has been drawn or until the user moves.
function bringUp(selector) {
  const [user, begun] = [new AbortController(), Date.now()];
  for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) {
    addEventListener(kind, () => user.abort(), { capture: true, signal: user.signal });
  }
  const follow = () => {
    const [row, waited] = [document.querySelector(selector), Date.now() - begun];
    if (user.signal.aborted) return;
    row?.scrollIntoView({ block: "start" });
    const isDrawn = document.querySelector('[data-test-script-state="notRunning"]') && waited > 1000;
    if (row && isDrawn && row.getBoundingClientRect().top < 150 || waited > 30000) user.abort();
    else setTimeout(follow, 250);
  };
  setTimeout(follow, 250);
}
