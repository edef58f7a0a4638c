"""Downloads of results: one set of rows in several formats."""
