"""The one table from error to HTTP: status, type and title of every refusal, of DRF and intake alike."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_noop as _
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from privacy.errors import PrivacyError
from privacy.policy.errors import PolicyInvalid, PolicyLayerError, QueryRefused, SchemaInvalid
from surveys import errors

CONTENT_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """One type of refusal: its page is `/problems/<slug>`; title and help are messages to translate."""

    status: int
    slug: str
    title: str
    help: str


# Refusals of the protocol itself, by status.
PROTOCOL: Mapping[int, Kind] = {
    kind.status: kind
    for kind in (
        Kind(
            400,
            "request-malformed",
            _("The request could not be read"),
            _("Check the request against the API's documentation."),
        ),
        Kind(
            401,
            "not-authenticated",
            _("Log in first"),
            _("Send a session cookie or an Authorization: Token header."),
        ),
        Kind(
            403,
            "not-allowed",
            _("This account may not do this"),
            _("Ask an administrator of the survey to grant access."),
        ),
        Kind(
            404,
            "not-found",
            _("There is nothing at this address"),
            _("The address may be mistyped, or what was there is gone or not published."),
        ),
        Kind(
            405,
            "method-not-allowed",
            _("This address does not take this method"),
            _("The Allow header names the methods it takes."),
        ),
        Kind(
            406,
            "not-acceptable",
            _("No such format"),
            _("Ask for one of the formats that the API's documentation lists."),
        ),
        Kind(
            408,
            "request-unfinished",
            _("The request did not come to its end"),
            _("Nothing was stored. Send the same bytes again over a better connection."),
        ),
        Kind(
            409,
            "state-forbids",
            _("The survey's state does not allow this"),
            _("An open survey can be paused, a paused one edited and published again; closing is final."),
        ),
        Kind(
            413,
            "body-too-large",
            _("The request is too long"),
            _("A report is a few hundred bytes; nothing longer is read."),
        ),
        Kind(
            415,
            "media-type-unsupported",
            _("This type of content is not taken"),
            _("Send JSON with the header Content-Type: application/json."),
        ),
        Kind(
            429,
            "too-many-requests",
            _("Too many requests"),
            _("Wait as long as the Retry-After header says."),
        ),
        Kind(
            500,
            "server-error",
            _("Something went wrong on our side"),
            _("Nothing was stored. Please try again."),
        ),
        Kind(
            503,
            "unavailable",
            _("The service cannot store reports at this moment"),
            _("Send the same bytes again in a few seconds: your report is stored only once."),
        ),
    )
}
TABLE: Mapping[type[Exception], Kind] = {
    errors.SurveyUnknown: Kind(
        404,
        "survey-unknown",
        _("There is no such survey"),
        _("Its address may be mistyped, or it is not published yet."),
    ),
    errors.QuestionUnknown: Kind(
        404,
        "question-unknown",
        _("There is no such question"),
        _("It may have been deleted in another window."),
    ),
    errors.VersionUnknown: Kind(
        422,
        "version-unknown",
        _("The survey has no such version"),
        _("Reload the page: it loads the version that is open now."),
    ),
    errors.SurveyClosed: Kind(
        409,
        "survey-closed",
        _("The survey is closed"),
        _("Closing is final: no answer can be added any more."),
    ),
    errors.StateForbids: PROTOCOL[409],
    errors.ResultsHidden: Kind(
        409,
        "results-hidden",
        _("The results are hidden"),
        _("They are shown after closing, and only for groups of enough people."),
    ),
    errors.ReportMalformed: Kind(
        422,
        "report-malformed",
        _("The report is not of this version's form"),
        _("Nothing was stored. The field named is the first one that is wrong."),
    ),
    errors.KeyReused: Kind(
        409,
        "key-reused",
        _("This key was used for another report"),
        _("A report is drawn once: only the same bytes are taken again."),
    ),
    errors.BodyMalformed: PROTOCOL[400],
    errors.BodyTooLarge: PROTOCOL[413],
    errors.BodyUnfinished: PROTOCOL[408],
    errors.ParameterInvalid: Kind(
        400,
        "parameter-invalid",
        _("A value does not make sense"),
        _("The field named is wrong; the detail says why."),
    ),
    errors.IntakeFull: Kind(
        503,
        "intake-full",
        _("Too many reports are waiting"),
        _("Send the same bytes again in a few seconds: your report is stored only once."),
    ),
    errors.IntakeUnavailable: PROTOCOL[503],
    errors.NotAllowed: PROTOCOL[403],
    errors.SettingInvalid: Kind(
        422,
        "setting-invalid",
        _("Something cannot be kept as typed"),
        _("The findings name each field and why."),
    ),
    errors.PublishRefused: Kind(
        422,
        "publish-refused",
        _("The survey cannot be published as it is"),
        _("The findings name each field and why."),
    ),
    errors.SourceUnknown: Kind(
        404,
        "source-unknown",
        _("There is no such source"),
        _("Its name may be mistyped, or it was not registered here."),
    ),
    errors.QueryUnknown: Kind(
        404,
        "query-unknown",
        _("There is no such query"),
        _("Only who asked it, and administrators, can read an answer."),
    ),
    errors.SourceClosed: Kind(
        409,
        "source-closed",
        _("The source answers no queries now"),
        _("An administrator closed it, or its data broke a constraint that it declares."),
    ),
    errors.SourceUnreachable: Kind(
        503,
        "source-unreachable",
        _("The database of this source cannot be reached now"),
        _("Nothing was charged. Try again later; if it stays so, ask the operator of the service."),
    ),
    errors.SourceResting: Kind(
        503,
        "source-resting",
        _("Three queries of this source failed within a day"),
        _(
            "Nothing was charged. How a query ends could tell of somebody, so it takes queries again a day after the "
            "first of them. Ask the operator of the service what makes them fail."
        ),
    ),
    errors.BudgetExhausted: Kind(
        409,
        "budget-exhausted",
        _("The budget is not enough for this query"),
        _("Nothing was charged. Ask with a smaller ε, or repeat an earlier query: its answer is free."),
    ),
    errors.ShareExhausted: Kind(
        409,
        "share-exhausted",
        _("This account's share of the budget is not enough for this query"),
        _("Nothing was charged. An administrator can enlarge the share while the budget lasts."),
    ),
    errors.DeltaExhausted: Kind(
        409,
        "delta-exhausted",
        _("The budget of δ is not enough for this query"),
        _("Nothing was charged. Without δ the noise is Laplace's and only ε is charged."),
    ),
    errors.ImportRefused: Kind(
        422,
        "import-refused",
        _("The file cannot be imported as it is"),
        _("Nothing was kept. The findings name each line and column and why."),
    ),
    errors.AuditBroken: Kind(
        500,
        "audit-broken",
        _("The audit log was tampered with"),
        _("Its chain of hashes does not hold at the entry named."),
    ),
    PrivacyError: Kind(
        400,
        "privacy-refused",
        _("This would break a promise, or has no meaning"),
        _("The detail names what the mathematics refuses."),
    ),
    QueryRefused: Kind(
        422,
        "query-refused",
        _("This query is not answered"),
        _("Line and column say where, the detail says why, the hint what can be done. Nothing was charged."),
    ),
    SchemaInvalid: Kind(
        422,
        "schema-invalid",
        _("The schema means nothing as it is"),
        _("The detail names the place and the reason."),
    ),
    PolicyInvalid: Kind(
        422,
        "policy-invalid",
        _("The policy is not well-formed"),
        _("The detail names the relation and the reason."),
    ),
    PolicyLayerError: Kind(
        422,
        "policy-refused",
        _("The policy layer refuses this"),
        _("The detail says why."),
    ),
}

KINDS: Mapping[str, Kind] = {kind.slug: kind for kind in (*PROTOCOL.values(), *TABLE.values())}


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal ready for HTTP."""

    kind: Kind
    detail: str
    field: str | None = None
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    place: Mapping[str, int | str] = dataclasses.field(default_factory=dict)

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.kind.status

    def document(self) -> dict[str, Any]:
        """Return the members of the problem document (RFC 9457)."""
        members: dict[str, Any] = {
            "type": f"/problems/{self.kind.slug}",
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
        }
        named = {} if self.field is None else {"field": self.field}
        return {**members, **named, **self.place}

    def body(self) -> bytes:
        """Return the document's bytes."""
        return json.dumps(self.document(), ensure_ascii=False, separators=(",", ":")).encode(
            "utf-8", "replace"
        )


