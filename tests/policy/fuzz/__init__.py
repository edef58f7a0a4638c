"""The adversary: bad input, and queries of a grammar against neighbouring databases."""
