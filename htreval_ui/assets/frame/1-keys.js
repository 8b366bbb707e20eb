// "h" hides the navigation and the strip, and shows them again: a projector has no room for them.

function listenForKeys() {
  document.documentElement.setAttribute("aria-keyshortcuts", "h");
  document.addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    const types = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (types || event.ctrlKey || event.metaKey || event.altKey || event.key !== "h") return;
    document.documentElement.classList.toggle("without-frame");
    event.preventDefault();
  }, true);
}
