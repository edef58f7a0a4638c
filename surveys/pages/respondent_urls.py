"""Respondents' addresses, served by RespondentBypass before any session, CSRF or log-in code."""

from django.urls import path

from surveys.api.manifests import ManifestView
from surveys.pages.respondent import respondent, respondent_slash

urlpatterns = [
    path("s/<slug:slug>/", respondent, name="respondent"),
    path("s/<slug:slug>", respondent_slash, name="respondent_slash"),
    path("api/v1/surveys/<slug:slug>/", ManifestView.as_view(), name="manifest"),
]
