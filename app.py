"""The web app as an ASGI application: ``streamlit run app.py``, or ``htreval app``.

The script behind it stands in ``htreval_ui`` because a ``pages`` folder beside the script that
Streamlit runs would switch on its other, older way of finding pages.
"""

import streamlit as st
from starlette.middleware import Middleware

import htreval_ui.components  # noqa: F401  (loads the libraries before the first visit)
from htreval_ui.places import MAIN
from htreval_ui.security import SecurityHeaders

app = st.App(MAIN, middleware=[Middleware(SecurityHeaders)])
