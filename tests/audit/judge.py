"""The judge: what counts of reports, from either language, certify about ε.

Each case is {"mechanism": manifest, "n": draws a truth, "counts": [[count a report] a truth]}.
The certified ε is a lower bound of the ε that the counts really show, at confidence 1 − 1e-6 a case:
Clopper–Pearson bounds, Bonferroni over all ordered pairs of truths and all reports.
Above the realised ε: the mechanism leaks more than it says. Far below: it lies more than it says.
Beside that, every count, and the number of truths told in all, must fit its exact probability, at the
same confidence.
"""

from dataclasses import asdict, dataclass
from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

from privacy.mechanisms.catalogue import mechanism_from

ALPHA = 1e-6  # false alarms: of a case's certified ε, and again of its fit
FULL = 10_000_000  # the size for which the shares below are asked
SHARE, SHARE_AT_LEAST_EPSILON = 0.97, 0.94  # at 0.5 and below, 0.94
Counts = NDArray[np.int64]
Bounds = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the audit's table."""

    language: str
    mechanism: dict[str, Any]
    n: int
    realised: float
    certified: float
    required: float  # the least that the certified ε must be
    fits: bool

    @property
    def draws(self) -> int:
        """How many reports were drawn."""
        return self.n * int(self.mechanism["choices"])

    @property
    def passed(self) -> bool:
        """Whether the mechanism keeps its promise and no more than its promise, as far as this size can tell."""
        return self.fits and self.required <= self.certified <= self.realised

    @property
    def small(self) -> bool:
        """Whether fewer were drawn than the full size: then passing certifies less than the audit asks for."""
        return self.n < FULL

    @property
    def verdict(self) -> str:
        """Say in a word or two how it ended; a small run never passes for the full one."""
        return ("pass" if self.passed else "FAIL") + (" (small)" if self.small else "")

    def as_json(self) -> dict[str, Any]:
        """Return the line for var/audit.json."""
        share = round(self.certified / self.realised, 6)
        judged = {"passed": self.passed, "full": not self.small, "verdict": self.verdict}
        return {**asdict(self), "size": self.n, "share": share, **judged}


def judge(language: str, case: dict[str, Any], alpha: float = ALPHA) -> Row:
    """Judge one case."""
    mechanism = mechanism_from(case["mechanism"])
    counts = np.array(case["counts"], dtype=np.int64).T  # row = report, like a channel
    n = int(case["n"])
    matrix = mechanism.channel().matrix
    if counts.shape != (len(matrix), len(matrix[0])) or (counts.sum(axis=0) != n).any() or (counts < 0).any():
        raise ValueError(f"the counts are not those of {n} draws a truth: {case['mechanism']}")
    realised = realised_epsilon(case["mechanism"])
    certified = certified_epsilon(counts, n, alpha)
    return Row(
        language=language,
        mechanism=case["mechanism"],
        n=n,
        realised=realised,
        certified=certified,
        required=required_share(realised, n) * realised,
        fits=fits(counts, n, np.array(matrix, dtype=float), alpha),
    )


def realised_epsilon(manifest: dict[str, Any]) -> float:
    """Return ε of the integers, read off the exact matrix."""
    ratio = mechanism_from(manifest).channel().ratio()
    assert ratio is not None
    return log(ratio.numerator) - log(ratio.denominator)


def certified_epsilon(counts: Counts, n: int, alpha: float = ALPHA) -> float:
    """Return the largest ln(P[r|t]/P[r|t']) that the counts prove, at least 0."""
    reports, truths = counts.shape
    events = reports * truths * (truths - 1)
    lower, upper = clopper_pearson(counts, n, alpha / (2 * events))
    with np.errstate(divide="ignore"):
        # A truth beside itself is no pair; where it is the largest and the smallest, the bound is below 0.
        return float(max(0.0, (np.log(lower).max(axis=1) - np.log(upper).min(axis=1)).max()))


def fits(counts: Counts, n: int, matrix: Bounds, alpha: float = ALPHA) -> bool:
    """Say whether each count, and the number of truths told in all, is a likely one for its probability."""
    tail = alpha / (2 * (counts.size + 1))
    lower, upper = clopper_pearson(counts, n, tail)
    # Every mechanism that is audited tells each truth equally often; together they show a small shift.
    told = np.diagonal(matrix)
    assert np.ptp(told) < 1e-12
    least, most = clopper_pearson(np.array([np.trace(counts)]), n * len(told), tail)
    return bool(((lower <= matrix) & (matrix <= upper)).all() and least[0] <= told[0] <= most[0])


def clopper_pearson(counts: Counts, n: int, tail: float) -> tuple[Bounds, Bounds]:
    """Return bounds of each probability, each wrong with at most the tail probability."""
    lower = np.where(counts == 0, 0.0, beta.ppf(tail, np.maximum(counts, 1), n - counts + 1))
    upper = np.where(counts == n, 1.0, beta.isf(tail, counts + 1, np.maximum(n - counts, 1)))
    return lower, upper


def required_share(realised: float, n: int) -> float:
    """Return the share of ε that must be certified; what is missing grows with 1/√n below the full size."""
    share = SHARE if realised > 0.5 else SHARE_AT_LEAST_EPSILON
    return max(0.0, 1 - (1 - share) * max(1.0, sqrt(FULL / n)))


def table(rows: list[Row]) -> str:
    """Return the audit as text, one line a case."""
    lines = [
        "language    mechanism     k        size   realised ε  certified ε   share  required  fits  verdict"
    ]
    for row in rows:
        manifest = row.mechanism
        lines.append(
            f"{row.language:<11} {manifest['name']:<12} {manifest['choices']:>3}  {row.n:>10}  {row.realised:>11.6f}"
            f"  {row.certified:>11.6f}  {row.certified / row.realised:>6.4f}"
            f"  {row.required / row.realised:>8.4f}  {'yes' if row.fits else 'NO':<4}"
            f"  {row.verdict}"
        )
    return "\n".join(lines)
