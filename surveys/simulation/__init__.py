"""Simulated respondents: true answers from a table, real reports through the public HTTP API."""
