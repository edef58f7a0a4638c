"""Tests of the translation of SQL into the algebra."""
