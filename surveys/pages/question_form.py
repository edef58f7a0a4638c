"""What a designer types for a question: its texts, rows of answers, condition and how it is randomised."""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from surveys.errors import Finding
from surveys.findings import REFUSALS, message_of
from surveys.models import Question
from surveys.pages.forms import findings_into
from surveys.pages.presets import preset_answers
from surveys.wire.manifest import choices_of

ALWAYS, ALL, ANY = "always", "all", "any"
_MODES = ((ALWAYS, _("to everybody")), (ALL, _("if all of these hold")), (ANY, _("if any of these holds")))
_SPARE_ROWS = 2
# Django's own message repeats what was sent, however long.
_NO_KIND, _NO_PROTOCOL, _NO_CONDITION = (
    {"invalid_choice": REFUSALS[code]} for code in ("kind-unknown", "protocol-unknown", "condition-malformed")
)
_TYPED = {"autocomplete": "off", "class": "short"}


class QuestionForm(forms.Form):
    """One question; rows of answers and the condition are read from the same POST."""

    kind = forms.ChoiceField(label=_("Kind"), choices=Question.Kind.choices, error_messages=_NO_KIND)
    text_ko = forms.CharField(
        label=_("Text in Korean"), required=False, widget=forms.Textarea(attrs={"rows": 2, "class": "low"})
    )
    text_en = forms.CharField(
        label=_("Text in English"), required=False, widget=forms.Textarea(attrs={"rows": 2, "class": "low"})
    )
    # Shown as rows; here only so that what is wrong with them has a field to stand beside.
    choices = forms.CharField(label=_("Answers"), required=False, widget=forms.HiddenInput)
    required = forms.BooleanField(
        label=_("An answer is required"),
        required=False,
        help_text=_(
            "Otherwise “no answer” is one more category of the wheel, and nobody sees who kept silent."
        ),
    )
    visible_if = forms.ChoiceField(
        label=_("Shown"),
        choices=_MODES,
        required=False,
        widget=forms.RadioSelect,
        error_messages=_NO_CONDITION,
    )
    protocol = forms.ChoiceField(
        label=_("How it is randomised"),
        choices=Question.Protocol.choices,
        required=False,
        error_messages=_NO_PROTOCOL,
    )
    epsilon = forms.CharField(
        label=_("ε of this question"),
        required=False,
        help_text=_("Smaller hides more and needs more people. A number such as 1.5, or ln(3)."),
        widget=forms.TextInput(attrs={**_TYPED, "autocapitalize": "none", "spellcheck": "false"}),
    )
    tosses = forms.IntegerField(
        label=_("Coins tossed"),
        required=False,
        min_value=1,
        max_value=32,
        help_text=_("Only for coin tosses: more coins come closer to the ε typed above."),
        widget=forms.NumberInput(attrs=_TYPED),
    )

    def __init__(self, *args: Any, earlier: Sequence[Question] = (), **kwargs: Any) -> None:
        """Know the earlier questions, which a condition may ask about."""
        super().__init__(*args, **kwargs)
        self.earlier = [question for question in earlier if question.kind != Question.Kind.NOTE]
        self.row_errors: dict[int, list[str]] = {}
        self.rows: list[dict[str, Any]] = _rows_of_post(self.data) if self.is_bound else []
        self.ticked: dict[str, list[str]] = _ticked_of_post(self.data, self.earlier) if self.is_bound else {}

    @classmethod
    def of(cls, question: Question, earlier: Sequence[Question]) -> "QuestionForm":
        """Return the form filled with what is stored."""
        mode, ticked = _condition_of(question.visible_if)
        names = ("kind", "text_ko", "text_en", "required", "protocol", "epsilon", "tosses")
        initial = {name: getattr(question, name) for name in names} | {"visible_if": mode}
        form = cls(initial=initial, earlier=earlier)
        form.rows = [
            {"id": choice["id"], "en": choice["text"].get("en", ""), "ko": choice["text"].get("ko", "")}
            for choice in question.choices
        ]
        form.ticked = ticked
        return form

    def fill(self, preset: str) -> None:
        """Replace the rows of answers by a ready-made scale."""
        self.rows = preset_answers(preset) or self.rows

    def refuse(self, findings: Iterable[Finding]) -> None:
        """Put each finding beside its field, and what is wrong with one answer beside that answer."""
        found = list(findings)
        for finding in found:
            if "number" in finding.facts():
                self.row_errors.setdefault(finding.facts()["number"], []).append(message_of(finding))
        findings_into(self, found)

    @property
    def choices_errors(self) -> list[str]:
        """What is wrong with the answers as a whole."""
        beside = {message for messages in self.row_errors.values() for message in messages}
        return [str(message) for message in self["choices"].errors if message not in beside]

    @property
    def answer_rows(self) -> list[dict[str, Any]]:
        """The rows to show: what is there with what is wrong with it, and spare ones to type more."""
        spare = max(_SPARE_ROWS, 3 - len(self.rows))
        kept = [{**row, "errors": self.row_errors.get(at)} for at, row in enumerate(self.rows, start=1)]
        return kept + [{"id": "", "en": "", "ko": ""} for _unused in range(spare)]

    @property
    def conditions(self) -> list[dict[str, Any]]:
        """Each earlier question with its answers, ticked or not."""
        return [
            {
                "question": question,
                "field": f"is_{question.name}",
                "answers": [
                    {**answer, "ticked": answer["id"] in self.ticked.get(question.name, ())}
                    for answer in choices_of(question)
                ],
            }
            for question in self.earlier
        ]

    def values(self) -> dict[str, Any]:
        """Return what was typed as the services take it."""
        # A field that could not be read is judged by the form, not here.
        typed: dict[str, Any] = {"kind": "", "text_en": "", "text_ko": "", "required": False}
        typed |= {"visible_if": ALWAYS, "protocol": "", "epsilon": "", "tosses": None}
        typed.update(self.cleaned_data if self.is_bound else self.initial)
        kind = typed["kind"]
        listed = kind in {Question.Kind.SINGLE, Question.Kind.LIKERT, Question.Kind.MULTIPLE}
        asked = kind != Question.Kind.NOTE
        coin = typed["protocol"] == Question.Protocol.COIN
        return {
            "kind": kind,
            "text_en": typed["text_en"],
            "text_ko": typed["text_ko"],
            "choices": _choices(self.rows) if listed else [],
            "required": typed["required"] and asked,
            "visible_if": self._condition(typed["visible_if"]),
            "epsilon": typed["epsilon"].strip() if asked else "",
            "protocol": typed["protocol"] if asked else "",
            "tosses": typed["tosses"] if asked and coin else None,
        }

    def _condition(self, mode: str) -> dict[str, Any] | None:
        if mode not in {ALL, ANY}:
            return None
        return {mode: [{"question": name, "is": chosen} for name, chosen in self.ticked.items()]}


