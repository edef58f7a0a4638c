"""What an admin types for budgets and shares: ε with up to six digits after the point, δ down to 10⁻¹²."""

import re
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.contrib.auth import get_user_model
from django.utils.translation import gettext_lazy as _

from surveys.permissions import RESEARCHER
from surveys.services.ledger import MICRO, PICO

_EPSILON = re.compile(r"[0-9]{1,7}(\.[0-9]{1,6})?", re.ASCII)
_DELTA = re.compile(r"(0|0?\.[0-9]{1,12}|[0-9]{1,3}(\.[0-9]{1,3})?e-[0-9]{1,2})", re.ASCII)


class Micro(forms.CharField):
    """An amount of ε, as whole micro-ε."""

    def clean(self, value: Any) -> Any:
        """Return millionths."""
        typed = super().clean(value).strip()
        if not typed and not self.required:
            return 0
        if not _EPSILON.fullmatch(typed):
            raise forms.ValidationError(
                _("Write ε as a decimal with at most six digits after the point, such as 2.5.")
            )
        return int(Decimal(typed) * MICRO)


class Pico(forms.CharField):
    """An amount of δ, in units of 10⁻¹²."""

    def clean(self, value: Any) -> Any:
        """Return units of 10⁻¹²."""
        typed = super().clean(value).strip() or "0"
        pico = Decimal(typed) * PICO if _DELTA.fullmatch(typed) else None
        if pico is None or pico != int(pico):
            raise forms.ValidationError(_("Write δ as a decimal such as 0.000001, or as 1e-6; 0 is none."))
        return int(pico)


def _short() -> forms.TextInput:
    return forms.TextInput(attrs={"autocomplete": "off", "class": "short"})


class BudgetForm(forms.Form):
    """What may be spent in all on one entity kind."""

    # Where a finding of the ledger belongs.
    FIELDS: ClassVar[dict[str, str]] = {"total": "total", "delta_total": "delta"}
    total = Micro(label=_("Total ε, for ever"), widget=_short())
    delta = Pico(label=_("Total δ, for ever"), required=False, widget=_short())

    def prefix_ids(self, name: str) -> None:
        """Let the ids of several such forms on one page differ."""
        self.auto_id = f"id_{name}_%s"


class ShareForm(forms.Form):
    """A researcher, and what of every budget of the source this researcher may spend."""

    FIELDS: ClassVar[dict[str, str]] = {"total": "share", "researcher": "researcher"}
    researcher = forms.ModelChoiceField(label=_("Researcher"), queryset=get_user_model().objects.none())
    share = Micro(
        label=_("Share: ε of each entity kind"),
        help_text=_("Shares may add up to more than the budget: whoever asks first is answered."),
        widget=_short(),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offer every active researcher."""
        super().__init__(*args, **kwargs)
        everyone = get_user_model().objects.filter(groups__name=RESEARCHER, is_active=True)
        self.fields["researcher"].queryset = everyone.order_by("username")  # type: ignore[attr-defined]
