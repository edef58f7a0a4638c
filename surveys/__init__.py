"""Surveys: tables, services, selectors, the REST API and the pages."""
