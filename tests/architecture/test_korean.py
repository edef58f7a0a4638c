"""One Korean word for each thing, wherever people read Korean."""

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
}


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
