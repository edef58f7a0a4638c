"""What is typed for organisations, panels and imports: parsed here, judged by the services."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from surveys.imports.columns import FIELDS, LABELS
from surveys.imports.table import Table
from surveys.models import Organisation, Panel
from surveys.models.participation import TRAITS

_PLAIN = {"autocomplete": "off"}
_SAMPLES = 3


class OrganisationForm(forms.Form):
    """Name, kind and region of a place."""

    name = forms.CharField(label=_("Name"), required=False, widget=forms.TextInput(attrs=_PLAIN))
    kind = forms.ChoiceField(
        label=_("Kind"), choices=Organisation.Kind.choices, widget=forms.Select(attrs={"class": "short"})
    )
    region = forms.CharField(
        label=_("Region"),
        required=False,
        help_text=_("Where it is, if that matters: for example Seoul."),
        widget=forms.TextInput(attrs=_PLAIN),
    )


class ValuesField(forms.CharField):
    """The values of a trait, one a line."""

    def __init__(self, label: Any) -> None:
        """Make a field that may stay empty."""
        area = forms.Textarea(attrs={"rows": 4, "autocomplete": "off", "spellcheck": "false"})
        super().__init__(label=label, required=False, strip=False, widget=area)

    def clean(self, value: Any) -> list[str]:  # type: ignore[override]
        """Return the lines that hold something."""
        lines = super().clean(value).splitlines()
        return [line.strip() for line in lines if line.strip()]


class PanelSettingsForm(forms.Form):
    """The day after which a panel is emptied, and the values that its traits may have."""

    retained_until = forms.DateField(
        label=_("Kept until"),
        required=False,
        help_text=_("After this day its respondents are erased. Empty: until somebody erases them."),
        widget=forms.DateInput(attrs={"type": "date", "class": "short"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d"],
    )
    region = ValuesField(_("Region"))
    age_band = ValuesField(_("Age group"))
    sex = ValuesField(_("Sex"))
    language = ValuesField(_("Language"))
    segment = ValuesField(_("Segment"))

    @classmethod
    def of(cls, panel: Panel) -> "PanelSettingsForm":
        """Return the form filled with what is stored."""
        return cls(initial={"retained_until": panel.retained_until, **typed(panel.domains)})

    def clean_retained_until(self) -> Any:
        """Refuse a day that is past: an import would be erased at once."""
        day = self.cleaned_data["retained_until"]
        if day is not None and day < timezone.localdate():
            raise forms.ValidationError(_("Give a day that is not past."))
        return day

    def domains(self) -> dict[str, list[str]]:
        """Return the values of every trait that has some."""
        return {trait: self.cleaned_data[trait] for trait in TRAITS if self.cleaned_data.get(trait)}


class PanelForm(PanelSettingsForm):
    """A new panel."""

    organisation = forms.ModelChoiceField(
        label=_("Organisation"), queryset=Organisation.objects.all(), empty_label=None
    )
    name = forms.CharField(
        label=_("Name of the panel"),
        required=False,
        help_text=_(
            "Small letters, digits, hyphens and underscores; begin with a letter, for example nurses-2026."
        ),
        widget=forms.TextInput(attrs={**_PLAIN, "autocapitalize": "none", "class": "mono"}),
    )
    field_order = ("organisation", "name")


class EraseForm(forms.Form):
    """One person, by reference."""

    reference = forms.CharField(
        label=_("Reference of the person"),
        help_text=_("Exactly as it was imported."),
        widget=forms.TextInput(attrs={**_PLAIN, "autocapitalize": "none", "spellcheck": "false"}),
    )


class ColumnsForm(forms.Form):
    """Which column fills which field, each column with some of its values to know it by."""

    def __init__(self, table: Table, fields: Sequence[str | None], *args: Any, **kwargs: Any) -> None:
        """Ask for every column, beginning with what was recognised."""
        super().__init__(*args, **kwargs)
        self.table = table
        choices = [("", _("not read")), *((field, LABELS[field]) for field in FIELDS)]
        for at, (header, field) in enumerate(zip(table.headers, fields, strict=True)):
            self.fields[f"column_{at}"] = forms.ChoiceField(
                label=header,
                choices=choices,
                required=False,
                initial=field or "",
                help_text=_samples(table, at),
            )

    def chosen(self) -> dict[str, str]:
        """Return the field of each column that is read, by its header."""
        typed = self.data if self.is_bound else {}
        named = ((header, typed.get(f"column_{at}")) for at, header in enumerate(self.table.headers))
        return {header: field for header, field in named if field}


def typed(domains: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return values as they are typed, one a line."""
    return {trait: "\n".join(values) for trait, values in domains.items()}


def _samples(table: Table, at: int) -> str:
    found = (cells[at] for _, cells in table.rows[:1000] if at < len(cells) and cells[at])
    return " · ".join(value[:40] for value in list(dict.fromkeys(found))[:_SAMPLES])
