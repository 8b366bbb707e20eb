"use strict";
// Pointing at a word, or at its dot, brings out the other words and the dot of the same pair.
(() => {
  let on = [];
  const show = (event) => {
    const at = event.target.closest("[data-p]");
    on.forEach((one) => one.classList.remove("on"));
    on = at ? [...at.closest("section.page").querySelectorAll(`[data-p="${at.dataset.p}"]`)] : [];
    on.forEach((one) => one.classList.add("on"));
  };
  document.addEventListener("mouseover", show);
  document.addEventListener("click", show);
})();
