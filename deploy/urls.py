"""Every address of the service."""

from django.contrib import admin
from django.urls import include, path

from surveys.api.health import healthz, readyz

urlpatterns = [
    path("api/v1/", include("surveys.api.urls")),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("accounts/", include("surveys.pages.account_urls")),
    path("admin/", admin.site.urls),
    path("", include("surveys.pages.urls")),
]

# Where Django itself refuses, ahead of every view.
handler400 = "surveys.api.problems.bad_request"
