"""Drawings to scale, as SVG attributes only: the wheel, coins, people and the bar of spent ε."""

from math import cos, pi, sin
from typing import Any

from django import template

from surveys.pages.charts import chart

register = template.Library()

CENTRE, RADIUS = 60.0, 54.0
# Up to 2^4 outcomes are drawn as coins one by one; more of them are a wheel.
FEW_TOSSES = 4


def sector(share: float) -> str:
    """Give the path of a sector that starts at the top and covers this share of the wheel, clockwise."""
    angle = 2 * pi * min(max(share, 0.0), 0.999999)
    x, y = CENTRE + RADIUS * sin(angle), CENTRE - RADIUS * cos(angle)
    large = 1 if share > 0.5 else 0
    return f"M{CENTRE:g} {CENTRE:g}V{CENTRE - RADIUS:g}A{RADIUS:g} {RADIUS:g} 0 {large} 1 {x:.3f} {y:.3f}Z"


@register.inclusion_tag("surveys/parts/wheel.html")
def wheel(num: int, bits: int = 32, label: str = "", name: str = "") -> dict[str, Any]:
    """Draw the wheel whose bright part is exactly num of 2^bits."""
    return {"path": sector(num / 2**bits), "label": label, "name": name}


@register.inclusion_tag("surveys/parts/coins.html")
def coins(tosses: int, num: int, label: str = "") -> dict[str, Any]:
    """Draw the 2^tosses outcomes as coins when there are few, the bright ones mean "own answer"."""
    return {
        "marks": [index < num for index in range(2**tosses)] if tosses <= FEW_TOSSES else [],
        "label": label,
    }


@register.inclusion_tag("surveys/parts/mechanism.html")
def mechanism_drawing(mechanism: dict[str, Any] | None) -> dict[str, Any]:
    """Draw whatever a question's mechanism shows to its respondents."""
    if not mechanism:
        return {}
    coin = mechanism.get("name") == "coin"
    bits, num = mechanism["tosses"] if coin else mechanism["bits"], mechanism["num"]
    if coin and bits <= FEW_TOSSES:
        return {"marks": [index < num for index in range(2**bits)]}
    return {"path": sector(num / 2**bits)}


@register.inclusion_tag("surveys/parts/people.html")
def people(bright: int = 73) -> dict[str, Any]:
    """Draw a hundred dots, the bright ones send their own answer on."""
    dots = [(8 + 15 * (i % 20), 8 + 15 * (i // 20), i < bright) for i in range(100)]
    return {"dots": dots}


@register.inclusion_tag("surveys/parts/total.html")
def total_bar(spent: float, ceiling: float) -> dict[str, Any]:
    """Draw how much of the survey's ε ceiling its questions use."""
    share = 100.0 if ceiling <= 0 else min(100.0, 100 * spent / ceiling)
    return {"share": f"{share:.2f}", "over": spent > ceiling}


@register.inclusion_tag("surveys/parts/chart.html")
def bars(part: dict[str, Any]) -> dict[str, Any]:
    """Draw the answers of one question as bars with their intervals."""
    return {"chart": chart(part)}