def problem_of(error: Exception) -> Problem:
    """Return the problem of a domain error, through the class nearest to it in the table."""
    kind = next((TABLE[base] for base in type(error).__mro__ if base in TABLE), PROTOCOL[500])
    if kind is PROTOCOL[500]:
        # What an unforeseen error says may hold anything: it stays in the server's log.
        return Problem(kind, kind.title)
    retry = getattr(error, "retry_after", None)
    return Problem(
        kind,
        str(error),
        getattr(error, "field", None),
        {} if retry is None else {"Retry-After": str(retry)},
        _place_of(error),
    )


def _place_of(error: Exception) -> dict[str, int | str]:
    """Return where in a text or document a refusal is, and what to do instead."""
    if not isinstance(error, PolicyLayerError):
        return {}
    told = {name: getattr(error, name, None) for name in ("line", "column", "hint")}
    return {name: value for name, value in told.items() if value}


def problem_of_status(status: int, detail: str = "", headers: Mapping[str, str] | None = None) -> Problem:
    """Return the problem of a refusal that HTTP itself knows, such as 405."""
    kind = PROTOCOL.get(status) or PROTOCOL[400 if status < 500 else 500]
    return Problem(kind, detail or kind.title, headers=headers or {})


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Answer every refusal of a DRF view as problem+json; an unforeseen error stays Django's to log."""
    problem = _problem_of_view(error)
    if problem is None:
        return None
    set_rollback()
    return Response(
        problem.document(), status=problem.status, headers=dict(problem.headers), content_type=CONTENT_TYPE
    )


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what Django refuses before any view: a problem to the API's callers, a page to everybody else."""
    if not request.path.startswith("/api/"):
        return defaults.bad_request(request, exception)
    # What the exception says may repeat the request.
    problem = problem_of_status(400)
    return HttpResponse(problem.body(), status=problem.status, content_type=CONTENT_TYPE)


def _problem_of_view(error: Exception) -> Problem | None:
    if isinstance(error, errors.DeniableError | PrivacyError):
        return problem_of(error)
    if isinstance(error, Http404):
        return problem_of_status(404)
    if isinstance(error, PermissionDenied):
        return problem_of_status(403)
    return _problem_of_drf(error) if isinstance(error, exceptions.APIException) else None


def _problem_of_drf(error: exceptions.APIException) -> Problem:
    detail = error.detail if isinstance(error.detail, str) else json.dumps(error.detail, ensure_ascii=False)
    headers = {}
    if (challenge := getattr(error, "auth_header", None)) is not None:
        headers["WWW-Authenticate"] = challenge
    if (wait := getattr(error, "wait", None)) is not None:
        headers["Retry-After"] = str(int(wait))
    return problem_of_status(error.status_code, detail, headers)
