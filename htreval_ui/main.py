"""The script that Streamlit runs for every page."""

# A worker process runs this file, too, under another name, for its parent's sake.
if __name__ == "__main__":
    from htreval_ui.shell.navigation import main

    main()
