"""The page on which an admin registers another source: a connection of the settings, and its schema with policies."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from privacy.policy.errors import DocumentInvalid, PolicyInvalid, SchemaInvalid
from surveys.errors import SettingInvalid
from surveys.models import Source
from surveys.pages.access import staff_page
from surveys.pages.console_words import policy_words
from surveys.pages.forms import findings_into
from surveys.permissions import may_configure
from surveys.services.redeclaring import source_redeclarable
from surveys.services.sources import CHECKS, PAGE, source_check, source_reason, source_register_text
from surveys.sources.connecting import connection_kind, connections_named

LONGEST = 1_000_000  # bytes of a file


class DescribedForm(forms.Form):
    """The file with the schema and the policies, or its text."""

    file = forms.FileField(
        label=_("File with schema and policies"),
        required=False,
        help_text=_("YAML or JSON, at most 1 MB; or write it below."),
    )
    text = forms.CharField(
        label=_("… or its text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "class": "mono sql", "spellcheck": "false"}),
    )

    def clean(self) -> dict[str, Any]:
        """Read the file, or the text where there is none."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        given = values.get("file")
        try:
            values["described"] = values.get("text", "") if given is None else _read(given)
        except forms.ValidationError as error:
            self.add_error("file", error)
        if not self.errors and not values["described"].strip():
            self.add_error("file", _("Choose a file, or write its text below."))
        return values


class SourceForm(DescribedForm):
    """Name, connection, and the file with the schema and the policies."""

    field_order = ("name", "connection")

    name = forms.CharField(
        label=_("Name"),
        help_text=_("The last part of its address: small letters, digits, hyphens and underscores."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "class": "mono short"}
        ),
    )
    connection = forms.ChoiceField(
        label=_("Connection"),
        help_text=_("One that the setting SOURCE_CONNECTIONS names: addresses and passwords stay there."),
        widget=forms.Select(attrs={"class": "short"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offer the connections of the settings."""
        super().__init__(*args, **kwargs)
        self.fields["connection"].choices = _choices()  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        """Refuse the address of this page."""
        name: str = self.cleaned_data["name"].strip()
        if name == PAGE:
            raise forms.ValidationError(_("“new” cannot be a name: /sources/new/ is this page."))
        return name


def _choices() -> list[tuple[str, str]]:
    labels = dict(Source.Kind.choices)
    return [
        (name, f"{name} ({labels.get(connection_kind(name) or '', '?')})")
        for name in sorted(connections_named())
    ]


def _read(given: Any) -> str:
    if given.size > LONGEST:
        raise forms.ValidationError(_("The file is larger than 1 MB."))
    try:
        text: str = given.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise forms.ValidationError(_("The file is not text in UTF-8.")) from None
    return text


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(may_configure)
def new(request: HttpRequest) -> HttpResponse:
    """Register a source, and check it if asked to: it is closed until its data keep every declared constraint."""
    form = SourceForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        source = _registered(request, form)
        if source is not None:
            return _checked(request, source)
    context = {
        "section": "sources",
        "form": form,
        "connections": bool(connections_named()),
        "checks": CHECKS,
        "again": _taken(form),
    }
    return render(request, "surveys/pages/source_new.html", context)


def _registered(request: HttpRequest, form: SourceForm) -> Source | None:
    values = form.cleaned_data
    named = {"name": values["name"], "connection": values["connection"]}
    try:
        return source_register_text(actor=request.user, text=values["described"], **named)
    except SettingInvalid as error:
        findings_into(form, error.findings)
    except (DocumentInvalid, SchemaInvalid, PolicyInvalid) as error:
        described_wrongly(form, error)
    return None


def _taken(form: SourceForm) -> Source | None:
    """Return the source that has the name or the connection that was typed, where it can still be declared anew."""
    if not form.errors:
        return None
    typed = {one: form.data.get(one, "") for one in ("name", "connection")}
    named = Q(name=typed["name"]) | Q(connection=typed["connection"])
    return next((one for one in Source.objects.filter(named) if source_redeclarable(one)), None)


def _checked(request: HttpRequest, source: Source) -> HttpResponse:
    messages.success(request, gettext("The source is registered."), extra_tags="good")
    if request.POST.get("check") != "no":
        checked = source_check(actor=request.user, source=source)
        if checked.state != Source.State.OPEN:
            if source_redeclarable(checked):
                # That page says why, and what to do.
                return redirect("source_declaration", name=source.name)
            messages.error(request, check_words(checked), extra_tags="bad")
    said = gettext("Set a budget for each entity kind: without one, nothing is answered.")
    messages.warning(request, said)
    return redirect("source_ledger", name=source.name)


def check_words(checked: Source) -> str:
    """Return how a check ended that did not open its source."""
    if checked.state == Source.State.FAILED:
        said = gettext("A declared constraint does not hold: the source answers nothing until it does.")
    else:
        said = gettext("The source could not be checked, and is closed:")
    return f"{said} {source_reason(checked)}"


def described_wrongly(form: DescribedForm, error: DocumentInvalid | SchemaInvalid | PolicyInvalid) -> None:
    """Say beside the file, or the text, what is wrong with it and where."""
    form.add_error("file" if form.cleaned_data.get("file") else "text", _told(error))


def _told(error: DocumentInvalid | SchemaInvalid | PolicyInvalid) -> str:
    place = ".".join(map(str, error.place))
    where = gettext("Line %(line)s: ") % {"line": error.line} if error.line else ""
    return f"{where}{place + ': ' if place else ''}{policy_words(error.reason)}"
