"""What order costs over all orders that a page allows, and what of a page counts at all."""
