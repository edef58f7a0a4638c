"""Who calls the API with `Authorization: Token …`."""

from typing import Any

from rest_framework.authentication import TokenAuthentication

from surveys.services.tokens import token_digest


class DigestedToken(TokenAuthentication):
    """Finds a token by its digest: who reads the database cannot call the API."""

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        """Return the account of a token and the token, or raise AuthenticationFailed."""
        found: tuple[Any, Any] = super().authenticate_credentials(token_digest(key))
        return found
