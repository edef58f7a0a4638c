"""What reports add up to: tallies at drain, estimates after closing."""

from django.db import models

from surveys.models.survey import Survey, Version


class Tally(models.Model):
    """How often each cell of one question was reported; hidden until the survey closes."""

    version = models.ForeignKey(Version, models.CASCADE, related_name="tallies")
    question = models.SlugField(max_length=20)
    # Reports counted, and how many fell into each cell of the question's mechanism.
    n = models.PositiveBigIntegerField(default=0)
    counts = models.JSONField(default=list)

    class Meta:
        """One tally a version and question."""

        constraints = (models.UniqueConstraint(fields=("version", "question"), name="tally_once"),)

    def __str__(self) -> str:
        """Give version and question."""
        return f"{self.version_id}/{self.question}"


class Estimate(models.Model):
    """The published result of a closed survey: of one version, or pooled over all (version empty)."""

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="estimates")
    version = models.ForeignKey(Version, models.CASCADE, null=True, related_name="estimates")
    n = models.PositiveBigIntegerField()
    # As surveys.services.results documents it, or {"withheld": reason}.
    body = models.JSONField()
    # {"edition", "en", "ko"}: the page's drawing of it, made once; empty where nothing is shown.
    drawings = models.JSONField(default=dict)
    code_version = models.CharField(max_length=40)
    computed_at = models.DateTimeField(auto_now=True)

    class Meta:
        """One result a version and one pooled."""

        constraints = (
            models.UniqueConstraint(fields=("survey", "version"), name="estimate_once"),
            models.UniqueConstraint(
                fields=("survey",), condition=models.Q(version=None), name="estimate_pooled_once"
            ),
        )

    def __str__(self) -> str:
        """Give survey and version."""
        return f"{self.survey_id}/{self.version_id or 'pooled'}"
