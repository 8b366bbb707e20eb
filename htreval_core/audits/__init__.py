"""Systems compared with each other on pages that have no reference."""
