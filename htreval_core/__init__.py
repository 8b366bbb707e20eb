"""htreval_core."""
