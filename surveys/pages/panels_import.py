"""Respondents from a file: looked at first, then added all or none; until then only the form holds them."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from surveys.errors import ImportRefused
from surveys.imports.columns import FIELDS, LABELS, columns_unread, fields_of
from surveys.imports.messages import row_message, row_remedy
from surveys.imports.report import Joined, findings_joined, report_csv
from surveys.imports.table import Table
from surveys.models import Panel
from surveys.pages.panels import panel_context, panel_page
from surveys.pages.panels_forms import ColumnsForm
from surveys.pages.panels_upload import MOST_KEPT, in_memory, table_digest, table_packed, table_sent
from surveys.services import panels
from surveys.services.panels import Preview, panel_preview

# Of a file, this much is shown; the report tells the rest of what is wrong.
ROWS_SHOWN, ERRORS_SHOWN, LINES_SHOWN = 5, 50, 5
# What these codes tell is of the file, not of a line.
_OF_ALL = ("file-", "workbook-", "sheets-", "panel-")
# These are mended in the settings of the panel, or in the file.
_BY_SETTINGS = ("panel-over", "column-undeclared", "value-undeclared")


@dataclass(frozen=True, slots=True)
class _Sent:
    """A file, and what was chosen for its columns on the page that showed it."""

    table: Table
    packed: str
    mapping: dict[str, str]
    act: str

    @property
    def seen(self) -> str:
        """What tells whether this very file was looked at with these very columns."""
        return table_digest(repr((self.packed, sorted(self.mapping.items()))))


@require_http_methods(["GET", "HEAD", "POST"])
@panel_page
@in_memory
def panel_import(request: HttpRequest, panel: Panel) -> HttpResponse:
    """Show what a file would add, or report what is wrong with it, or add it: only what was shown before."""
    if request.method != "POST":
        return redirect("panel", number=panel.pk)
    try:
        sent = _sent(request)
    except ImportRefused as refused:
        return _no_table(request, panel, refused)
    if sent.act == "import" and request.POST.get("seen") == sent.seen:
        return _imported(request, panel, sent)
    preview = panel_preview(panel=panel, data=sent.table, mapping=sent.mapping)
    return _report(panel, preview) if sent.act == "report" else _shown(request, panel, sent, preview)


def _sent(request: HttpRequest) -> _Sent:
    table = table_sent(request)
    packed = table_packed(table)
    # Choices that were made for another file say nothing about this one.
    if request.POST.get("table") == table_digest(packed):
        form = ColumnsForm(table, fields_of(table.headers), request.POST)
        return _Sent(table, packed, form.chosen(), request.POST.get("act", ""))
    known = zip(table.headers, fields_of(table.headers), strict=True)
    return _Sent(table, packed, {header: field for header, field in known if field}, "")


def _imported(request: HttpRequest, panel: Panel, sent: _Sent) -> HttpResponse:
    try:
        panels.panel_import(actor=request.user, panel=panel, data=sent.table, mapping=sent.mapping)
    except ImportRefused as refused:
        # The panel was changed meanwhile.
        preview = panel_preview(panel=panel, data=sent.table, mapping=sent.mapping)
        return _shown(request, panel, sent, preview) if preview.errors else _no_table(request, panel, refused)
    told = gettext("The people of the file are in the panel; who was there already stayed as they were.")
    messages.success(request, told, extra_tags="good")
    return redirect("panel", number=panel.pk)


def _no_table(request: HttpRequest, panel: Panel, refused: ImportRefused) -> HttpResponse:
    context = {**panel_context(panel), "errors": list(map(_told, findings_joined(refused.rows)))}
    return render(request, "surveys/pages/panels_import.html", context, status=422)


def _shown(request: HttpRequest, panel: Panel, sent: _Sent, preview: Preview) -> HttpResponse:
    fields = [field for _, field in preview.columns]
    read = [field for field in FIELDS if field in fields]
    errors = findings_joined(preview.errors)
    context: dict[str, Any] = {
        **panel_context(panel),
        "form": ColumnsForm(sent.table, fields),
        "count": len(sent.table.rows),
        "errors": list(map(_told, errors[:ERRORS_SHOWN])),
        "errors_count": len(errors),
        "unread": columns_unread(sent.table, fields),
        "read": [LABELS[field] for field in read],
        "rows": [[row.get(field) for field in read] for row in preview.rows[:ROWS_SHOWN] if row],
        "table": table_digest(sent.packed),
        "seen": sent.seen,
        "kept": sent.packed if len(sent.packed) <= MOST_KEPT else "",
    }
    status = 422 if preview.errors else 200
    return render(request, "surveys/pages/panels_import.html", context, status=status)


def _told(joined: Joined) -> dict[str, Any]:
    one, lines = joined.finding, joined.lines
    return {
        "line": None if one.code.startswith(_OF_ALL) else one.line,
        "lines": ", ".join(map(str, lines[:LINES_SHOWN])) + (", …" if len(lines) > LINES_SHOWN else ""),
        "rows": len(lines),
        "column": one.column,
        "wrong": row_message(one),
        "remedy": row_remedy(one),
        "settings": one.code in _BY_SETTINGS,
    }


def _report(panel: Panel, preview: Preview) -> HttpResponse:
    response = HttpResponse(report_csv(preview.errors), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{panel.name}-errors.csv"'
    return response
