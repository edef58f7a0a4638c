"""The admin site for accounts and grants: our log-in (second step included), and a policy that its scripts can bear."""

from typing import Any

from csp.decorators import csp_replace
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

# Django's admin builds parts of its pages with jQuery and style attributes; everything else stays as strict.
_RELAXED = {
    "require-trusted-types-for": None,
    "trusted-types": None,
    "style-src": ["'self'", "'unsafe-inline'"],
}


class StaffAdminSite(AdminSite):
    """Accounts, groups and grants; no survey content and no answer is reachable here."""

    site_header = _("Deniable: accounts")
    site_title = _("Deniable: accounts")
    index_title = _("Accounts and grants")

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Wrap a view with the relaxed policy."""
        return csp_replace(_RELAXED)(super().admin_view(view, cacheable))

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send strangers to our log-in page; the admin's own form knows no second step."""
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next", "/admin/"), "account_login")
