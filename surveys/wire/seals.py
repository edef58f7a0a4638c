"""What the server keeps of a used key: two digests that tell neither the key nor an answer."""

import base64
import binascii
import re
from hashlib import sha256

from surveys.errors import ReportMalformed

KEY_BYTES = 32
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")


def key_decode(text: object) -> bytes:
    """Return the 32 bytes of a key in base64url without padding; refuse every other spelling of them."""
    if not isinstance(text, str) or not _KEY.fullmatch(text):
        raise ReportMalformed("key", "expected 43 characters of base64url without padding (32 bytes)")
    key = base64.urlsafe_b64decode(text + "=")
    # The last character carries two spare bits; set, they would be a second spelling of the same key.
    if key_encode(key) != text:
        raise ReportMalformed("key", "expected the canonical base64url spelling of 32 bytes")
    return key


def key_encode(key: bytes) -> str:
    """Return a key as base64url without padding."""
    return binascii.b2a_base64(key, newline=False).rstrip(b"=").translate(_URL_SAFE).decode("ascii")


def spent_of(slug: str, key: bytes) -> bytes:
    """Return the digest under which the use of a key is noted."""
    return sha256(b"deniable/spent/1\0" + slug.encode() + b"\0" + key).digest()


def seal_of(slug: str, version: int, key: bytes, packed: bytes) -> bytes:
    """Return the digest that ties a key to exactly these bytes of this version."""
    return sha256(
        b"deniable/seal/1\0" + slug.encode() + b"\0" + version.to_bytes(4, "big") + key + packed
    ).digest()


def receipt_of(seal: bytes) -> str:
    """Return the receipt of a stored report: 32 hexadecimal characters."""
    return sha256(b"deniable/receipt/1\0" + seal).hexdigest()[:32]


_URL_SAFE = bytes.maketrans(b"+/", b"-_")
