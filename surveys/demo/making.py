"""Makes what a first start shows; a second time it changes nothing that people changed."""

import secrets
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import transaction

from surveys.demo.panels import demo_panel_make
from surveys.demo.questionnaires import CLOSED, CLOSED_QUESTIONS, OPEN, OPEN_QUESTIONS, Values
from surveys.models import Account, Survey
from surveys.permissions import ADMIN, ROLES
from surveys.services.publishing import survey_publish
from surveys.services.questions import question_add
from surveys.services.surveys import grant_add, survey_create


@dataclass(frozen=True, slots=True)
class DemoAccount:
    """A demo account; the one-time password is None once its owner has replaced it."""

    name: str
    password: str | None


@transaction.atomic
def demo_make() -> list[DemoAccount]:
    """Make the accounts, surveys and panel that are missing; return the accounts with their one-time passwords."""
    accounts = [_account(role) for role in ROLES]
    users = {user.get_username(): user for user in get_user_model().objects.filter(username__in=ROLES)}
    for values, questions in ((OPEN, OPEN_QUESTIONS), (CLOSED, CLOSED_QUESTIONS)):
        if not Survey.objects.filter(slug=values["slug"]).exists():
            survey = _survey(users[ADMIN], values, questions)
            grant_add(actor=users[ADMIN], survey=survey, researcher=users["researcher"])
    demo_panel_make(users[ADMIN], users["researcher"])
    return accounts


def _account(role: str) -> DemoAccount:
    users = get_user_model().objects
    user = users.filter(username=role).first()
    if user is not None and not Account.objects.filter(user=user, must_change_password=True).exists():
        return DemoAccount(role, None)
    # Only a digest of the last one-time password is known, so an unused one is replaced.
    password = secrets.token_urlsafe(12)
    if user is None:
        user = users.create_user(role, is_staff=role == ADMIN, is_superuser=role == ADMIN)
        user.groups.add(Group.objects.get_or_create(name=role)[0])
    user.set_password(password)
    user.save(update_fields=["password"])
    Account.objects.update_or_create(user=user, defaults={"must_change_password": True})
    return DemoAccount(role, password)


def _survey(owner: Any, values: Values, questions: list[Values]) -> Survey:
    survey = survey_create(actor=owner, **values)
    for question in questions:
        question_add(actor=owner, survey=survey, **question)
    survey_publish(actor=owner, survey=survey)
    return survey
