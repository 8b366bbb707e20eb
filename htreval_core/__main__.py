"""``python -m htreval_core``."""

from htreval_core.cli import main

if __name__ == "__main__":
    main(prog_name="htreval")
