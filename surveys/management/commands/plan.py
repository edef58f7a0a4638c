"""manage.py plan: what an ε costs in error and gives in protection, without a database."""

import json
from argparse import ArgumentParser
from typing import Any

from privacy.errors import PrivacyError
from privacy.estimation.planner import Plan, PlanInvalid, better_boxes, plan
from privacy.mechanisms.catalogue import CATALOGUE, configure
from surveys.management.refusing import RefusingCommand, refuse


class Command(RefusingCommand):
    """Print the plan of one question."""

    help = (
        "Expected error, respondents needed, the factor against asking directly and against noise on a trusted "
        "server, and what a report gives away, for one question. Shares lie between 0 and 1. "
        "Bad input: exit status 2 and one line, error: where: why."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the question's figures."""
        parser.add_argument(
            "--epsilon", required=True, help='such as 1.0986 or "ln(3)", for the whole question'
        )
        parser.add_argument(
            "--choices", required=True, type=int, help="answers, with the extra category; of one box"
        )
        parser.add_argument("--n", type=int, help="respondents")
        parser.add_argument("--prevalence", type=float, default=0.5, help="expected share (default 0.5)")
        parser.add_argument("--margin", type=float, help="wanted error of a share, such as 0.03")
        parser.add_argument("--level", type=float, default=0.95, help="of the intervals (default 0.95)")
        parser.add_argument("--protocol", default="spinner", help=f"{', '.join(CATALOGUE)} (default spinner)")
        parser.add_argument("--boxes", type=int, help="of a multiple choice: one-box, every-box")
        parser.add_argument("--tosses", type=int, help="of the coin")
        parser.add_argument("--json", action="store_true", help="for machines")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the plan as a table or as JSON."""
        try:
            answer, ways = _planned(options)
        except PrivacyError as refused:
            refuse(f"{_where(refused)}{refused}")
        if options["json"]:
            self.stdout.write(
                json.dumps(answer.to_json() | ({"boxes_compared": ways} if ways else {}), indent=2)
            )
        else:
            self.stdout.write("\n".join(_table(answer, ways)))


def _planned(options: dict[str, Any]) -> tuple[Plan, dict[str, Any] | None]:
    epsilon, boxes = options["epsilon"], options["boxes"]
    mechanism = configure(options["protocol"], epsilon, options["choices"], boxes, options["tosses"])
    figures = {name: options[name] for name in ("n", "prevalence", "margin", "level")}
    answer = plan(mechanism, **figures)
    ways = better_boxes(epsilon, boxes, options["choices"], options["prevalence"]) if boxes else None
    return answer, ways


def _where(refused: PrivacyError) -> str:
    # A plan's own refusals begin with their field, some of the mechanisms' with their code.
    return (
        ""
        if isinstance(refused, PlanInvalid) or str(refused).startswith(refused.code)
        else f"{refused.code}: "
    )


def _table(answer: Plan, ways: dict[str, Any] | None) -> list[str]:
    rows = [
        ("protocol", answer.protocol + (f", {answer.boxes} boxes" if answer.boxes else "")),
        ("answers", answer.choices),
        ("epsilon (realised, whole question)", answer.epsilon),
        ("sends one's own answer, p", f"{answer.p:.4f} (of 100 people about {answer.odds})"),
        ("delta = p - q", f"{answer.delta:.4f}"),
        ("expected share", f"{answer.prevalence:g}"),
        ("best guess from one report is right", f"{100 * answer.guess_rate:.1f} %"),
        ("  without any report", f"{100 * answer.blind_rate:.1f} %"),
        ("belief can rise at most to", f"{100 * answer.posterior_bound:.1f} %"),
        ("respondents, times asking directly", _number(answer.factor_direct, "{:.1f}")),
    ]
    if answer.n is not None:
        rows += [
            ("respondents, n", answer.n),
            ("expected error", _number(answer.expected_margin, "± {:.4f}")),
            ("  asking directly", _number(answer.direct_margin, "± {:.4f}")),
            ("  noise of this epsilon on a trusted server", _number(answer.central_margin, "± {:.4f}")),
            ("  times the variance of that noise", _number(answer.factor_central, "{:.1f}")),
            ("one dishonest report moves a share by", _number(answer.one_liar, "{:.4f}")),
        ]
    if answer.margin is not None:
        rows.append((f"respondents needed for ± {answer.margin:g}", answer.n_needed))
    if ways:
        rows.append(("smaller error for boxes", ways["better"]))
    width = max(len(name) for name, _ in rows)
    return [f"{name:<{width}}  {value}" for name, value in rows]


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)
