"""What may be asked of a source, what was asked, and what it has cost."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.ordered import OrderedJSONField


class Source(models.Model):
    """A database that questions are asked of; how to reach it is a setting, never kept here."""

    class Kind(models.TextChoices):
        """Which engine answers; `service` is the database of the product itself."""

        SERVICE = "service", _("this service")
        POSTGRESQL = "postgresql", "PostgreSQL"
        SQLITE = "sqlite", "SQLite"
        DUCKDB = "duckdb", "DuckDB"

    class State(models.TextChoices):
        """Only an open source is asked: one whose declared constraints hold on the data."""

        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")
        FAILED = "failed", _("failed its check")

    name = models.SlugField(_("name"), max_length=60, unique=True)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    # A name in the setting SOURCE_CONNECTIONS; empty for the service. Two sources of one would be two budgets.
    connection = models.SlugField(_("connection"), max_length=60, blank=True)
    # As privacy.policy.schema.schema_from reads it; relations and columns in the order of the file.
    schema = OrderedJSONField()
    # {relation: table} where the table has another name than the relation.
    tables = models.JSONField(default=dict)
    data_version = models.PositiveIntegerField(default=1)
    # Counts the changes of any policy of the source.
    policy_version = models.PositiveIntegerField(default=0)
    state = models.CharField(_("state"), max_length=6, choices=State, default=State.CLOSED)
    reason = models.CharField(max_length=300, blank=True)
    checked_on = models.DateField(null=True)
    # {entity: {relation: rows}} as the data last kept it.
    checked_caps = models.JSONField(null=True)
    # Checks on a day that told something about the data.
    told_on = models.DateField(null=True)
    told = models.PositiveSmallIntegerField(default=0)

    class Meta:
        """By name."""

        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(
                fields=("connection",), condition=~models.Q(connection=""), name="source_connection_once"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "closed", "failed"]), name="source_state_known"
            ),
        )

    def __str__(self) -> str:
        """Give the name."""
        return self.name


class SourcePolicy(models.Model):
    """The labels that protect one kind of entity, from one policy version of the source on."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="policies")
    entity = models.CharField(max_length=100)
    version = models.PositiveIntegerField()
    # As privacy.policy.labels.policy_from reads it.
    document = models.JSONField()

    class Meta:
        """The latest of an entity counts."""

        ordering = ("entity", "version")
        constraints = (
            models.UniqueConstraint(fields=("source", "entity", "version"), name="source_policy_once"),
        )

    def __str__(self) -> str:
        """Give source, entity and version."""
        return f"{self.source_id}/{self.entity} v{self.version}"


class Budget(models.Model):
    """What may be learnt of one entity of a source in all: whole micro-ε, and δ in units of 10⁻¹²."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="budgets")
    entity = models.CharField(max_length=100)
    total = models.PositiveBigIntegerField()
    spent = models.PositiveBigIntegerField(default=0)
    delta_total = models.PositiveBigIntegerField(default=0)
    delta_spent = models.PositiveBigIntegerField(default=0)

    class Meta:
        """One a source and entity."""

        ordering = ("entity",)
        constraints = (models.UniqueConstraint(fields=("source", "entity"), name="budget_once"),)

    def __str__(self) -> str:
        """Give source and entity."""
        return f"{self.source_id}/{self.entity}"


class Share(models.Model):
    """What of a budget one researcher may spend; who has one may ask the source."""

    budget = models.ForeignKey(Budget, models.CASCADE, related_name="shares")
    researcher = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="shares")
    total = models.PositiveBigIntegerField()
    spent = models.PositiveBigIntegerField(default=0)

    class Meta:
        """One a budget and researcher."""

        constraints = (models.UniqueConstraint(fields=("budget", "researcher"), name="share_once"),)

    def __str__(self) -> str:
        """Give researcher and budget."""
        return f"{self.researcher_id} of {self.budget_id}"


class QueryRun(models.Model):
    """One charge and the one answer that it bought."""

    class State(models.TextChoices):
        """Charged → running → done or failed; charged and running are taken up again after a crash."""

        CHARGED = "charged", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    source = models.ForeignKey(Source, models.CASCADE, related_name="runs")
    # Null: asked at the command line.
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="runs")
    sql = models.TextField()
    # Of what is asked, whatever its spelling.
    canonical = models.CharField(max_length=64)
    data_version = models.PositiveIntegerField()
    policy_version = models.PositiveIntegerField()
    epsilon = models.PositiveBigIntegerField()  # micro-ε
    delta = models.PositiveBigIntegerField(default=0)  # 10⁻¹²
    charged = models.PositiveBigIntegerField()  # micro-ε to each budget; 0 where the answer is public
    state = models.CharField(max_length=7, choices=State, default=State.CHARGED)
    answer = models.JSONField(null=True)
    # Until then it is one worker's; how many have taken it up.
    leased_until = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    # Its end is shown from then on, which was known when it was charged: nobody learns how long it took.
    released_at = models.DateTimeField(null=True)

    class Meta:
        """A question has one answer; one that failed may be asked, and charged, again."""

        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("source", "data_version", "policy_version", "canonical", "epsilon", "delta"),
                condition=~models.Q(state="failed"),
                name="query_answered_once",
            ),
            models.CheckConstraint(
                condition=models.Q(state="done", answer__isnull=False)
                | (models.Q(state__in=["charged", "running", "failed"]) & models.Q(answer__isnull=True)),
                name="query_answer_when_done",
            ),
        )

    def __str__(self) -> str:
        """Give number and state."""
        return f"{self.pk} {self.state}"


class Asking(models.Model):
    """Who asked for a run, in which words: whoever asks the same later reads the same answer."""

    run = models.ForeignKey(QueryRun, models.CASCADE, related_name="askings")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="askings")
    sql = models.TextField()

    class Meta:
        """Newest first, once a run and person."""

        ordering = ("-pk",)
        constraints = (models.UniqueConstraint(fields=("run", "actor"), name="asking_once"),)

    def __str__(self) -> str:
        """Give person and run."""
        return f"{self.actor_id} asked {self.run_id}"
