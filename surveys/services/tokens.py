"""API tokens: one an account, shown once, kept as a digest only."""

import secrets
from hashlib import sha256
from typing import Any

from django.db import transaction
from rest_framework.authtoken.models import Token

from surveys.permissions import may_plan, required
from surveys.services.audit import audit_append

_BYTES = 20  # of a token; as many of its digest fill the key's column


def token_digest(text: str) -> str:
    """Return what is stored of a token."""
    # A random token needs no salt and no slow hash: nobody guesses 160 bits.
    return sha256(b"deniable/token/1\0" + text.encode(errors="replace")).hexdigest()[: 2 * _BYTES]


def token_create(*, actor: Any) -> str:
    """Return a new token of an account, the only time that it can be read; one before it ends."""
    required(may_plan(actor), actor, "have an API token")
    text = secrets.token_hex(_BYTES)
    with transaction.atomic():
        replaced, _ = Token.objects.filter(user=actor).delete()
        Token.objects.create(user=actor, key=token_digest(text))
        audit_append(
            actor=actor,
            action="token.replace" if replaced else "token.create",
            subject=actor.get_username(),
        )
    return text


def token_revoke(*, actor: Any) -> bool:
    """End the token of an account; return whether there was one."""
    with transaction.atomic():
        ended, _ = Token.objects.filter(user=actor).delete()
        if ended:
            audit_append(actor=actor, action="token.revoke", subject=actor.get_username())
    return bool(ended)
