"""Addresses of the pages for staff and for everybody; respondents' are in respondent_urls.py."""

from django.urls import path

from surveys.pages import (
    audit,
    designer,
    lifecycle,
    listing,
    preview,
    public,
    questions,
    results,
    sharing,
    tokens,
    trial,
)

urlpatterns = [
    path("", public.home, name="home"),
    path("limits/", public.limits, name="limits"),
    path("problems/<slug:slug>", public.problem, name="problem"),
    path("accounts/token/", tokens.token, name="api_token"),
    path("audit/", audit.audit, name="audit"),
    path("audit/chain.jsonl", audit.audit_download, name="audit_download"),
    path("surveys/", listing.survey_list, name="survey_list"),
    path("surveys/new", designer.new, name="survey_new"),
    path("surveys/<slug:slug>/edit", designer.edit, name="survey_edit"),
    path("surveys/<slug:slug>/questions/new", questions.new, name="question_new"),
    path("surveys/<slug:slug>/questions/warnings", questions.warnings, name="question_warnings"),
    path("surveys/<slug:slug>/questions/<slug:name>/edit", questions.edit, name="question_edit"),
    path("surveys/<slug:slug>/questions/<slug:name>/move", questions.move, name="question_move"),
    path(
        "surveys/<slug:slug>/questions/<slug:name>/duplicate", questions.duplicate, name="question_duplicate"
    ),
    path("surveys/<slug:slug>/questions/<slug:name>/delete", questions.delete, name="question_delete"),
    path("surveys/<slug:slug>/preview/", preview.preview, name="survey_preview"),
    path("surveys/<slug:slug>/preview/manifest/", preview.preview_manifest, name="survey_preview_manifest"),
    path("surveys/<slug:slug>/try", trial.trial, name="survey_try"),
    path("surveys/<slug:slug>/publish", lifecycle.publish, name="survey_publish"),
    path("surveys/<slug:slug>/pause", lifecycle.pause, name="survey_pause"),
    path("surveys/<slug:slug>/close", lifecycle.close, name="survey_close"),
    path("surveys/<slug:slug>/delete", lifecycle.delete, name="survey_delete"),
    path("surveys/<slug:slug>/duplicate", lifecycle.duplicate, name="survey_duplicate"),
    path("surveys/<slug:slug>/share", sharing.share, name="survey_share"),
    path("surveys/<slug:slug>/grants", sharing.grants, name="survey_grants"),
    path("surveys/<slug:slug>/results", results.results, name="survey_results"),
]
