"""Ready-made Likert scales in both languages, negative end first."""

from typing import Any

from django.utils.translation import gettext_lazy as _

PRESETS: dict[str, tuple[Any, tuple[tuple[str, str], ...]]] = {
    "agree-5": (
        _("Agreement, 5 points"),
        (
            ("Strongly disagree", "전혀 그렇지 않다"),
            ("Disagree", "그렇지 않다"),
            ("Neither agree nor disagree", "보통이다"),
            ("Agree", "그렇다"),
            ("Strongly agree", "매우 그렇다"),
        ),
    ),
    "agree-7": (
        _("Agreement, 7 points"),
        (
            ("Strongly disagree", "전혀 그렇지 않다"),
            ("Disagree", "그렇지 않다"),
            ("Somewhat disagree", "별로 그렇지 않다"),
            ("Neither agree nor disagree", "보통이다"),
            ("Somewhat agree", "약간 그렇다"),
            ("Agree", "그렇다"),
            ("Strongly agree", "매우 그렇다"),
        ),
    ),
    "often-5": (
        _("Frequency, 5 points"),
        (
            ("Never", "전혀 없다"),
            ("Rarely", "거의 없다"),
            ("Sometimes", "가끔 있다"),
            ("Often", "자주 있다"),
            ("Very often", "매우 자주 있다"),
        ),
    ),
    "satisfied-7": (
        _("Satisfaction, 7 points"),
        (
            ("Very dissatisfied", "매우 불만족"),
            ("Dissatisfied", "불만족"),
            ("Somewhat dissatisfied", "다소 불만족"),
            ("Neither", "보통"),
            ("Somewhat satisfied", "다소 만족"),
            ("Satisfied", "만족"),
            ("Very satisfied", "매우 만족"),
        ),
    ),
}


def preset_answers(name: str) -> list[dict[str, str]]:
    """Return the rows of answers of a scale; none for a name that is not there."""
    scale = PRESETS[name][1] if name in PRESETS else ()
    return [{"id": f"c{i}", "en": en, "ko": ko} for i, (en, ko) in enumerate(scale, start=1)]
