"""Parts that every staff page is made of: assets, language links, fields, numbers, texts in two languages."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import forms, template
from django.http import HttpRequest
from django.utils import formats, timezone
from django.utils.translation import get_language

from surveys import permissions
from surveys.pages.assets import staff_bundle

register = template.Library()


@register.inclusion_tag("surveys/parts/assets.html")
def staff_assets() -> dict[str, Any]:
    """Link the built script and style sheets."""
    return {"bundle": staff_bundle()}


@register.inclusion_tag("surveys/parts/languages.html", takes_context=True)
def language_links(context: Mapping[str, Any]) -> dict[str, Any]:
    """Link this very page in each language."""
    request: HttpRequest | None = context.get("request")
    current = get_language() or "en"
    return {
        "current": current,
        "links": [
            (code, name, _address(request, code)) for code, name in (("ko", "한국어"), ("en", "English"))
        ],
    }


def _address(request: HttpRequest | None, code: str) -> str:
    if request is None:
        return f"?lang={code}"
    query = request.GET.copy()
    query["lang"] = code
    return f"?{query.urlencode()}"


@register.inclusion_tag("surveys/parts/field.html")
def field(bound: forms.BoundField, css: str = "", warnings: Any = ()) -> dict[str, Any]:
    """Show a field with its label, help, errors and warnings, tied together for screen readers."""
    described = [f"{bound.id_for_label}_help"] if bound.help_text else []
    if bound.errors:
        described.append(f"{bound.id_for_label}_errors")
    if warnings:
        described.append(f"{bound.id_for_label}_warnings")
    attrs: dict[str, str | bool] = {"aria-describedby": " ".join(described)} if described else {}
    if bound.errors:
        attrs["aria-invalid"] = "true"
    return {"bound": bound, "widget": bound.as_widget(attrs=attrs), "css": css, "warnings": warnings}


@register.filter
def is_checkbox(bound: forms.BoundField) -> bool:
    """Tell whether a field is a single tick box, whose label stands behind it."""
    return isinstance(bound.field.widget, forms.CheckboxInput)


@register.filter
def local(text: Any) -> str:
    """Pick the current language out of a text in both; the other one where this is empty."""
    if not isinstance(text, Mapping):
        return str(text or "")
    here = (get_language() or "en")[:2]
    return str(text.get(here) or text.get("en") or text.get("ko") or "")


@register.filter
def moment(when: datetime) -> str:
    """Write a time of day and date as a person of the page's language does, without a.m. and p.m."""
    form = "Y년 n월 j일 H:i" if get_language() == "ko" else "j F Y, H:i"
    return formats.date_format(timezone.localtime(when), form)


@register.filter
def percent(share: float | None, places: int = 1) -> str:
    """Write a share as a percentage; a real minus sign for estimates below zero."""
    if share is None:
        return "–"
    return f"{share * 100:.{places}f} %".replace("-", "−")


@register.filter
def points(share: float | None, places: int = 1) -> str:
    """Write a share as percentage points, without the sign."""
    return "–" if share is None else f"{abs(share) * 100:.{places}f}"


@register.filter
def grouped(number: int | None) -> str:
    """Write a whole number with groups of three digits."""
    return "–" if number is None else formats.number_format(number, use_l10n=True, force_grouping=True)


@register.filter
def item(mapping: Mapping[str, Any], key: str) -> Any:
    """Look a key up."""
    return mapping.get(key)


@register.filter
def may_call(user: Any) -> bool:
    """Tell whether this person may have an API token."""
    return bool(user and user.is_authenticated) and permissions.may_plan(user)


@register.filter
def may_configure(user: Any) -> bool:
    """Tell whether this person configures surveys and panels."""
    return bool(user and user.is_authenticated) and permissions.may_configure(user)


@register.filter
def may_audit(user: Any) -> bool:
    """Tell whether the audit log is for this person."""
    return bool(user and user.is_authenticated) and permissions.may_read_audit(user)


@register.filter
def named(survey: Any) -> str:
    """Give a survey's title in the language of the page, or its address when it has none."""
    return local({"en": survey.title_en, "ko": survey.title_ko}) or survey.slug


@register.filter
def texts(question: Any) -> dict[str, str]:
    """Give a question's text in both languages."""
    return {"en": question.text_en, "ko": question.text_ko}
