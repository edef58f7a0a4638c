"""The text of a query becomes algebra: parsed by sqlglot, then nothing of the text is left."""

from privacy.policy.sql.root import Query, translate

__all__ = ["Query", "translate"]
