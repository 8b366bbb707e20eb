"""Text that was read out of its place: found, grouped, named, put back."""
