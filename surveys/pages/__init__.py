"""The pages of staff and respondents, one class a page."""
