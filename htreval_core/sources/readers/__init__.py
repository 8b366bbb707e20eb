"""A reader for each kind of file; ``sources.formats`` has the table of them."""
