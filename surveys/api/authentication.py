"""Who calls the API with `Authorization: Token …`."""

from typing import Any

from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed

from surveys.permissions import standing_of
from surveys.services.tokens import token_digest


class DigestedToken(TokenAuthentication):
    """Finds a token by its digest: who reads the database cannot call the API."""

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        """Return the account of a token and the token, or raise AuthenticationFailed."""
        user, token = super().authenticate_credentials(token_digest(key))
        if standing_of(user).must_change_password:
            raise AuthenticationFailed("the password of this account must be replaced first")
        return user, token
