"""What an admin configures: surveys, their questions, their published versions, who may read results."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Survey(models.Model):
    """A questionnaire with its state, limits and closing rule."""

    class State(models.TextChoices):
        """Draft → open ⇄ paused → closed; closing is final."""

        DRAFT = "draft", _("draft")
        OPEN = "open", _("open")
        PAUSED = "paused", _("paused")
        CLOSED = "closed", _("closed")

    slug = models.SlugField(_("address"), max_length=60, unique=True)
    title_en = models.CharField(_("title (English)"), max_length=200, blank=True)
    title_ko = models.CharField(_("title (Korean)"), max_length=200, blank=True)
    intro_en = models.TextField(_("introduction (English)"), max_length=4000, blank=True)
    intro_ko = models.TextField(_("introduction (Korean)"), max_length=4000, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.DRAFT, editable=False)
    # Text, never a float: "4" or "ln(27)".
    epsilon_ceiling = models.CharField(_("survey-wide ε ceiling"), max_length=24, default="8")
    closes_at = models.DateTimeField(_("closes at"), null=True, blank=True)
    target = models.PositiveIntegerField(_("closes at this many answers"), null=True, blank=True)
    population = models.PositiveIntegerField(_("people who can answer, if known"), null=True, blank=True)
    # True once the final rewrite has put all reports and digests of a closed survey in one random order.
    rewritten = models.BooleanField(default=False, editable=False)
    # When PostgreSQL's tables are next to be compacted after the rewrite; empty before it and once it was done.
    compact_at = models.DateTimeField(null=True, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="surveys", editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Newest first, as admins look for what they made last."""

        ordering = ("-created_at", "slug")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "open", "paused", "closed"]), name="survey_state_known"
            ),
        )

    def __str__(self) -> str:
        """Give the address, which people know it by."""
        return self.slug


class RetiredAddress(models.Model):
    """The address of a deleted survey that was published: a report drawn for it must never meet other questions."""

    slug = models.SlugField(max_length=60, primary_key=True)

    def __str__(self) -> str:
        """Give the address."""
        return self.slug


class Question(models.Model):
    """One question of a draft; published versions keep their own copy in the manifest."""

    class Kind(models.TextChoices):
        """What a respondent is shown."""

        YES_NO = "yes_no", _("yes or no")
        SINGLE = "single", _("single choice")
        LIKERT = "likert", _("Likert scale")
        MULTIPLE = "multiple", _("multiple choice")
        NOTE = "note", _("note (nothing is asked)")

    class Protocol(models.TextChoices):
        """How the device randomises the answer; the last two are for multiple choice."""

        SPINNER = "spinner", _("spinner")
        SPINNER_COIN = "spinner-coin", _("spinner with a coin")
        COIN = "coin", _("coin tosses")
        ONE_BOX = "one-box", _("one drawn box")
        EVERY_BOX = "every-box", _("every box at ε/m")

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="questions")
    position = models.PositiveIntegerField()
    # The manifest's id: "q1", never reused within a survey.
    name = models.SlugField(max_length=20)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.YES_NO)
    text_en = models.TextField(_("text (English)"), max_length=2000, blank=True)
    text_ko = models.TextField(_("text (Korean)"), max_length=2000, blank=True)
    # [{"id": "c1", "text": {"en": …, "ko": …}}, …] in the order shown; empty for yes/no and notes.
    choices = models.JSONField(_("answers"), default=list, blank=True)
    required = models.BooleanField(_("required"), default=False)
    # {"all" | "any": [{"question": "q1", "is": ["yes"]}, …]} over earlier questions.
    visible_if = models.JSONField(_("shown if"), null=True, blank=True)
    epsilon = models.CharField(_("ε"), max_length=24, default="ln(3)", blank=True)
    protocol = models.CharField(
        _("protocol"), max_length=12, choices=Protocol, default=Protocol.SPINNER, blank=True
    )
    tosses = models.PositiveSmallIntegerField(_("coin tosses"), null=True, blank=True)

    class Meta:
        """In the order asked."""

        ordering = ("position", "pk")
        constraints = (
            models.UniqueConstraint(fields=("survey", "name"), name="question_name_once_a_survey"),
        )

    def __str__(self) -> str:
        """Give survey and question name."""
        return f"{self.survey.slug}/{self.name}"


class Version(models.Model):
    """A published questionnaire: integers, texts and order, fixed for ever."""

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    # RFC 8785 canonical JSON, without fingerprint and state.
    manifest = models.TextField()
    fingerprint = models.CharField(max_length=64)
    published_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """In the order of publication."""

        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("survey", "number"), name="version_number_once_a_survey"),
        )

    def __str__(self) -> str:
        """Give survey and version number."""
        return f"{self.survey.slug} v{self.number}"


class Grant(models.Model):
    """A researcher may read this survey's estimates."""

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="grants", verbose_name=_("survey"))
    researcher = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="grants", verbose_name=_("researcher")
    )

    class Meta:
        """One grant a survey and researcher."""

        verbose_name = verbose_name_plural = _("access to results")
        constraints = (models.UniqueConstraint(fields=("survey", "researcher"), name="grant_once"),)

    def __str__(self) -> str:
        """Give researcher and survey."""
        return f"{self.researcher} reads {self.survey.slug}"
