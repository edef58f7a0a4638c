"""The plan that a question page shows before, or without, JavaScript: the same figures as the API's."""

from typing import Any

from django.utils.translation import gettext

from privacy.errors import PrivacyError
from privacy.estimation.planner import Plan, better_boxes, plan
from privacy.mechanisms.catalogue import Mechanism
from surveys.models import Question
from surveys.wire.manifest import mechanism_of

DEFAULTS = {"n": "1000", "prevalence": "10", "margin": "3"}
_COINS_SHOWN = 4
_NOTHING = "–"


def plan_context(values: dict[str, Any] | None, posted: Any, others: str = "0") -> dict[str, Any]:
    """Return the figures for the values of a question form, as texts; none where they mean nothing."""
    inputs = {name: posted.get(f"plan_{name}", default) for name, default in DEFAULTS.items()}
    if values is None or values["kind"] == Question.Kind.NOTE:
        return {"plan": None, "plan_inputs": inputs, "plan_refused": values is None}
    try:
        mechanism = mechanism_of(Question(**values))
        figures = plan(mechanism, **_numbers(inputs))
    except (PrivacyError, ValueError):
        return {"plan": None, "plan_inputs": inputs, "plan_refused": True}
    return {
        "plan": _told(mechanism, figures, values["epsilon"], others),
        "plan_inputs": inputs,
        "plan_refused": False,
    }


def _numbers(inputs: dict[str, str]) -> dict[str, Any]:
    share = float(inputs["prevalence"] or DEFAULTS["prevalence"]) / 100
    return {
        "n": int(inputs["n"]) if inputs["n"].strip() else None,
        "prevalence": share,
        "margin": float(inputs["margin"]) / 100 if inputs["margin"].strip() else None,
    }


def _told(mechanism: Mechanism, figures: Plan, epsilon: str, others: str) -> dict[str, Any]:
    total = float(others) + float(figures.epsilon)
    return {
        **_drawing(mechanism.manifest()),
        **_protection(figures),
        **_error(figures),
        "better": _better(mechanism, epsilon, figures),
        "total": f"{total:.4f}",
        "total_number": total,
    }


def _better(mechanism: Mechanism, epsilon: str, figures: Plan) -> str:
    if figures.boxes is None:
        return ""
    return str(better_boxes(epsilon, figures.boxes, mechanism.choices, figures.prevalence)["better"])


def _drawing(manifest: dict[str, Any]) -> dict[str, Any]:
    coin = manifest["name"] == "coin"
    bits = manifest["tosses"] if coin else manifest["bits"]
    few = coin and bits <= _COINS_SHOWN
    return {
        "num": manifest["num"],
        "bits": bits,
        "outcomes": f"{2**bits:,}",
        "coin": coin,
        "few_coins": few,
        "marks": [index < manifest["num"] for index in range(2**bits)] if few else [],
    }


def _protection(figures: Plan) -> dict[str, str]:
    return {
        "epsilon": figures.epsilon,
        "odds": str(figures.odds),
        # Which of the sentences about them is true: of a multiple choice they are those of a box.
        "told_by_box": figures.protocol if figures.boxes is not None else "",
        "p": f"{100 * figures.p:.1f} %",
        "delta": f"{figures.delta:.3f}",
        "prevalence": f"{100 * figures.prevalence:.3g} %",
        "blind_rate": f"{100 * figures.blind_rate:.1f} %",
        "guess_rate": f"{100 * figures.guess_rate:.1f} %",
        "posterior_bound": f"{100 * figures.posterior_bound:.1f} %",
    }


def _error(figures: Plan) -> dict[str, str]:
    points = gettext("points")
    margins = {
        name: _NOTHING if share is None else f"± {100 * share:.1f} {points}"
        for name in ("expected_margin", "direct_margin", "central_margin")
        for share in (getattr(figures, name),)
    }
    liar, factor, needed = figures.one_liar, figures.factor_direct, figures.n_needed
    return {
        **margins,
        "n_needed": _NOTHING if needed is None else f"{needed:,}",
        "factor_direct": _NOTHING if factor is None else f"{factor:.1f} ×",
        "one_liar": _NOTHING if liar is None else f"{100 * liar:.2f} {points}",
    }
