"""What a designer assumes for a trial: how many people, and how large each answer's share would be."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from surveys.models import Question
from surveys.services.results import NO_ANSWER
from surveys.services.trial import MOST
from surveys.wire.manifest import choices_of, may_be_silent


class TrialForm(forms.Form):
    """One field for each answer of each question."""

    n = forms.IntegerField(
        label=_("Simulated people"),
        initial=1000,
        min_value=1,
        max_value=MOST,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )

    def __init__(self, questions: Sequence[Question], *args: Any, **kwargs: Any) -> None:
        """Offer a field for each answer that a person may have."""
        super().__init__(*args, **kwargs)
        self.asked = [question for question in questions if question.kind != Question.Kind.NOTE]
        for question in self.asked:
            for answer in self._answers(question):
                self.fields[_name(question, answer)] = _share_field(answer, question.kind)

    @property
    def groups(self) -> list[dict[str, Any]]:
        """The fields by question, for the page."""
        return [
            {
                "id": question.name,
                "text": {"en": question.text_en, "ko": question.text_ko},
                "fields": [self[_name(question, answer)] for answer in self._answers(question)],
            }
            for question in self.asked
        ]

    def shares(self) -> dict[str, list[float]]:
        """Return the shares of each question that has any, in the order of its answers."""
        given = {question.name: self._typed(question) for question in self.asked}
        return {name: shares for name, shares in given.items() if shares is not None}

    def clean(self) -> dict[str, Any]:
        """Refuse a question whose shares are all zero: nobody could answer it."""
        for question in self.asked:
            first = _name(question, self._answers(question)[0])
            if (
                question.kind != Question.Kind.MULTIPLE
                and self._typed(question)
                and not sum(self._typed(question) or [])
            ):
                self.add_error(first, _("One answer at least needs a share above zero."))
        return self.cleaned_data

    def _typed(self, question: Question) -> list[float] | None:
        typed = [self.cleaned_data.get(_name(question, answer)) for answer in self._answers(question)]
        if all(share is None for share in typed):
            return None
        if question.kind == Question.Kind.MULTIPLE:
            return [0.5 if share is None else share / 100 for share in typed]
        return [share or 0.0 for share in typed]

    @staticmethod
    def _answers(question: Question) -> list[dict[str, Any]]:
        silent = may_be_silent(question) and question.kind != Question.Kind.MULTIPLE
        return [*choices_of(question), *([NO_ANSWER] if silent else [])]


def _name(question: Question, answer: dict[str, Any]) -> str:
    return f"share_{question.name}_{answer['id']}"


def _share_field(answer: dict[str, Any], kind: str) -> forms.FloatField:
    language = "ko" if get_language() == "ko" else "en"
    return forms.FloatField(
        label=answer["text"][language],
        required=False,
        min_value=0,
        max_value=100 if kind == Question.Kind.MULTIPLE else 1_000_000,
        widget=forms.NumberInput(attrs={"step": "any", "autocomplete": "off"}),
    )
