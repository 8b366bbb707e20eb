// The address says what is shown. A choice is a step that Back takes back; arriving is not a step.

let isListening = false;
let path = null;
// What was written last, as long as nobody has gone back or forward from it.
let written = null;

function isSame(one, other) {
  const sorted = (text) => [...new URLSearchParams(text)].map((pair) => pair.join("=")).sort().join("&");
  return sorted(one) === sorted(other);
}

// Whether the address is that of the page that was drawn; the first page has none of its own.
function isAt({ page, others }) {
  const last = location.pathname.split("/").filter(Boolean).pop() || "";
  return page ? last === page : !others.includes(last);
}

function show({ payload: data }) {
  if (!isListening) {
    isListening = true;
    listenForKeys();
    window.addEventListener("popstate", () => { written = null; });
  }
  // A run that was begun at another address knows nothing of where the user has gone meanwhile.
  const isKnown = isSame(location.search, data.given)
    || (written !== null && isSame(location.search, written));
  if (!isAt(data) || !isKnown) return;
  const arrived = path !== location.pathname;
  path = location.pathname;
  if (isSame(location.search, data.query)) return;
  const address = `${location.pathname}${data.query ? `?${data.query}` : ""}`;
  if (arrived) history.replaceState(history.state, "", address);
  else history.pushState(history.state, "", address);
  written = data.query;
}
