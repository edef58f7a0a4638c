"""A submission: the body of one POST, checked against its version and reduced to what is stored."""

import re
from dataclasses import dataclass
from typing import Annotated

import msgspec

from surveys.errors import BodyMalformed, ReportMalformed
from surveys.intake.versions import Published
from surveys.wire.seals import key_decode, seal_of, spent_of

_PLACE = re.compile(r"^(.*) - at `\$\.(.+)`$", re.DOTALL)
_NAMED = re.compile(r"field `(.*)`$", re.DOTALL)


class Body(msgspec.Struct, forbid_unknown_fields=True, frozen=True, gc=False):
    """The JSON object that a device sends."""

    # The upper end is what both databases hold in a version's number.
    version: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
    reports: list[str]
    key: str


@dataclass(frozen=True, slots=True, eq=False)
class Submission:
    """What one report leaves in the database: nothing that tells who sent it, or when."""

    slug: str
    survey: int
    version: int  # the row, not the number
    spent: bytes
    seal: bytes
    packed: bytes


_decode = msgspec.json.Decoder(Body).decode


def body_decode(data: bytes) -> Body:
    """Return the body, or refuse it naming the first field that is wrong."""
    try:
        return _decode(data)
    except msgspec.ValidationError as error:
        raise _refusal(str(error)) from None
    except (msgspec.DecodeError, RecursionError):
        raise BodyMalformed("the body is not JSON in UTF-8") from None


def submission_of(slug: str, body: Body, published: Published) -> Submission:
    """Return what is to be stored, or raise ReportMalformed."""
    packed = published.layout.pack(body.reports)
    key = key_decode(body.key)
    seal = seal_of(slug, body.version, key, packed)
    return Submission(slug, published.survey, published.version, spent_of(slug, key), seal, packed)


def _refusal(message: str) -> Exception:
    if (place := _PLACE.match(message)) is not None:
        return ReportMalformed(place[2][:80], place[1])
    if (named := _NAMED.search(message)) is not None:
        return ReportMalformed(named[1][:80], message[:200])
    return BodyMalformed("the body is not a JSON object with version, reports and key")