def _rows_of_post(data: QueryDict | Any) -> list[dict[str, str]]:
    columns = (data.getlist("answer_id"), data.getlist("answer_en"), data.getlist("answer_ko"))
    rows = [
        {"id": i.strip(), "en": en.strip(), "ko": ko.strip()} for i, en, ko in zip(*columns, strict=False)
    ]
    return [row for row in rows if row["en"] or row["ko"]]


def _ticked_of_post(data: QueryDict | Any, earlier: Sequence[Question]) -> dict[str, list[str]]:
    chosen = {question.name: data.getlist(f"is_{question.name}") for question in earlier}
    return {name: ids for name, ids in chosen.items() if ids}


def _condition_of(visible_if: dict[str, Any] | None) -> tuple[str, dict[str, list[str]]]:
    if not visible_if:
        return ALWAYS, {}
    mode = ALL if ALL in visible_if else ANY
    return mode, {one["question"]: list(one["is"]) for one in visible_if[mode]}


def _choices(rows: Sequence[dict[str, str]]) -> list[dict[str, Any]]:
    taken = {row["id"] for row in rows if row["id"]}
    free = (f"c{i}" for i in count(1) if f"c{i}" not in taken)
    return [{"id": row["id"] or next(free), "text": {"en": row["en"], "ko": row["ko"]}} for row in rows]
