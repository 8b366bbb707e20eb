"""The run bundle on disk: a folder NAME.htreval. See docs/run-format.md."""
