"""Text that only one side has, or has otherwise."""
