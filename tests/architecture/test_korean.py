"""One Korean word for each thing, wherever people read Korean."""

import re

import polib
import pytest

from surveys.exports.rows import COLUMNS
from tests.architecture.source import ROOT

# The words of CONTRIBUTING.md, each with those that once stood in its place.
REPLACED = {
    "문항": ("질문",),
    "추정값": ("추정치",),
    "응답": ("보고 수", "거짓 보고", "무작위 보고", "모든 보고"),
    "버전": ("이전 판", "그 판", "공개 버전"),
    "마감": ("종료",),
    "무작위로 처리": ("무작위화",),
    "비용": ("질의의 값", "실행의 값"),
    "점검": ("검사",),
    "하이픈": ("붙임표",),
    "텍스트": ("글로 편집",),
    "회수": ("거두",),
}
# A particle that would have to follow the sound of a word nobody knows yet, and what stands for two of them.
_HANGING = re.compile(
    r"%\(\w+\)[sd][”’」]?(?:이라는|라는|이란|란|을|를|은|는|이|가|과|와|으로|로)(?![가-힣(])"
    r"|은\(는\)|을\(를\)|이\(가\)|과\(와\)|\(으\)로|\(이\)"
)
# What is put in here always ends alike.
_KNOWN_SOUND = {"%(far)s가"}


def strangers(text: str) -> list[str]:
    """Return the words in a text that another word stands for."""
    return [old for olds in REPLACED.values() for old in olds if old in text]


def korean() -> dict[str, str]:
    catalogue = polib.pofile(str(ROOT / "surveys/locale/ko/LC_MESSAGES/django.po"))
    return {
        "catalogue": "\n".join(
            text for one in catalogue for text in (one.msgstr, *one.msgstr_plural.values())
        ),
        "page": (ROOT / "frontend/src/i18n/ko.json").read_text("utf-8"),
        "readme": (ROOT / "README.ko.md").read_text("utf-8"),
        "codebook": "\n".join(column.ko for column in COLUMNS),
        "demo": (ROOT / "surveys/demo/questionnaires.py").read_text("utf-8"),
    }


@pytest.mark.parametrize("place", list(korean()))
def test_each_thing_has_one_korean_word(place):
    assert strangers(korean()[place]) == []


def test_a_second_word_is_found():
    assert strangers("설문을 종료한 뒤의 추정치") == ["추정치", "종료"]


def hanging(text: str) -> list[str]:
    """Return the particles that hang on a word which is put in later."""
    return [found for found in _HANGING.findall(text) if found not in _KNOWN_SOUND]


def test_no_particle_hangs_on_a_word_that_is_put_in_later():
    assert hanging(korean()["catalogue"]) == []


def test_a_particle_that_hangs_is_found():
    text = "%(name)s이라는 열, “%(value)s”은(는) 값, %(far)s가 없음, %(name)s의 값, “%(name)s” 열은"
    assert hanging(text) == ["%(name)s이라는", "은(는)"]
