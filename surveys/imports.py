"""What is said of a row that cannot be imported: one message for each code."""

from django.utils.translation import gettext_lazy as _

from surveys.errors import RowFinding

ROWS = {
    "file-empty": _("There is no row below the headers."),
    "file-unreadable": _("The file is neither UTF-8 nor CP949 (Korean Windows) text with commas."),
    "file-too-large": _("At most %(rows)s rows and %(bytes)s bytes are imported at once."),
    "column-missing": _("No column holds the reference by which a person is known."),
    "column-unknown": _("The file has no such column."),
    "column-repeated": _("Two columns would fill the same field."),
    "column-undeclared": _("The panel declares no values for this field."),
    "cells-count": _("The row has %(count)s cells, the headers have %(expected)s."),
    "reference-empty": _("The reference is empty."),
    "reference-too-long": _("At most %(most)s characters."),
    "reference-unprintable": _("There is a character in it that cannot be shown."),
    "reference-repeated": _("The row of line %(line)s has the same reference."),
    "reference-taken": _("The panel has a respondent of this reference already."),
    "value-undeclared": _("The panel does not declare this value; it declares %(values)s."),
}


def row_message(finding: RowFinding) -> str:
    """Return the message in the language of the moment."""
    return str(ROWS[finding.code]) % finding.facts()
