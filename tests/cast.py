"""The people and surveys that tests tell about."""

from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.utils import timezone
from rest_framework.authtoken.models import Token

from privacy.bits import SecureBits
from surveys.models import Survey, Version
from surveys.services.publishing import survey_publish
from surveys.services.questions import question_add
from surveys.services.surveys import survey_create
from surveys.services.tokens import token_digest
from surveys.wire.packing import Layout
from surveys.wire.seals import key_encode

PASSWORD = "a long enough passphrase"


def token(user: Any) -> str:
    """Return the API token of an account, whoever it is; the same one every time."""
    text = f"{user.pk:040x}"
    Token.objects.get_or_create(user=user, defaults={"key": token_digest(text)})
    return text


def person(name: str, role: str | None = None) -> Any:
    """Return an account, with a role or with none."""
    user = get_user_model().objects.create_user(name, password=PASSWORD)
    if role is not None:
        user.groups.add(Group.objects.get_or_create(name=role)[0])
    return user


def texts(en: str, ko: str = "") -> dict[str, str]:
    """Return a text in both languages."""
    return {"en": en, "ko": ko or f"{en} (한국어)"}


def choices(*words: str) -> list[dict[str, Any]]:
    """Return answers a, b, c … with these texts."""
    return [{"id": "abcdefghijklmnopqrstuvwxyz"[at], "text": texts(word)} for at, word in enumerate(words)]


YES_NO = {"kind": "yes_no", "text_en": "Have you ever cheated?", "text_ko": "부정행위를 한 적이 있습니까?"}
SINGLE = {
    "kind": "single",
    "text_en": "How often?",
    "text_ko": "얼마나 자주 했습니까?",
    "choices": choices("never", "once", "often"),
    "epsilon": "2",
}
LIKERT = {
    "kind": "likert",
    "text_en": "It is common here.",
    "text_ko": "이곳에서는 흔한 일입니다.",
    "choices": choices("no", "rather no", "so so", "rather yes", "yes"),
    "epsilon": "2",
    "protocol": "spinner-coin",
}
MULTIPLE = {
    "kind": "multiple",
    "text_en": "In which subjects?",
    "text_ko": "어느 과목에서 했습니까?",
    "choices": choices("maths", "English", "science"),
    "epsilon": "1",
    "protocol": "one-box",
}
NOTE = {"kind": "note", "text_en": "Thank you so far.", "text_ko": "여기까지 감사합니다."}
COIN = {**YES_NO, "protocol": "coin", "tosses": 1, "epsilon": "ln(3)", "required": True}


def draft(owner: Any, slug: str = "habits", questions: Any = (YES_NO,), **values: Any) -> Survey:
    """Return a draft with these questions that could be published as it is."""
    kept = {"title_en": "Habits", "title_ko": "습관", "closes_at": timezone.now() + timedelta(days=7)}
    survey = survey_create(actor=owner, slug=slug, **{**kept, **values})
    for question in questions:
        question_add(actor=owner, survey=survey, **question)
    return survey


def published(owner: Any, slug: str = "habits", questions: Any = (YES_NO,), **values: Any) -> Version:
    """Return the first version of an open survey."""
    return survey_publish(actor=owner, survey=draft(owner, slug, questions, **values))


def report(manifest: dict[str, Any], truths: list[Any], version: int | None = None) -> dict[str, Any]:
    """Return the body that a respondent with these truths sends: drawn anew, under a fresh key."""
    bits = SecureBits()
    slots = Layout.of(manifest).slots
    drawn = [
        slot.mechanism.encode(slot.mechanism.report(t, bits)) for slot, t in zip(slots, truths, strict=True)
    ]
    key = key_encode(bits.word(256).to_bytes(32, "big"))
    return {
        "version": manifest["version"] if version is None else version,
        "reports": [data.hex() for data in drawn],
        "key": key,
    }
