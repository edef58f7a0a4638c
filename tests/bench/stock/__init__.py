"""A stock Django REST Framework service for the same reports, as one would write it in an afternoon."""
