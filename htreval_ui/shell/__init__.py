"""What stands around a page, or in its place while its values are computed."""
