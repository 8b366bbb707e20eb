"""Data: what do you have?"""

import streamlit as st

from htreval_ui import html
from htreval_ui.studies import bringing, data
from htreval_ui.web import state
from htreval_ui.web.state import go_to

st.title("What do you have?")
st.markdown(
    "The ground truth, and what one or more systems made of the same pages: text, Markdown, PAGE "
    "XML, ALTO, hOCR, TEI, layout JSON, tables. The files stay on this machine."
)
apart, together = st.tabs([bringing.APART, bringing.TOGETHER])
with apart:
    bringing.bring_apart()
with together:
    bringing.bring_together()

st.header("Or look at an example")
for column, (name, title) in zip(st.columns(len(data.SAMPLES)), data.SAMPLES.items(), strict=True):
    with column.container(border=True, height="stretch"):
        st.markdown(data.ABOUT[name])
        if st.button(html.label(title), key=f"sample_{name}", icon=":material/menu_book:"):
            state.select(data=name)
            go_to("overview.py")

with st.expander("How files become pages"):
    st.markdown(data.HOW_FILES_PAIR)
