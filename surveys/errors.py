"""The refusals of the product: each carries its facts and knows nothing of HTTP."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar


class DeniableError(Exception):
    """Something was asked for that is not done; `field` names the wrong part of the request, if one is."""

    field: str | None = None


# What is not there.


class SurveyUnknown(DeniableError):
    """No survey that may be seen has this address; a draft is not told from nothing."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"there is no survey {slug!r:.80}")
        self.slug = slug


class VersionUnknown(DeniableError):
    """The survey never published a version of this number."""

    field = "version"

    def __init__(self, slug: str, version: object) -> None:
        super().__init__(f"survey {slug!r:.80} has no version {version!r:.20}")
        self.slug = slug
        self.version = version


class QuestionUnknown(DeniableError):
    """The survey has no question of this id."""

    field = "question"

    def __init__(self, slug: str, name: object) -> None:
        super().__init__(f"survey {slug!r:.80} has no question {name!r:.40}")
        self.slug = slug
        self.name = name


class SourceUnknown(DeniableError):
    """No source has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no source {name!r:.80}")
        self.name = name


class QueryUnknown(DeniableError):
    """No query that may be read has this number."""

    def __init__(self, number: object) -> None:
        super().__init__(f"there is no query {number!r:.20}")
        self.number = number


# What a survey's state forbids.


class SurveyClosed(DeniableError):
    """The survey is closed, for ever."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"survey {slug!r:.80} is closed; closing is final")
        self.slug = slug


class StateForbids(DeniableError):
    """The state that the survey is in does not allow this change."""

    def __init__(self, slug: str, state: str, action: str) -> None:
        super().__init__(f"survey {slug!r:.80} is {state}: it cannot {action}")
        self.slug = slug
        self.state = state
        self.action = action


class ResultsHidden(DeniableError):
    """Results exist only after closing, and only of enough people; `reason` is a stable code."""

    REASONS: ClassVar[dict[str, str]] = {
        "draft": "the survey was never opened",
        "not-closed": "results are hidden until the survey closes; closing is final",
        "not-ready": "the survey is closed and its results are being computed",
        "too-few": "too few people answered to publish anything",
    }

    def __init__(self, slug: str, reason: str) -> None:
        super().__init__(f"survey {slug!r:.80}: {self.REASONS[reason]}")
        self.slug = slug
        self.reason = reason


# What a source or its budget forbids.


class SourceClosed(DeniableError):
    """The source is not asked: an admin closed it, or its data broke a constraint that it declares."""

    def __init__(self, name: str, state: str) -> None:
        super().__init__(f"source {name!r:.80} is {state}: it answers nothing")
        self.name = name
        self.state = state


class SourceUnreachable(SourceClosed):
    """The database of a source cannot be reached at this moment; that was found out before anything was charged."""

    retry_after: ClassVar[int] = 60

    def __init__(self, name: str) -> None:
        DeniableError.__init__(
            self,
            f"the database of source {name!r:.80} cannot be reached now; nothing was charged; ask the operator",
        )
        self.name = name
        self.state = "unreachable"


class SourceResting(SourceClosed):
    """Too many queries of a source failed within a day: how a query ends could tell of somebody."""

    retry_after: ClassVar[int] = 3600

    def __init__(self, name: str) -> None:
        DeniableError.__init__(
            self,
            f"three queries of source {name!r:.80} failed within a day; nothing was charged; it takes queries again "
            "a day after the first of them",
        )
        self.name = name
        self.state = "resting"


class BudgetExhausted(DeniableError):
    """What is left of a source's budget is less than the query costs; figures are micro-ε."""

    of = "the budget"

    def __init__(self, requested: int, remaining: int) -> None:
        super().__init__(
            f"ε {_epsilon(requested)} was asked for, ε {_epsilon(remaining)} is left of {self.of}"
        )
        self.requested = requested
        self.remaining = remaining


class ShareExhausted(BudgetExhausted):
    """What is left of the researcher's share is less than the query costs."""

    of = "this account's share"


