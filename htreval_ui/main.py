"""The script that Streamlit runs for every page."""

import sys
from pathlib import Path

# Streamlit puts the folder of the script it runs in front of all others. Our modules are to be
# found in their package alone: html.py is not Python's html.
sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != Path(__file__).parent]

# A worker process runs this file, too, under another name, for its parent's sake.
if __name__ == "__main__":
    from htreval_ui.shell.navigation import main

    main()
