"""What a designer types for a survey: parsed here, judged by the services, shown again beside what was wrong."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.utils.translation import gettext_lazy as _

from surveys.errors import Finding
from surveys.findings import message_of
from surveys.models import Survey
from surveys.permissions import RESEARCHER

_LOW = {"rows": 3}


class SurveyForm(forms.Form):
    """Address, texts, ε ceiling and closing rule of a survey."""

    slug = forms.CharField(
        label=_("Address"),
        required=False,
        help_text=_("The last part of the link: small letters, digits and hyphens. Only “new” is taken."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "class": "mono"}),
    )
    title_ko = forms.CharField(label=_("Title in Korean"), required=False)
    title_en = forms.CharField(label=_("Title in English"), required=False)
    intro_ko = forms.CharField(
        label=_("Introduction in Korean"), required=False, widget=forms.Textarea(attrs=_LOW)
    )
    intro_en = forms.CharField(
        label=_("Introduction in English"), required=False, widget=forms.Textarea(attrs=_LOW)
    )
    epsilon_ceiling = forms.CharField(
        label=_("Ceiling for the total ε"),
        required=False,
        initial="8",
        help_text=_("All questions together may not cost more. A number up to 64, or ln(27)."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "short"}),
    )
    closes_at = forms.DateTimeField(
        label=_("Closes at"),
        required=False,
        help_text=_("Results are hidden until then. Closing is final."),
        widget=forms.DateTimeInput(
            attrs={"type": "datetime-local", "class": "short"}, format="%Y-%m-%dT%H:%M"
        ),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
    )
    target = forms.IntegerField(
        label=_("Closes at this many answers"),
        required=False,
        min_value=1,
        max_value=2_000_000_000,
        help_text=_("A time, a number, or whichever comes first; one of the two is needed to publish."),
        widget=forms.NumberInput(attrs={"class": "short", "inputmode": "numeric"}),
    )
    population = forms.IntegerField(
        label=_("People who can answer"),
        required=False,
        min_value=1,
        max_value=2_000_000_000,
        help_text=_("If known: error bars are narrower when much of a small group answers."),
        widget=forms.NumberInput(attrs={"class": "short", "inputmode": "numeric"}),
    )

    @classmethod
    def of(cls, survey: Survey) -> "SurveyForm":
        """Return the form filled with what is stored."""
        return cls(initial={name: getattr(survey, name) for name in cls.base_fields})


class DeleteForm(forms.Form):
    """The address typed once more, so that nothing goes by a slip."""

    address = forms.CharField(
        label=_("Type the address to confirm"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, slug: str, *args: Any, **kwargs: Any) -> None:
        """Remember which address is meant."""
        super().__init__(*args, **kwargs)
        self.slug = slug

    def clean_address(self) -> str:
        """Refuse any other address."""
        if self.cleaned_data["address"].strip() != self.slug:
            raise forms.ValidationError(_("This is not the address of this survey."))
        return self.slug


class GrantsForm(forms.Form):
    """The researchers who may read the results."""

    researchers = forms.ModelMultipleChoiceField(
        label=_("Researchers"),
        required=False,
        queryset=get_user_model().objects.none(),
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offer every active researcher."""
        super().__init__(*args, **kwargs)
        everyone = get_user_model().objects.filter(groups__name=RESEARCHER, is_active=True)
        self.fields["researchers"].queryset = everyone.order_by("username")  # type: ignore[attr-defined]


def findings_into(form: forms.Form, findings: Iterable[Finding]) -> None:
    """Put each finding beside its field; what has no field here goes to the top.

    A field that the form could not read keeps the form's own message alone.
    """
    unread = set(form.errors)
    for finding in findings:
        if finding.field not in unread:
            form.add_error(finding.field if finding.field in form.fields else None, message_of(finding))
