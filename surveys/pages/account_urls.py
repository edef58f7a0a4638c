"""Addresses of log-in and second steps: those of allauth that need no e-mail; the others answer 404."""

from collections.abc import Iterator, Sequence

from allauth.urls import urlpatterns as every
from django.urls import URLPattern, URLResolver

from surveys.pages.accounts import forgotten, gone

SERVED = {
    "account_login",
    "account_logout",
    "account_inactive",
    "account_reauthenticate",
    "account_change_password",
    "account_set_password",
    "mfa_authenticate",
    "mfa_index",
    "mfa_reauthenticate",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "mfa_download_recovery_codes",
    "mfa_list_webauthn",
    "mfa_add_webauthn",
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
    "mfa_login_webauthn",
    "mfa_reauthenticate_webauthn",
}
OURS = {"account_reset_password": forgotten}


def _served(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[URLPattern | URLResolver]:
    # allauth's pages look up each other's addresses, so the names stay where the pages are gone.
    for one in patterns:
        if isinstance(one, URLResolver):
            yield URLResolver(one.pattern, list(_served(one.url_patterns)))
        elif one.name in SERVED:
            yield one
        else:
            view = OURS.get(one.name or "", gone)
            yield URLPattern(one.pattern, view, one.default_args, one.name)


urlpatterns = list(_served(every))
