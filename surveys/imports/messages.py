"""What is said of a row that cannot be imported: for each code, what is wrong and what to do."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from surveys.errors import RowFinding

_RETYPE = _("Type the cell anew.")
_FILL = _("Give every row a reference of its own, such as a number on your list.")
_KEEP_ONE = _("Read one of them only: choose “not read” for the other.")
ROWS: Mapping[str, tuple[object, object]] = {
    "file-missing": (
        _("No file was chosen, or the page was open too long."),
        _("Choose the file."),
    ),
    "file-empty": (
        _("There is no row below the headers."),
        _("The first row names the columns; every row below it is a person."),
    ),
    "file-unreadable": (
        _("The file is neither a workbook (XLSX) nor text in UTF-8 or CP949 (Korean Windows)."),
        _("Save it as XLSX, or as “CSV UTF-8”, and choose it again."),
    ),
    "file-old": (
        _("This is an old Excel file (.xls), or a workbook with a password."),
        _("Save it as XLSX without a password, and choose it again."),
    ),
    "file-macros": (
        _("The workbook holds macros."),
        _("Save it as a workbook without macros (.xlsx), and choose it again."),
    ),
    "file-too-large": (
        _(
            "At most %(rows)s rows are imported at once, from a file of at most %(megabytes)s MB, unpacked "
            "%(unpacked)s MB."
        ),
        _("Delete the columns that are not needed, or divide the file."),
    ),
    "workbook-damaged": (
        _("The workbook is damaged or was not made by a spreadsheet."),
        _("Open it in a spreadsheet, save it as XLSX, and choose it again."),
    ),
    "sheets-many": (
        _("Several sheets hold something: %(sheets)s."),
        _("Keep the sheet of respondents, and delete or hide the others."),
    ),
    "cells-merged": (
        _("Cells are merged here, so that only one of them holds the value."),
        _("Unmerge them and fill each one."),
    ),
    "formula-uncalculated": (
        _("The formula here has no value yet."),
        _("Open the file in a spreadsheet, let it calculate, and save it; or put the value in its place."),
    ),
    "cell-error": (
        _("The cell shows an error in place of a value."),
        _("Correct the formula, or put the value in its place."),
    ),
    "number-rounded": (
        _("A spreadsheet keeps only 15 digits of a number: the last digits here may be wrong."),
        _("Format the column as text, and type or paste the numbers anew."),
    ),
    "quotes-wrong": (
        _("A quotation mark is not closed here, or something follows where it closes."),
        _("Close it; write a quotation mark within a value twice."),
    ),
    "columns-many": (
        _("There are more than %(most)s columns."),
        _("Delete the columns that are not needed."),
    ),
    "column-missing": (
        _("No column holds the reference by which a person is known."),
        _("Choose “Reference” for the column that holds it."),
    ),
    "column-unknown": (
        _("The file has no such column."),
        _("Look at the columns again."),
    ),
    "column-repeated": (_("Two columns would fill one field: %(field)s."), _KEEP_ONE),
    "column-undeclared": (
        _("The panel declares no values for the field that this would fill: %(field)s."),
        _("Declare them in the panel's settings, or choose “not read”."),
    ),
    "panel-over": (
        _("The panel's time is over: whoever is in it is erased."),
        _("Set a later day in the panel's settings."),
    ),
    "cells-count": (
        _("The row has %(count)s cells, the headers have %(expected)s."),
        _("Put a value that holds the separator between quotation marks; fill in what is missing."),
    ),
    "reference-empty": (_("The reference is empty."), _FILL),
    "reference-too-long": (
        _("The reference is longer than %(most)s characters."),
        _("Shorten it."),
    ),
    "reference-unprintable": (_("There is a character in it that cannot be shown."), _RETYPE),
    "reference-repeated": (
        _("The row of line %(line)s has the same reference."),
        _("Delete one of the two rows, or correct its reference."),
    ),
    "value-undeclared": (
        _("The panel does not declare “%(value)s”; it declares %(values)s."),
        _("Correct the value, leave the cell empty, or declare the value in the panel's settings."),
    ),
}


def row_message(finding: RowFinding) -> str:
    """Return what is wrong, in the language of the moment."""
    return str(ROWS[finding.code][0]) % finding.facts()


def row_remedy(finding: RowFinding) -> str:
    """Return what to do about it, in the language of the moment."""
    return str(ROWS[finding.code][1])
