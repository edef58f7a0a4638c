"""Parts of the pages of sources: amounts of ε and δ, bars of what is spent, who sees them at all."""

from typing import Any

from django import template

from surveys.pages.console_left import micro_text, pico_text
from surveys.permissions import roles_of

register = template.Library()
register.filter("micro", micro_text)
register.filter("pico", pico_text)


@register.filter
def may_see_sources(user: Any) -> bool:
    """Tell whether sources are for this person: for everybody with a role."""
    return bool(user and user.is_authenticated) and bool(roles_of(user))
