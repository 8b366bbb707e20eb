
// The app as a host of a view: it takes every wish.
export default ({ data, parentElement, setTriggerValue }) => show({
  payload: data,
  place: parentElement,
  takes: () => true,
  wish: (what, value = null, page = "") => {
    setTriggerValue("wish", [what, value, page]);
    // The table of all pages opens below the fold.
    for (const wait of what === "table" ? [500, 1500] : []) {
      setTimeout(() => document.querySelector(".st-key-more_row")?.scrollIntoView({ block: "start" }), wait);
    }
  },
  keep: (marks) => setTriggerValue("kept", marks),
});
