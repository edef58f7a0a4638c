"""Who may be asked: organisations, panels, respondents, invitations. Nothing here refers to a report."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey

# What is known of a respondent, each with the values that its panel declares.
TRAITS = ("region", "age_band", "sex", "language", "segment")


class Organisation(models.Model):
    """Where respondents come from; public."""

    class Kind(models.TextChoices):
        """What sort of place it is."""

        SCHOOL = "school", _("school")
        UNIVERSITY = "university", _("university")
        HOSPITAL = "hospital", _("hospital")
        COMPANY = "company", _("company")
        PUBLIC = "public", _("public authority")
        OTHER = "other", _("other")

    name = models.CharField(_("name"), max_length=200, unique=True)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind, default=Kind.OTHER)
    region = models.CharField(_("region"), max_length=80, blank=True)

    class Meta:
        """By name."""

        ordering = ("name",)

    def __str__(self) -> str:
        """Give the name."""
        return self.name


class Panel(models.Model):
    """A list of respondents of one organisation, with the values that each of their traits may have."""

    organisation = models.ForeignKey(Organisation, models.PROTECT, related_name="panels")
    name = models.SlugField(_("name"), max_length=60, unique=True)
    # The day after which its respondents are erased; empty: kept until they are erased by hand.
    retained_until = models.DateField(_("kept until"), null=True, blank=True)
    # Whether that day has passed and its end was noted.
    expired = models.BooleanField(default=False)
    # {trait: [value, …]}; a trait that is not listed stays empty for everybody.
    domains = models.JSONField(default=dict)

    class Meta:
        """By name."""

        ordering = ("name",)

    def __str__(self) -> str:
        """Give the name."""
        return self.name


class Respondent(models.Model):
    """One person of a panel; what they answered is nowhere near."""

    panel = models.ForeignKey(Panel, models.CASCADE, related_name="respondents")
    # How whoever sends invitations knows this person: never an address of ours.
    reference = models.CharField(max_length=80)
    region = models.CharField(max_length=80, null=True)
    age_band = models.CharField(max_length=80, null=True)
    sex = models.CharField(max_length=80, null=True)
    language = models.CharField(max_length=80, null=True)
    segment = models.CharField(max_length=80, null=True)

    class Meta:
        """One a reference and panel."""

        constraints = (
            models.UniqueConstraint(fields=("panel", "reference"), name="respondent_once_a_panel"),
        )

    def __str__(self) -> str:
        """Tell the panel only."""
        return f"respondent of {self.panel_id}"


class Invitation(models.Model):
    """The right of one respondent to one ticket of one survey; whether it was used is not known here."""

    class Channel(models.TextChoices):
        """How the code reaches the respondent."""

        EMAIL = "email", _("e-mail")
        MESSAGE = "message", _("text message")
        LETTER = "letter", _("letter")
        HAND = "hand", _("handed out")

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="invitations")
    respondent = models.ForeignKey(Respondent, models.CASCADE, related_name="invitations")
    channel = models.CharField(max_length=8, choices=Channel, default=Channel.EMAIL)
    # SHA-256 of the code in the link.
    code = models.BinaryField(max_length=32, unique=True)
    sent_on = models.DateField(null=True)
    blinded = models.BinaryField(null=True)
    issued = models.BooleanField(default=False)

    class Meta:
        """One a survey and respondent; a ticket is issued for a blinded message or not at all."""

        constraints = (
            models.UniqueConstraint(fields=("survey", "respondent"), name="invitation_once"),
            models.CheckConstraint(
                condition=models.Q(issued=False) | models.Q(blinded__isnull=False),
                name="invitation_issued_for_a_message",
            ),
        )

    def __str__(self) -> str:
        """Tell the survey only."""
        return f"invitation to {self.survey_id}"
