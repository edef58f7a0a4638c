"""The plan of one question: what an ε will cost in error and give in protection, before anybody is asked."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from privacy.errors import PrivacyError
from privacy.estimation.debias import Support
from privacy.estimation.figures import rounded
from privacy.estimation.intervals import normal_quantile, spread_of
from privacy.mechanisms.catalogue import Mechanism, configure
from privacy.mechanisms.every_box import EveryBox
from privacy.mechanisms.one_box import OneBox

# What is planned stays within these, so that every figure is a finite number.
MOST_RESPONDENTS = 10**12
LEAST_SHARE = 1e-12
LEAST_MARGIN = 1e-6


class PlanInvalid(PrivacyError):
    """A figure of a plan is out of its range."""

    code = "plan-invalid"

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field}: {why}")
        self.field = field
        self.why = why


@dataclass(frozen=True, slots=True)
class Plan:
    """What an admin is told about a question; of a multiple choice, about each of its boxes.

    Figures that need n, a margin or an error of asking directly that is not zero are None without them.
    """

    protocol: str
    choices: int
    boxes: int | None
    epsilon: str  # of the whole question, as published
    p: float  # chance to send one's own answer
    delta: float
    odds: int  # of 100 people who answer alike, about so many send their own answer on
    prevalence: float
    blind_rate: float  # how often the best guess is right of one who knows the prevalence only
    guess_rate: float  # of an attacker who sees one report (of this box) and knows the prevalence
    posterior_bound: float  # the most that an attacker who held `prevalence` likely may come to believe
    factor_direct: float | None  # times the respondents that asking directly needs, for the same error
    n: int | None
    expected_margin: float | None
    direct_margin: float | None
    central_margin: (
        float | None
    )  # with true answers on a trusted server and noise of the same ε on the totals
    factor_central: float | None  # times the variance of that
    one_liar: float | None
    margin: float | None
    n_needed: int | None

    def to_json(self) -> dict[str, Any]:
        """Figures rounded to six decimals."""
        return {
            name: rounded(value) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


def plan(
    mechanism: Mechanism,
    *,
    prevalence: float = 0.5,
    n: int | None = None,
    margin: float | None = None,
    level: float = 0.95,
) -> Plan:
    """Plan a question for an answer that `prevalence` of all people would give, the others being alike.

    Law: error z sqrt(l(1 - l)/(n delta^2)) with l = q + delta prevalence; one drawn box hears n/boxes people.
    """
    _checked(prevalence, n, margin, level)
    support, z = Support.of(mechanism), normal_quantile(level)
    boxes = mechanism.boxes if isinstance(mechanism, OneBox | EveryBox) else None
    people = boxes if isinstance(mechanism, OneBox) and boxes else 1  # for one report about one box
    unit = people * variance_of_one(support, prevalence)
    direct = prevalence * (1 - prevalence)
    epsilon = float(mechanism.epsilon)
    central = central_variance(epsilon / (boxes or 1), prevalence, n) if n else None
    return Plan(
        protocol=str(mechanism.manifest()["name"]),
        choices=mechanism.choices,
        boxes=boxes,
        epsilon=mechanism.epsilon,
        p=float(support.p),
        delta=float(support.delta),
        odds=round(100 * float(support.p)),
        prevalence=prevalence,
        blind_rate=blind_rate(support, prevalence),
        guess_rate=guess_rate(support, prevalence),
        posterior_bound=posterior_bound(epsilon, prevalence),
        factor_direct=unit / direct if direct else None,
        n=n,
        expected_margin=z * math.sqrt(unit / n) if n else None,
        direct_margin=z * math.sqrt(direct / n) if n else None,
        central_margin=z * math.sqrt(central) if central else None,
        factor_central=unit / n / central if n and central else None,
        one_liar=people / (n * float(support.delta)) if n else None,
        margin=margin,
        n_needed=math.ceil(z * z * unit / margin**2) if margin else None,
    )


def variance_of_one(support: Support, share: float) -> float:
    """n times the variance of an unbiased share: l(1 - l)/delta^2."""
    rate = float(support.q) + float(support.delta) * share
    return rate * (1 - rate) / float(support.delta) ** 2


def channel_noise(support: Support) -> float:
    """n times the variance that the channel adds, summed over the answers; the same for all shares."""
    base, slope, _ = spread_of(1, *support.rates, g=0)
    return support.choices * base + slope


def blind_rate(support: Support, prevalence: float) -> float:
    """How often the best guess without any report is right: the likeliest truth's prior."""
    return max(prevalence, (1 - prevalence) / (support.choices - 1))


def guess_rate(support: Support, prevalence: float) -> float:
    """How often the best guess from one report is right: sum over reports of max over truths of prior P[r|v]."""
    p, q, k = *support.rates, support.choices
    other = (1 - prevalence) / (k - 1)
    # The report of the answer itself, then each of the alike others (another of them may be as likely).
    own = max(prevalence * p, other * q)
    rest = max(prevalence * q, other * p)
    return own + (k - 1) * rest


def posterior_bound(epsilon: float, prior: float) -> float:
    """The most that one may come to believe of a fact held with probability `prior`, whatever is reported."""
    # prior E/(prior E + 1 - prior), without overflow.
    return prior / (prior + (1 - prior) * math.exp(-epsilon))


def central_variance(epsilon: float, share: float, n: int) -> float:
    """The variance with true answers on a trusted server that adds geometric noise to the total."""
    return share * (1 - share) / n + 2 * math.exp(-epsilon) / (math.expm1(-epsilon) ** 2 * n * n)


def better_boxes(
    epsilon_text: str, boxes: int, choices: int = 2, prevalence: float = 0.5
) -> dict[str, float | str | None]:
    """Which way to ask m boxes has the smaller error: all of them at ε/m, or one drawn box at the full ε.

    Returns n times the variance of each way (None when its ε would be too small) and the name of the better.
    """
    one = boxes * variance_of_one(
        Support.of(configure("one-box", epsilon_text, choices, boxes=boxes)), prevalence
    )
    every: float | None
    try:
        every = variance_of_one(
            Support.of(configure("every-box", epsilon_text, choices, boxes=boxes)), prevalence
        )
    except PrivacyError:
        every = None
    return {
        "one-box": rounded(one),
        "every-box": None if every is None else rounded(every),
        "better": "every-box" if every is not None and every < one else "one-box",
    }


def _checked(prevalence: float, n: int | None, margin: float | None, level: float) -> None:
    if not (prevalence == 0 or LEAST_SHARE <= prevalence <= 1):
        raise PlanInvalid("prevalence", f"a share from 0 to 1, nothing between 0 and {LEAST_SHARE}")
    if n is not None and not 1 <= n <= MOST_RESPONDENTS:
        raise PlanInvalid("n", f"a number of respondents from 1 to {MOST_RESPONDENTS}")
    if margin is not None and not LEAST_MARGIN <= margin < 1:
        raise PlanInvalid("margin", f"a share from {LEAST_MARGIN}, below 1")
    if not 0.5 <= level <= 0.999999:
        raise PlanInvalid("level", "from 0.5 to 0.999999")
