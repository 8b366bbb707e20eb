"""The web side of htreval, on Streamlit."""
