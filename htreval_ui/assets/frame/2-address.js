// The address says what is shown. A choice is a step that Back takes back; arriving is none.

let isListening = false;
let path = null;
// How often Back or Forward was pressed, and who is told of it.
let pressed = 0;
let tell = () => {};

function isSame(one, other) {
  const sorted = (text) => [...new URLSearchParams(text)].map((pair) => pair.join("=")).sort().join("&");
  return sorted(one) === sorted(other);
}

// Whether the address is that of the page that was drawn; the first page has none of its own.
function isAt({ page, others }) {
  const last = location.pathname.split("/").filter(Boolean).pop() || "";
  return page ? last === page : !others.includes(last);
}

export default function (component) {
  const { data, setTriggerValue } = component;
  tell = (n) => setTriggerValue("back", n);
  if (!isListening) {
    isListening = true;
    listenForKeys();
    window.addEventListener("popstate", () => {
      // Streamlit itself goes back to another page.
      if (location.pathname !== path) return;
      pressed += 1;
      tell(pressed);
    });
  }
  // Until the script has followed Back, what it wants is what was left; so it is where the user has
  // gone to another page meanwhile.
  if (data.heard !== pressed || !isAt(data)) return;
  const arrived = path !== location.pathname;
  path = location.pathname;
  if (isSame(location.search, data.query)) return;
  const address = `${location.pathname}${data.query ? `?${data.query}` : ""}`;
  if (arrived) history.replaceState(history.state, "", address);
  else history.pushState(history.state, "", address);
}
