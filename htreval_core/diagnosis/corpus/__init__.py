"""What many pages say together."""
