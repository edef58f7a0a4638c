"""The REST API, one class an operation."""
