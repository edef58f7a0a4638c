"""A first start shows something to answer and something to read; a second one leaves people's own alone."""

import io
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command

from surveys.demo.making import demo_make
from surveys.demo.panels import STUDENTS
from surveys.demo.questionnaires import CLOSED, OPEN, PROPORTIONS
from surveys.models import Account, Question, Respondent, Source, Survey, Version
from surveys.services.publishing import manifest_of
from surveys.services.queries import query_submit
from surveys.services.sources import source_check
from surveys.services.trial import Respondents
from surveys.services.warnings import warnings_of
from surveys.simulation.truths import shares_of, table_read
from surveys.sources.service import NAME

pytestmark = pytest.mark.django_db


def say() -> str:
    out = io.StringIO()
    call_command("demo", "--base-url", "http://127.0.0.1:8123", stdout=out)
    return out.getvalue()


def test_the_demo_opens_two_surveys_and_three_accounts() -> None:
    said = say()
    assert set(Survey.objects.values_list("slug", "state")) == {
        (OPEN["slug"], "open"),
        (CLOSED["slug"], "open"),
    }
    assert f"http://127.0.0.1:8123/s/{OPEN['slug']}/" in said
    assert said.count("one-time password") == 3


def test_a_second_start_makes_nothing_again() -> None:
    say()
    before = (Version.objects.count(), Question.objects.count(), get_user_model().objects.count())
    say()
    assert (Version.objects.count(), Question.objects.count(), get_user_model().objects.count()) == before


def test_a_password_of_ones_own_is_left_alone() -> None:
    demo_make()
    admin = get_user_model().objects.get(username="admin")
    admin.set_password("my own passphrase")
    admin.save()
    Account.objects.filter(user=admin).update(must_change_password=False)
    accounts = {account.name: account.password for account in demo_make()}
    assert accounts["admin"] is None
    assert accounts["auditor"] is not None
    admin.refresh_from_db()
    assert admin.check_password("my own passphrase")


def test_the_printed_password_works() -> None:
    passwords = {account.name: account.password for account in demo_make()}
    for name, password in passwords.items():
        assert get_user_model().objects.get(username=name).check_password(password)


def test_the_demo_shows_every_kind_and_protocol_with_branching() -> None:
    demo_make()
    questions = manifest_of(Version.objects.get(survey__slug=OPEN["slug"]))["questions"]
    assert {question["kind"] for question in questions} == set(Question.Kind.values)
    assert any("visible_if" in question for question in questions)
    protocols = {q["mechanism"]["name"] for q in questions if "mechanism" in q}
    assert protocols == set(Question.Protocol.values)


def test_the_demo_that_people_answer_protects_them_in_all() -> None:
    demo_make()
    manifest = manifest_of(Version.objects.get(survey__slug=OPEN["slug"]))
    assert float(manifest["epsilon_total"]) <= 4


def test_the_demo_follows_its_own_advice() -> None:
    demo_make()
    for survey in Survey.objects.all():
        assert warnings_of(survey, list(survey.questions.all())) == []


def test_the_table_has_a_share_for_every_answer() -> None:
    demo_make()
    manifest = manifest_of(Version.objects.get(survey__slug=CLOSED["slug"]))
    shares: Any = shares_of(table_read(PROPORTIONS), manifest)
    assert set(shares) == {question["id"] for question in manifest["questions"]}
    assert all(
        sum(shares[q["id"]]) == pytest.approx(1, abs=2e-4)
        for q in manifest["questions"]
        if q["kind"] != "multiple"
    )
    assert Respondents(manifest, shares)


@pytest.mark.django_db(transaction=True)
def test_the_researcher_may_ask_about_the_demo_panel_once_made() -> None:
    for _ in range(2):
        demo_make()
    assert Respondent.objects.count() == STUDENTS
    source, researcher = Source.objects.get(name=NAME), get_user_model().objects.get(username="researcher")
    sql = "SELECT segment, sex, COUNT(*) FROM respondent GROUP BY segment, sex"
    assert query_submit(actor=researcher, source=source, sql=sql, epsilon="1").fresh
    assert source_check(actor=None, source=source).state == Source.State.OPEN
