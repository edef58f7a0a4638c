"""`python -m tests.vectors` writes the shared vectors again."""

from tests.vectors.make import write

write()
