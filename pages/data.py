"""Data: what do you have?"""

import streamlit as st

from htreval_core import HtrEvalError
from htreval_ui import data, html, state
from htreval_ui.links import go_to
from htreval_ui.opening import show_warnings
from htreval_ui.tables import pairing_frame

st.title("What do you have?")
st.markdown(
    "References and what one or more systems made of the same pages: a folder, a zip archive, or "
    "single files. They stay on this machine."
)
folder, files = st.columns(2, gap="large")
with folder:
    st.header("A folder")
    as_folder = st.file_uploader(
        "Folder", accept_multiple_files="directory", key="upload_folder",
        label_visibility="collapsed",
    )  # fmt: skip
with files:
    st.header("A zip archive, or files")
    as_files = st.file_uploader(
        "Files", accept_multiple_files=True, key="upload_files", label_visibility="collapsed"
    )
with st.expander("Say how references and output are told apart"):
    left, right = st.columns(2)
    reference_end = left.text_input("Names of references end in", placeholder="such as .gt.txt")
    hypothesis_end = right.text_input("Names of output end in", placeholder="such as .pred.txt")
uploads = [*(as_folder or []), *(as_files or [])]
if uploads:
    try:
        with st.spinner(f"Reading {len(uploads)} files"):
            key, pairing = data.add_upload(
                [(upload.name, upload.getvalue()) for upload in uploads],
                reference_end or None,
                hypothesis_end or None,
            )
            found = data.dataset(key, state.current().settings().reading)
    except HtrEvalError as error:
        st.error(html.label(str(error)), icon=":material/error:")
    else:
        st.success(
            f"{len(found.pages)} page{'s' if len(found.pages) > 1 else ''}, paired by "
            f"{html.label(pairing.rule)}",
            icon=":material/check_circle:",
        )
        show_warnings(found.warnings)
        rows = pairing_frame(pairing)
        st.dataframe(rows, hide_index=True, height=min(36 * len(rows) + 40, 320), key="pairing")
        if st.button("Score these pages", type="primary", icon=":material/play_arrow:"):
            state.select(data=key)
            go_to("overview.py")

st.header("Or look at an example")
for column, (name, title) in zip(st.columns(3), data.SAMPLES.items(), strict=True):
    with column.container(border=True, height="stretch"):
        st.markdown(data.ABOUT[name])
        if st.button(html.label(title), key=f"sample_{name}", icon=":material/menu_book:"):
            state.select(data=name)
            go_to("overview.py")

with st.expander("How files become pages"):
    st.markdown(
        """
- **Two endings in one folder**: `1.ref` and `1.hyp`, or `1.gt.txt` and `1.pred.txt`.
- **A reference folder beside one folder for each system**: `reference/1.xml`, `my-system/1.txt`,
  `other-system/1.txt`. The reference folder may be called `reference`, `ref`, `gt` or
  `ground_truth`.
- **One page**: `gt.txt` beside one file for each system.
- **A table** (CSV, TSV, JSON lines, Parquet) with a column of page ids, one called `reference`, and
  one for each system.

Text files are UTF-8, one line of the page on each line; references and output may also be PAGE
XML, ALTO or hOCR, mixed as you like. Images beside the XML, or in a folder `images`, are shown with
their pages. Pages pair by their names, never by their order. What has no counterpart is listed,
and the rest is scored.
"""
    )
