
// The app as a host of a view: it takes every wish.
export default ({ data, parentElement, setTriggerValue }) => show({
  payload: data,
  place: parentElement,
  takes: () => true,
  wish: (what, value = null, page = "") => setTriggerValue("wish", [what, value, page]),
  keep: (marks) => setTriggerValue("kept", marks),
});
