"""The only place that makes the user's text safe to show.

Streamlit and Plotly each interpret text in their own way, so each way has its own function:
``st.html`` takes HTML, labels and messages take Markdown, and Plotly a subset of HTML of its own.
"""

import html

from htreval_core.markup import isolated, shorten, visible

_MOST = 4000
"""The most characters of a message that are shown: it is to be read, not to fill the page."""
_MOST_OF_NAME = 80


def escape(text: str) -> str:
    """Text for ``st.html``."""
    return html.escape(visible(text), quote=True)


def label(text: str) -> str:
    """Text for a Markdown label or message: nothing but letters, digits and spaces stays bare."""
    return "".join(
        char if char.isalnum() or char == " " else f"&#{ord(char)};"
        for char in shorten(visible(text), _MOST)
    )


def name(text: str) -> str:
    """The name of a page, a system or a data set as ``label``: cut, its direction its own."""
    return isolated(label(shorten(visible(text), _MOST_OF_NAME)))


def shown(text: str) -> str:
    """The name of something where nothing is interpreted, such as an option to choose: cut."""
    return isolated(shorten(visible(text), _MOST_OF_NAME))


def plotly(text: str) -> str:
    """Text for a Plotly title, tick or hover; long texts are cut so that they cannot fill it."""
    shown = visible(text)
    if len(shown) > 80:
        shown = shown[:77] + "…"
    return isolated(html.escape(shown, quote=False).replace("%{", "%&#123;"))
