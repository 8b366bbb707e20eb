"""The run bundle on disk: a folder NAME.htreval. See docs/dev/run-format.md."""
