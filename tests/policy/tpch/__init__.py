"""TPC-H as a source: its schema, policies about customers and suppliers, and its queries."""
