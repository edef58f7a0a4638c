"""Addresses of the API; the report endpoint is the intake's, in front of Django."""

from django.urls import path, re_path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny

from surveys.api.docs import docs
from surveys.api.estimates import EstimatesView
from surveys.api.manifests import ManifestView
from surveys.api.nothing import NothingView
from surveys.api.plans import PlanView
from surveys.api.sources import LedgerView, QueriesView, QueryView, SourcePlansView

urlpatterns = [
    # Served earlier, without sessions, by RespondentBypass; here so that the schema finds it.
    path("surveys/<slug:slug>/", ManifestView.as_view(), name="api_manifest"),
    path("surveys/<slug:slug>/estimates/", EstimatesView.as_view(), name="api_estimates"),
    path("plan/", PlanView.as_view(), name="api_plan"),
    path("sources/<slug:name>/queries/", QueriesView.as_view(), name="api_queries"),
    path("sources/<slug:name>/plans/", SourcePlansView.as_view(), name="api_source_plans"),
    path("sources/<slug:name>/ledger/", LedgerView.as_view(), name="api_ledger"),
    path("queries/<int:number>/", QueryView.as_view(), name="api_query"),
    path(
        "schema/",
        SpectacularAPIView.as_view(authentication_classes=(), permission_classes=(AllowAny,)),
        name="api_schema",
    ),
    path("docs/", docs, name="api_docs"),
    # Line breaks too, which no dot matches.
    re_path(r"^[\s\S]*$", NothingView.as_view(), name="api_nothing"),
]
