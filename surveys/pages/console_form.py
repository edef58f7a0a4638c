"""What is typed into the console: a query, its ε and perhaps its δ."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from surveys.errors import ParameterInvalid
from surveys.services.ledger import delta_read, epsilon_read

FIRST_EPSILON = "0.5"
SENTENCES = {
    "sql": _("There is a character in it that cannot be shown. Type the text anew."),
    "epsilon": _("Write ε as a decimal such as 0.5, or as ln(3); above 0 and at most 100."),
    "delta": _("Write δ as a decimal such as 0.000001, or as 1e-6; above 0 and at most 0.001."),
}


class ConsoleForm(forms.Form):
    """A query and what it may cost."""

    sql = forms.CharField(
        label=_("Query in SQL"),
        strip=False,
        help_text=_("One SELECT of counts, sums, averages, quantiles … No single row is ever shown."),
        error_messages={"required": _("Write a query.")},
        widget=forms.Textarea(
            attrs={
                "class": "mono sql",
                "rows": 8,
                "spellcheck": "false",
                "autocapitalize": "none",
                "autocomplete": "off",
            }
        ),
    )
    epsilon = forms.CharField(
        label=_("ε of this query"),
        help_text=_("What it costs. Twice as much makes the error half as large."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "short"}),
    )
    delta = forms.CharField(
        label=_("δ, or nothing"),
        required=False,
        help_text=_("With one, such as 1e-9, the noise is Gaussian; empty: Laplace."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "short"}),
    )

    def clean_sql(self) -> str:
        """Count lines as the database's parser does."""
        text: str = self.cleaned_data["sql"].replace("\r\n", "\n")
        if "\0" in text or text.encode(errors="replace").decode() != text:
            raise forms.ValidationError(str(SENTENCES["sql"]))
        if not text.strip():
            raise forms.ValidationError(str(_("Write a query.")))
        return text

    def clean_epsilon(self) -> str:
        """Refuse what the ledger would."""
        return self._read("epsilon", epsilon_read)

    def clean_delta(self) -> str:
        """The same; nothing is nothing."""
        return self._read("delta", delta_read) if self.cleaned_data["delta"] else ""

    def _read(self, field: str, read: Callable[[Any], int]) -> str:
        typed: str = self.cleaned_data[field].strip()
        try:
            read(typed)
        except ParameterInvalid as error:
            raise forms.ValidationError(str(SENTENCES[field])) from error
        return typed

    @property
    def amounts(self) -> tuple[int, int]:
        """ε in millionths and δ in units of 10⁻¹²."""
        return epsilon_read(self.cleaned_data["epsilon"]), delta_read(self.cleaned_data["delta"] or None)
