"""The metrics of one page as counts, and their sums over pages."""
