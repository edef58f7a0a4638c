"""The planner: what an ε costs in error and gives in protection, while a designer types it."""

from collections.abc import Mapping

from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from privacy.errors import (
    BoxesOutOfRange,
    ChoicesOutOfRange,
    EpsilonInvalid,
    MechanismMalformed,
    PrivacyError,
    TossesOutOfRange,
    TossesTooFew,
)
from privacy.estimation.planner import PlanInvalid, better_boxes, plan
from privacy.mechanisms.catalogue import CATALOGUE, Mechanism, configure
from surveys.api import shapes
from surveys.api.documenting import responses
from surveys.api.parameters import known_only, share_of, whole_of
from surveys.errors import ParameterInvalid
from surveys.permissions import may_plan, required

NAMES = ("protocol", "epsilon", "choices", "boxes", "tosses", "n", "prevalence", "margin")
# Which parameter a refusal of the mathematics is about.
_FIELDS: tuple[tuple[type[PrivacyError], str], ...] = (
    (TossesTooFew, "tosses"),
    (TossesOutOfRange, "tosses"),
    (BoxesOutOfRange, "boxes"),
    (ChoicesOutOfRange, "choices"),
    (EpsilonInvalid, "epsilon"),
)
_EPSILON = {
    "type": "string",
    "pattern": r"^([0-9]{1,2}(\.[0-9]{1,4})?|ln\([1-9][0-9]{0,8}\))$",
    "example": "ln(3)",
}
_WHOLE = {"type": "integer", "minimum": 1}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}


class PlanView(APIView):
    """Everything an admin is told about one question."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="plan",
        summary=gettext_noop("Plan a question"),
        parameters=[
            OpenApiParameter("protocol", str, enum=list(CATALOGUE), default="spinner"),
            OpenApiParameter("epsilon", _EPSILON, required=True),
            OpenApiParameter("choices", {**_WHOLE, "minimum": 2, "maximum": 256}, default=2),
            OpenApiParameter("boxes", {**_WHOLE, "maximum": 256}),
            OpenApiParameter("tosses", {**_WHOLE, "maximum": 32}),
            OpenApiParameter("n", {**_WHOLE, "maximum": 10**9}),
            OpenApiParameter("prevalence", _SHARE, default=0.5),
            OpenApiParameter("margin", _SHARE),
        ],
        description=gettext_noop(
            "“choices” counts “no answer” where there is one; for the box protocols it is that of one box."
        ),
        responses=responses(
            {200: shapes.PLAN}, "parameter-invalid", "privacy-refused", "not-authenticated", "not-allowed"
        ),
    )
    def get(self, request: Request) -> Response:
        """Return the plan, with the integers from which the wheel is drawn to scale."""
        required(may_plan(request.user), request.user, "use the planner")
        query = request.query_params
        known_only(query, NAMES)
        try:
            return Response(_planned(query))
        except PlanInvalid as error:
            raise ParameterInvalid(error.field, error.why) from error
        except PrivacyError as error:
            raise _named(error) from error


def _planned(query: Mapping[str, str]) -> dict[str, object]:
    mechanism, prevalence = _mechanism(query), share_of(query, "prevalence")
    figures = plan(
        mechanism,
        prevalence=0.5 if prevalence is None else prevalence,
        n=whole_of(query, "n", 1, 10**9),
        margin=share_of(query, "margin"),
    )
    better = None
    if figures.boxes is not None:
        better = better_boxes(query["epsilon"], figures.boxes, mechanism.choices, figures.prevalence)[
            "better"
        ]
    return {**figures.to_json(), "mechanism": mechanism.manifest(), "boxes_better": better}


def _mechanism(query: Mapping[str, str]) -> Mechanism:
    protocol = query.get("protocol", "spinner")
    if protocol not in CATALOGUE:
        raise ParameterInvalid("protocol", f"one of {', '.join(CATALOGUE)}")
    if "epsilon" not in query:
        raise ParameterInvalid("epsilon", "needed: a number such as 1.5, or ln(3)")
    return configure(
        protocol,
        query["epsilon"],
        whole_of(query, "choices", 2, 256, 2) or 2,
        boxes=whole_of(query, "boxes", 1, 256),
        tosses=whole_of(query, "tosses", 1, 32),
    )


def _named(error: PrivacyError) -> Exception:
    if isinstance(error, MechanismMalformed):
        return ParameterInvalid(error.field, "this protocol needs it, or does not take it")
    for kind, field in _FIELDS:
        if isinstance(error, kind):
            return ParameterInvalid(field, str(error))
    return error
