"""Every address of the service."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("api/v1/", include("surveys.api.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("", include("surveys.pages.urls")),
]
