"""Random neighbours against inferred bounds."""
