"""Respondents' addresses, served by RespondentBypass before any session, CSRF or log-in code."""

from django.urls import path

from surveys.api.manifests import ManifestView
from surveys.pages.respondent import respondent

urlpatterns = [
    path("s/<slug:slug>/", respondent, name="respondent"),
    path("api/v1/surveys/<slug:slug>/", ManifestView.as_view(), name="manifest"),
]
