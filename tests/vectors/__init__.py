"""Shared vectors: what Python and TypeScript must agree on, to the bit."""
