"""Pages of one question: add, edit, move, copy, delete."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from surveys.errors import Finding, SettingInvalid, StateForbids
from surveys.findings import message_of
from surveys.models import Question, Survey
from surveys.pages.access import admin_page
from surveys.pages.designer import survey_context, total_context
from surveys.pages.planning import plan_context
from surveys.pages.presets import PRESETS
from surveys.pages.question_form import QuestionForm
from surveys.services.questions import (
    question_add,
    question_delete,
    question_duplicate,
    question_judged,
    question_move,
    question_update,
)
from surveys.services.surveys import EDITABLE
from surveys.services.warnings import question_warnings

Kind, Protocol = Question.Kind, Question.Protocol


@require_http_methods(["GET", "HEAD", "POST"])
@admin_page
def new(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Add a question of the kind that was chosen."""
    _refuse_published(survey)
    earlier = list(survey.questions.all())
    if request.method == "POST":
        return _posted(request, survey, QuestionForm(request.POST, earlier=earlier), None)
    form = QuestionForm(initial=_defaults(request.GET.get("kind", "")), earlier=earlier)
    return _page(request, survey, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
@admin_page
def edit(request: HttpRequest, survey: Survey, name: str) -> HttpResponse:
    """Change a question."""
    _refuse_published(survey)
    question, earlier, following = _found(survey, name)
    if request.method == "POST":
        return _posted(request, survey, QuestionForm(request.POST, earlier=earlier), question, following)
    return _page(request, survey, QuestionForm.of(question, earlier), question, following)


@require_POST
@admin_page
def move(request: HttpRequest, survey: Survey, name: str) -> HttpResponse:
    """Move a question one place up or down."""
    question, earlier, _following = _found(survey, name)
    way = 1 if request.POST.get("way") == "down" else -1
    _done(request, lambda: question_move(actor=request.user, question=question, position=len(earlier) + way))
    return redirect(_anchor(survey, name))


@require_POST
@admin_page
def duplicate(request: HttpRequest, survey: Survey, name: str) -> HttpResponse:
    """Copy a question to the place after it."""
    question, _earlier, _following = _found(survey, name)
    _done(request, lambda: question_duplicate(actor=request.user, question=question))
    return redirect(_anchor(survey, name))


@require_http_methods(["GET", "HEAD", "POST"])
@admin_page
def delete(request: HttpRequest, survey: Survey, name: str) -> HttpResponse:
    """Ask, then delete a question."""
    question, _earlier, following = _found(survey, name)
    if request.method == "POST":
        _done(request, lambda: question_delete(actor=request.user, question=question))
        return redirect("survey_edit", slug=survey.slug)
    text = {"en": question.text_en, "ko": question.text_ko}
    dependent = [later.name for later in following if name in _asked_by(later)]
    context = {**survey_context(survey, "edit"), "question": question, "text": text, "dependent": dependent}
    return render(request, "surveys/pages/question_delete.html", context)


@require_POST
@admin_page
def warnings(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Tell by field what a designer should think about while typing a question; nothing is kept."""
    form = QuestionForm(request.POST, earlier=list(survey.questions.all()))
    form.is_valid()
    return JsonResponse(_by_field(question_warnings(Question(**form.values()))))


def _posted(
    request: HttpRequest,
    survey: Survey,
    form: QuestionForm,
    question: Question | None,
    following: Sequence[Question] = (),
) -> HttpResponse:
    do = request.POST.get("do", "save")
    if do.startswith("preset-"):
        form.fill(do.removeprefix("preset-"))
    if do != "save":
        # Not judged yet: what was typed so far is only shown again, with more rows.
        form.is_valid()
        form.errors.clear()
        return _page(request, survey, form, question, following)
    form.is_valid()
    form.refuse(question_judged(survey=survey, question=question, **form.values()))
    kept = _kept(request, survey, form, question) if form.is_valid() else None
    if kept is None:
        return _page(request, survey, form, question, following)
    messages.success(request, gettext("Question saved."), extra_tags="good")
    return redirect(_anchor(survey, kept.name))


def _kept(
    request: HttpRequest, survey: Survey, form: QuestionForm, question: Question | None
) -> Question | None:
    try:
        if question is None:
            return question_add(actor=request.user, survey=survey, **form.values())
        return question_update(actor=request.user, question=question, **form.values())
    except SettingInvalid as refusal:
        form.refuse(refusal.findings)
        return None


def _page(
    request: HttpRequest,
    survey: Survey,
    form: QuestionForm,
    question: Question | None,
    following: Sequence[Question] = (),
) -> HttpResponse:
    others = [other for other in survey.questions.all() if question is None or other.pk != question.pk]
    found = _warned(form, question, following)
    totals = total_context(survey, others)
    context = {
        **survey_context(survey, "edit"),
        **{f"others_{name}": value for name, value in totals.items()},
        **plan_context(_values(form), request.POST, totals.get("total", "0")),
        "form": form,
        "question": question,
        "kind": _known_kind(form["kind"].value()),
        "presets": [(name, label) for name, (label, _answers) in PRESETS.items()],
        "warnings": _by_field(found),
    }
    return render(request, "surveys/pages/question.html", context)


def _warned(form: QuestionForm, question: Question | None, following: Sequence[Question]) -> list[Finding]:
    """Return the warnings about what the form shows; an empty new form deserves none."""
    if not form.is_bound and question is None:
        return []
    form.is_valid()
    shown = Question(name=question.name if question else "", **form.values())
    return question_warnings(shown, [shown, *following])


def _values(form: QuestionForm) -> dict[str, Any] | None:
    if not form.is_bound:
        return form.values()
    # Rows and scales can be asked for while other fields are still wrong.
    complete = form.is_valid() and all(name in form.cleaned_data for name in form.fields)
    return form.values() if complete else None


def _by_field(findings: Sequence[Finding]) -> dict[str, list[str]]:
    told: dict[str, list[str]] = {}
    for finding in findings:
        told.setdefault(finding.field, []).append(message_of(finding))
    return told


def _defaults(kind: str) -> dict[str, Any]:
    known = _known_kind(kind)
    protocol = Protocol.ONE_BOX if known == Kind.MULTIPLE else Protocol.SPINNER
    return {
        "kind": known,
        "epsilon": "ln(3)",
        "protocol": protocol,
        "visible_if": "always",
        "required": known != Kind.NOTE,
    }


def _known_kind(kind: Any) -> Any:
    return kind if kind in Kind.values else Kind.YES_NO


def _found(survey: Survey, name: str) -> tuple[Question, list[Question], list[Question]]:
    questions = list(survey.questions.all())
    for at, question in enumerate(questions):
        if question.name == name:
            return question, questions[:at], questions[at + 1 :]
    raise Http404


def _asked_by(question: Question) -> set[str]:
    clauses = next(iter((question.visible_if or {"all": []}).values()))
    return {clause["question"] for clause in clauses}


def _refuse_published(survey: Survey) -> None:
    if survey.state not in EDITABLE:
        raise StateForbids(survey.slug, survey.state, "be changed")


def _done(request: HttpRequest, act: Any) -> None:
    try:
        act()
    except SettingInvalid as refusal:
        for finding in refusal.findings:
            messages.error(request, message_of(finding), extra_tags="bad")


def _anchor(survey: Survey, name: str) -> str:
    return f"{reverse('survey_edit', args=[survey.slug])}#{name}"
