"""The statistical audit: real draws of either language, and one judge of their counts."""