class DeltaExhausted(DeniableError):
    """What is left of a source's δ is less than the query needs; figures are in units of 10⁻¹²."""

    def __init__(self, requested: int, remaining: int) -> None:
        super().__init__(f"δ {delta_text(requested)} was asked for, δ {delta_text(remaining)} is left")
        self.requested = requested
        self.remaining = remaining


def delta_text(pico: int) -> str:
    """Return a δ that is given in units of 10⁻¹² as people read it: 0, 1e-9, 2.5e-7."""
    if pico == 0 or pico >= 10**12:
        return f"{Decimal(pico).scaleb(-12):f}".partition(".")[0]
    digits, power = f"{Decimal(pico).scaleb(-12):e}".split("e")
    return f"{digits.rstrip('0').rstrip('.') if '.' in digits else digits}e{int(power)}"


def _epsilon(micro: int) -> str:
    return f"{micro // 1_000_000}.{micro % 1_000_000:06d}"


# What was sent.


class ReportMalformed(DeniableError):
    """A report, or a part of it, is not what the version fixes; nothing of it is stored."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.reason = reason


class KeyReused(DeniableError):
    """This key was used already, with another report."""

    field = "key"

    def __init__(self, slug: str) -> None:
        super().__init__("this key was used for another report; a report is drawn once")
        self.slug = slug


class BodyMalformed(DeniableError):
    """The body is not the JSON that this address takes."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BodyTooLarge(DeniableError):
    """The body is longer than this address takes."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"at most {limit} bytes are taken")
        self.limit = limit


class BodyUnfinished(DeniableError):
    """The body was begun and not sent to its end in time."""

    def __init__(self, limit: float) -> None:
        super().__init__(f"the body did not come within {limit:g} seconds; send the same bytes again")
        self.limit = limit


class ParameterInvalid(DeniableError):
    """One value of a request does not make sense."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.reason = reason


@dataclass(frozen=True, slots=True)
class RowFinding:
    """Why one row of a file cannot be imported; `line` counts from 1, the line of the headers."""

    line: int
    column: str
    code: str
    params: tuple[tuple[str, Any], ...] = ()

    def facts(self) -> dict[str, Any]:
        """Return what fills the message."""
        return dict(self.params)


class ImportRefused(DeniableError):
    """A file cannot be imported, or some of its rows cannot; nothing of it was kept."""

    field = "file"

    def __init__(self, rows: Sequence[RowFinding]) -> None:
        super().__init__("; ".join(f"line {one.line}, {one.column}: {one.code}" for one in rows[:5]))
        self.rows = tuple(rows)


# What the service cannot do now.


class IntakeFull(DeniableError):
    """More reports wait for the writer than may; the same bytes are welcome again."""

    retry_after: ClassVar[int] = 1

    def __init__(self, waiting: int) -> None:
        super().__init__("too many reports are waiting; send the same bytes again")
        self.waiting = waiting


class IntakeUnavailable(DeniableError):
    """The database cannot be reached; nothing was acknowledged."""

    retry_after: ClassVar[int] = 2

    def __init__(self) -> None:
        super().__init__("the report could not be stored yet; send the same bytes again")


# Who may do it.


class NotAllowed(DeniableError):
    """This person may not do this."""

    def __init__(self, actor: str, action: str) -> None:
        super().__init__(f"this account may not {action}")
        self.actor = actor
        self.action = action


# What is configured.


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a designer should change (or, as a warning, think about), beside its field.

    `code` is stable, `params` fill the message, `question` is the id of the question concerned or "".
    """

    code: str
    field: str
    question: str = ""
    params: tuple[tuple[str, Any], ...] = ()

    def facts(self) -> dict[str, Any]:
        """Return what fills the message."""
        return dict(self.params)


class SettingInvalid(DeniableError):
    """A survey or question cannot be kept as typed; one finding for each field that is wrong."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("; ".join(f"{one.field}: {one.code}" for one in findings))
        self.findings = tuple(findings)
        self.field = findings[0].field if findings else None


class PublishRefused(SettingInvalid):
    """The draft breaks a rule that a published survey must keep."""


class AuditBroken(DeniableError):
    """The audit log's chain does not hold at this entry."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"entry {number}: {why}")
        self.number = number
        self.why = why
