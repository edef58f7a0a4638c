"""Differentially private SQL: labels on relations, inferred sensitivities, exact noise."""
