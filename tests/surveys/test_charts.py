"""Bars are drawn where the figures say, also below zero and above one."""

from typing import Any

import pytest
from django.template import Context, Template
from django.utils import translation

from surveys.pages.charts import chart
from surveys.templatetags.drawings import sector
from surveys.templatetags.staff import percent


def answer(share: float | None, low: float = 0.0, high: float = 0.5) -> dict[str, Any]:
    return {
        "text": {"en": "Yes", "ko": "예"},
        "unbiased": share,
        "interval": [low, high],
        "maximum_likelihood": max(0.0, share or 0.0),
    }


def test_a_share_is_drawn_from_zero_to_itself() -> None:
    drawn = chart({"answers": [answer(0.25)]})
    assert drawn["rows"][0]["bar"] == {"x": "0.000%", "width": "25.000%", "below": False}
    assert (drawn["rows"][0]["low"], drawn["rows"][0]["high"]) == ("0.000%", "50.000%")


def test_a_negative_share_is_drawn_left_of_zero() -> None:
    drawn = chart({"answers": [answer(-0.2), answer(0.8)]})
    below, above = (row["bar"] for row in drawn["rows"])
    assert below["below"]
    assert below["x"] == "0.000%"
    assert above["x"] == drawn["zero"] == "16.667%"


def test_a_share_far_beyond_the_range_does_not_squeeze_the_others() -> None:
    drawn = chart({"answers": [answer(9.0), answer(-9.0)]})
    assert drawn["zero"] == "33.333%"
    assert drawn["rows"][0]["bar"]["width"] == "66.667%"


def test_no_reports_draw_no_bar() -> None:
    assert chart({"answers": [answer(None)]})["rows"][0]["bar"] is None


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_sector_is_never_degenerate(share: float) -> None:
    assert sector(share).startswith("M60 60V6A54 54")


def test_a_negative_percentage_has_a_real_minus_sign() -> None:
    assert percent(-0.0591) == "−5.9 %"


def test_a_drawing_needs_no_style_attribute() -> None:
    """The content policy refuses inline styles: places and sizes are SVG attributes."""
    part = {"answers": [answer(-0.1), answer(1.1)]}
    with translation.override("ko"):
        drawn = Template("{% load drawings %}{% bars part %}").render(Context({"part": part}))
    assert "style=" not in drawn
    assert "예" in drawn
