"""The views as static files, for any place that serves files, or for a disk."""
