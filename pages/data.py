"""Data: what do you have?"""

import streamlit as st

from htreval_ui import html
from htreval_ui.studies import bringing, data
from htreval_ui.web import state
from htreval_ui.web.links import go_to

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
    st.markdown(
        """
**Ground truth and each system.** Files pair by their names without endings, never by their order:
`0001.xml` of the ground truth and `0001.txt` of a system are one page. You are asked about files
without a partner.

**All in one.** The first of these that fits counts:

- **Endings in one folder**: `1.ref` and `1.hyp`, `1.gt.txt` and `1.pred.txt`, or `1.gt.xml`,
  `1.one-system.xml` and `1.other-system.xml`.
- **A reference folder beside one folder for each system**: `reference/1.xml`, `my-system/1.txt`,
  `other-system/1.txt`. The reference folder may be called `reference`, `ref`, `gt` or
  `ground_truth`, or hold such a word in its name.
- **One page**: `gt.txt` beside one file for each system.
- **A table** (CSV, TSV, JSON lines, Parquet) with a column of page ids, one called `reference`, and
  one for each system.

Text files are UTF-8, one line of the page on each line. References and output may also be Markdown,
HTML, PAGE XML, ALTO, hOCR, TEI, ABBYY XML, DOCX or layout JSON, in any mixture; “Effect of each
option” under “settings” shows what is taken off such a file. Images beside the XML, or in a
folder `images`, are shown with their pages, and a table `pages.csv` says what is known about them:
hand, language, prompt. Files without a counterpart are listed, and the rest are scored.
"""
    )
