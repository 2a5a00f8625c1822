"""One file per intent; `catalogue` lists them."""
