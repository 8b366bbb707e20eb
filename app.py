"""The web app as an ASGI application: ``streamlit run app.py``, or ``htreval app``.

The script behind it stands in ``htreval_ui`` because a ``pages`` folder beside the script that
Streamlit runs would switch on its other, older way of finding pages.
"""

import sys
from threading import Thread

import streamlit as st
from starlette.middleware import Middleware

from htreval_core.show import plotly  # noqa: F401  (load the libraries before a visit)
from htreval_ui.places import MAIN
from htreval_ui.sections import tables  # noqa: F401
from htreval_ui.studies import data, uploads
from htreval_ui.web.leaving import Leaving
from htreval_ui.web.security import KnownHosts, SecurityHeaders, UploadRoom

# Otherwise Streamlit puts this folder in front for each run and takes it away afterwards. Another
# run that looks for a module meanwhile may miss it. At the end, html.py hides no module of Python.
sys.path.append(str(MAIN.parent))

# A daemon: opening a large run is not to keep the server from starting or ending.
Thread(target=data.warm, daemon=True).start()

app = st.App(
    MAIN,
    middleware=[
        Middleware(SecurityHeaders), Middleware(KnownHosts),
        Middleware(UploadRoom, uploads.SESSION_BYTES, uploads.SERVER_BYTES), Middleware(Leaving),
    ],
)  # fmt: skip
