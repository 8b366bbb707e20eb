"""Data sets, what is computed about them, and how somebody brings and opens them."""
