"""Puts our admin site in the place of Django's own."""

from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    """Django's admin with our log-in and content policy."""

    default_site = "surveys.pages.admin_site.StaffAdminSite"
