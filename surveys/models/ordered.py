"""JSON that keeps the order in which it was written."""

import json
from typing import Any

from django.db import models


class OrderedJSONField(models.TextField):
    """JSON as a text: PostgreSQL's own would forget the order of the keys."""

    # What the checker of types takes for the attribute.
    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def from_db_value(self, value: str | None, *_: Any) -> Any:
        """Read what is stored."""
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str | None:
        """Write what is to be stored."""
        return None if value is None else json.dumps(value, ensure_ascii=False)

    def to_python(self, value: Any) -> Any:
        """Read a dump, which holds the text."""
        return json.loads(value) if isinstance(value, str) else value

    def value_to_string(self, obj: models.Model) -> str:
        """Write the text into a dump."""
        return str(self.get_prep_value(self.value_from_object(obj)))
