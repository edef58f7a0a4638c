"""Bad input is refused with line, column, reason and hint, and before anything reaches a database."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from privacy.policy.answer import answer
from privacy.policy.compile import Compiler
from privacy.policy.errors import QueryRefused
from privacy.policy.labels import policy_from
from privacy.policy.noise import SecureNoise
from privacy.policy.plan import plan_query
from privacy.policy.schema import schema_from
from privacy.policy.sql.text import Spoken
from surveys.sources.service import service_schema, shipped
from tests.people import DOMAINS
from tests.policy.fuzz.bad import LARGE, Bad, bad_input

POLICY = policy_from(shipped()["policy"], schema_from(service_schema([DOMAINS])))
BAD = tuple(bad_input())
ODD_AND_ANSWERED = [
    "SELECT COUNT(*) FROM respondent WHERE region = '서울\u200d'",
    "SELECT COUNT(*) FROM respondent WHERE region = 'x'; -- the end",
    "SELECT COUNT(*) FROM respondent WHERE region = ''';DROP TABLE respondent;--'",
    "SELECT COUNT(*) /* a comment */ FROM respondent -- and another",
    "SELECT /*+ SeqScan(respondent) */ COUNT(*) FROM respondent",
    'SELECT COUNT(*) AS "x""; DROP TABLE respondent; --" FROM "RESPONDENT"',
    "SELECT COUNT(*) FROM respondent FETCH FIRST 1 ROW ONLY",
    "SELECT COUNT(*) FROM respondent LIMIT 0 OFFSET 999999999",
    "SELECT COUNT(*) / 0 FROM respondent",
    "SELECT COUNT(*) FROM respondent WHERE region LIKE '" + "%a" * 400 + "'",
    f"SELECT COUNT(*) FROM respondent WHERE id IN ({', '.join(map(str, range(3_000)))})",
    f"SELECT COUNT(*) FROM respondent WHERE {' AND '.join(['region <> sex'] * 1_000)}",
    "SELECT COUNT(*) FROM respondent WHERE id = 1e3 OR id = .5",
]


class Touched(Exception):
    """A statement would have reached a database."""


def touch(sql: str) -> Sequence[Any]:
    raise Touched(sql)


def ask(sql: str) -> None:
    plan = plan_query(sql, POLICY)
    answer(
        plan.query,
        plan.sensitivities,
        plan.sources,
        epsilon=Fraction(1),
        execute=touch,
        compiler=Compiler("sqlite"),
        noise=SecureNoise(),
    )


def refusal(sql: str) -> QueryRefused:
    with pytest.raises(QueryRefused) as refused:
        ask(sql)
    return refused.value


@pytest.mark.parametrize("bad", BAD, ids=[f"{one.family}: {ascii(one.text)[:80]}" for one in BAD])
def test_bad_input_is_refused_with_place_reason_and_hint(bad: Bad) -> None:
    refused = refusal(bad.text)
    assert bad.reason in refused.reason
    assert (refused.line, refused.column) == (bad.line, bad.column)
    assert refused.hint
    # Nothing of the parser shows, and nothing that nobody sees.
    assert not any(word in refused.reason.lower() for word in ("tokentype", "<class", "sqlglot"))
    assert refused.reason.isprintable()


@pytest.mark.parametrize("name", sorted(LARGE))
def test_large_input_is_refused(name: str) -> None:
    text, reason = LARGE[name]
    refused = refusal(text)
    assert reason in refused.reason
    assert refused.line is not None
    assert refused.column is not None
    assert refused.hint
    assert len(str(refused)) < 1_500


def test_a_megabyte_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Spoken, "tokenize", lambda *_: pytest.fail("it was read"))
    refusal(LARGE["1 MB of text"][0])


@pytest.mark.parametrize("sql", ODD_AND_ANSWERED, ids=[ascii(one)[:60] for one in ODD_AND_ANSWERED])
def test_what_is_odd_and_harmless_comes_to_the_database(sql: str) -> None:
    """The control: a text that is accepted does touch it, so that of the others nothing did."""
    with pytest.raises(Touched):
        ask(sql)
