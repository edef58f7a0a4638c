"""What to do about a policy that is not well-formed, by the reason for which it was refused."""

import re

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

NO_LIST = "expected a list of columns"
# (reason, what to do in the form, what to do in the text); the first that fits counts.
HINTS = (
    (
        "no label; a relation is never taken to be public",
        _("Choose DEL, REP or PUB for this relation."),
        _("Write a label for this relation: DEL, PUB, or REP with its columns."),
    ),
    (
        "the entity's own relation would be public",
        _("Choose DEL for it, or REP and tick the columns that may hold other values."),
        _("Write DEL for it, or REP with the columns that may hold other values."),
    ),
    (
        "rows of (?P<parent>.+) can go or change their key, so (?P<child>.+) must be DEL, or REP with (?P<columns>.+) "
        "replaced",
        _("Choose DEL for %(child)s, or REP and tick %(columns)s; or protect %(parent)s in another way."),
        _("Write DEL for %(child)s, or REP with %(columns)s; or protect %(parent)s in another way."),
    ),
    (
        NO_LIST,
        _("Tick at least one column that may hold other values, or choose DEL or PUB."),
        _("Write REP with at least one column, such as {REP: [column]}; or write DEL or PUB."),
    ),
    (
        "expected a whole number, 1 or more",
        _("Write a whole number such as 20, or leave the field empty."),
        _("Write a whole number such as 20, or leave the line out."),
    ),
    (
        "there is no column .+|.+ is named twice",
        _("Tick columns of this relation only, each once."),
        _("Name columns of this relation only, each once."),
    ),
    (
        "this page is for the entity (?P<entity>.+)",
        _("Write %(entity)s as the entity; other kinds have pages of their own."),
        _("Write %(entity)s as the entity; other kinds have pages of their own."),
    ),
)
OTHERWISE = (
    _("Choose one of the labels for each relation, then check again."),
    _("Correct the text there, then check again. “Edit as a form” shows the policy as it counts now."),
)


def policy_hint(reason: str, *, as_text: bool) -> str:
    """Return what to do, in the language of the page."""
    for pattern, *hints in HINTS:
        if found := re.fullmatch(pattern, reason, re.DOTALL):
            return gettext(hints[as_text]) % found.groupdict()
    return gettext(OTHERWISE[as_text])
