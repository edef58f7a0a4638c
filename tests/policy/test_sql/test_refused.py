"""What is refused, where exactly, and why."""

from pathlib import Path

import pytest

from privacy.policy.errors import QueryRefused
from privacy.policy.sql import translate
from tests.policy.test_sql.school import POLICY

REFUSED = [
    tuple(part.replace("\\n", "\n") for part in line.rsplit(" ## ", 1))
    for line in Path(__file__).with_name("refused.sql").read_text("utf-8").splitlines()
    if line and not line.startswith("-- ")
]


@pytest.mark.parametrize(("text", "reason"), REFUSED, ids=[text for text, _ in REFUSED])
def test_a_query_is_refused_with_place_and_reason(text: str, reason: str) -> None:
    before, _, after = text.partition("¦")
    with pytest.raises(QueryRefused) as refused:
        translate(before + after, POLICY)
    assert reason in f"{refused.value.reason}; {refused.value.hint}"
    place = (before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
    assert (refused.value.line, refused.value.column) == place


def test_a_place_is_told_by_line_and_column() -> None:
    with pytest.raises(QueryRefused) as refused:
        translate("SELECT\n  COUNT(*)\nFROM pupil\nWHERE p_fee > 1\n  AND wrong = 2", POLICY)
    assert str(refused.value).startswith("line 5, column 7: there is no column wrong")
