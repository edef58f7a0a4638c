"""The calculator: one case as JSON in, shares with their errors as JSON out."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from privacy.accounting import published_epsilon
from privacy.channel import Channel
from privacy.errors import PrivacyError
from privacy.estimation.debias import Floats, Support, invert, multinomial_covariance, observed_shares
from privacy.estimation.figures import rounded, rounded_outward
from privacy.estimation.intervals import Interval, sampling_part, share_interval, spread_of
from privacy.estimation.profile import profile_intervals
from privacy.estimation.simplex import expectation_maximisation, maximum_likelihood
from privacy.mechanisms.catalogue import configure, mechanism_from

Json = dict[str, Any]

_KEYS = {"id", "channel", "counts", "level", "population", "variance"}
_JOINT_KEYS = {"id", "channels", "table"}
_FORMS = ("matrix", "protocol", "p_yes_if_yes")
_ROUNDING = 1e-6  # columns of a printed matrix add up to one only as far as it was printed
_MOST_ANSWERS = 256
_MOST_REPORTS = (1 << 53) - 1  # of one answer: JSON's numbers are exact up to here
_NUMBER = re.compile(r"[0-9]{1,20}(\.[0-9]{1,40})?(e-[0-9]{1,3})?|[0-9]{1,20}/[1-9][0-9]{0,19}")


class CaseInvalid(PrivacyError):
    """A case cannot be calculated; `where` is the path of the field that is wrong."""

    code = "case-invalid"

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where
        self.why = why


@dataclass(frozen=True, slots=True)
class _Target:
    """Whom the estimates are about."""

    level: float
    g: float

    @property
    def is_endless(self) -> bool:
        return self.g == 1


def calculate(case: object) -> Json | list[Json]:
    """Answer one case, or a list of cases with a list of answers.

    Errors: CaseInvalid names the field, with its place in a list.
    """
    if not isinstance(case, list):
        return _answer(case, "")
    return [_answer(one, f"[{place}].") for place, one in enumerate(case)]


def _answer(case: object, prefix: str) -> Json:
    try:
        if not isinstance(case, Mapping):
            _refuse("case", "must be an object")
        given = {"id": case["id"]} if "id" in case else {}
        return given | (_joint(case) if "channels" in case or "table" in case else _single(case))
    except CaseInvalid as invalid:
        raise CaseInvalid(prefix + invalid.where, invalid.why) from None


def _single(case: Mapping[str, Any]) -> Json:
    _known_keys(case, _KEYS)
    channel = _channel(case.get("channel"), "channel")
    counts = _counts(case.get("counts"), channel.truths, "counts")
    target = _target(case, sum(counts))
    n, ratio = sum(counts), channel.ratio()
    answers = _estimates(channel, counts, target)
    shares = [answer["unbiased"] for answer in answers if answer["unbiased"] is not None]
    notes = {
        "no-reports": n == 0,
        "infinite-epsilon": ratio is None,
        "negative-estimate": any(share < 0 for share in shares),
        "estimate-above-one": any(share > 1 for share in shares),
        "interval-for-a-population": not target.is_endless
        and channel.truths > 2
        and _rates(channel, 0) is None,
    }
    return {
        "n": n,
        "epsilon": None if ratio is None else published_epsilon(ratio),
        "observed": [rounded(share) if n else None for share in observed_shares(counts)],
        "estimates": answers,
        "notes": [code for code, holds in notes.items() if holds],
    }


def _estimates(channel: Channel, counts: list[int], target: _Target) -> list[Json]:
    matrix = _floats(channel)
    shares, covariance = invert(matrix, counts)
    best = _best(channel, matrix, counts, shares)
    intervals = _intervals(channel, counts, target)
    errors = np.sqrt(np.maximum(0, np.diag(covariance)))
    answers = []
    for truth, interval in enumerate(intervals):
        answer: Json = {
            "unbiased": rounded(shares[truth]) if sum(counts) else None,
            "standard_error": rounded(errors[truth]) if sum(counts) else None,
            "interval": rounded_outward(interval),
            "interval_method": interval.method,
            "maximum_likelihood": rounded(best[truth]) if sum(counts) else None,
        }
        rates = _rates(channel, truth)
        if not target.is_endless and rates and sum(counts):
            variance = spread_of(sum(counts), *rates, target.g).at(float(shares[truth]))
            answer["standard_error_of_target"] = rounded(max(0.0, variance) ** 0.5)
        answers.append(answer)
    return answers


def _best(channel: Channel, matrix: Floats, counts: list[int], shares: Floats) -> Floats:
    """The maximum-likelihood shares, in closed form where there is one."""
    if channel.truths == 2 and any(counts):
        # The likelihood of a binomial has its maximum at the nearest possible share.
        return np.clip(shares, 0, 1)
    p, q = channel.matrix[0][:2]
    if p > q and all(
        chance == (p if r == t else q) for r, row in enumerate(channel.matrix) for t, chance in enumerate(row)
    ):
        return np.array(maximum_likelihood(counts, Support(p, q, channel.truths)), dtype=np.float64)
    return expectation_maximisation(matrix, counts)


def _intervals(channel: Channel, counts: list[int], target: _Target) -> list[Interval]:
    n = sum(counts)
    if n == 0:
        return [Interval(0.0, 1.0, "none")] * channel.truths
    rates = [_rates(channel, truth) for truth in range(channel.truths)]
    if any(pair is None for pair in rates):
        return profile_intervals(_floats(channel), counts, target.level)
    return [
        share_interval(count, n, pair[0], pair[1], target.level, target.g)
        for count, pair in zip(counts, rates, strict=True)
        if pair is not None
    ]


def _rates(channel: Channel, truth: int) -> tuple[float, float] | None:
    """p and q of the report of the same name, where it is equally likely under all other truths."""
    row = channel.matrix[truth]
    others = {chance for place, chance in enumerate(row) if place != truth}
    return (float(row[truth]), float(others.pop())) if len(others) == 1 else None


def _joint(case: Mapping[str, Any]) -> Json:
    _known_keys(case, _JOINT_KEYS)
    given = case.get("channels")
    if not isinstance(given, list) or len(given) != 2:
        _refuse("channels", "must be a list of two channels")
    first, second = (_channel(one, f"channels[{place}]") for place, one in enumerate(given))
    table = case.get("table")
    if not isinstance(table, list) or len(table) != first.truths:
        _refuse("table", f"must be a list of {first.truths} rows")
    rows = [_counts(row, second.truths, f"table[{place}]") for place, row in enumerate(table)]
    cells = [count for row in rows for count in row]
    if not sum(cells):
        _refuse("table", "must hold at least one report")
    matrix = np.asarray(np.kron(_floats(first), _floats(second)), dtype=np.float64)
    # Inverting the two small channels inverts their product.
    back = np.kron(np.linalg.inv(_floats(first)), np.linalg.inv(_floats(second)))
    observed = observed_shares(cells)
    errors = np.sqrt(np.diag(back @ multinomial_covariance(observed, sum(cells)) @ back.T))
    return {
        name: [[rounded(value) for value in row] for row in values.reshape(first.truths, second.truths)]
        for name, values in (
            ("unbiased", back @ observed),
            ("standard_errors", errors),
            ("maximum_likelihood", expectation_maximisation(matrix, cells)),
        )
    }


def _channel(given: object, where: str) -> Channel:
    if not isinstance(given, Mapping):
        _refuse(where, "must be an object")
    forms = [form for form in _FORMS if form in given]
    if len(forms) != 1:
        _refuse(where, "must have exactly one of matrix, protocol, p_yes_if_yes with p_yes_if_no")
    make = {"matrix": _matrix, "protocol": _protocol, "p_yes_if_yes": _yes_no}[forms[0]]
    channel = make(given, where)
    if np.linalg.matrix_rank(_floats(channel)) < channel.truths:
        _refuse(where, "cannot be inverted: its reports do not tell the truths apart")
    return channel


def _matrix(given: Mapping[str, Any], where: str) -> Channel:
    _known_keys(given, {"matrix"}, where)
    rows, where = given["matrix"], f"{where}.matrix"
    if not isinstance(rows, list) or not 2 <= len(rows) <= _MOST_ANSWERS:
        _refuse(where, f"must be a list of 2 to {_MOST_ANSWERS} rows, one a report")
    if any(not isinstance(row, list) or len(row) != len(rows) for row in rows):
        _refuse(where, "must be square: one row a report, one column a truth")
    chances = [
        [_chance(value, f"{where}[{r}][{t}]") for t, value in enumerate(row)] for r, row in enumerate(rows)
    ]
    sums = [sum(column) for column in zip(*chances, strict=True)]
    for truth, total in enumerate(sums):
        if abs(total - 1) > _ROUNDING:
            _refuse(where, f"column {truth} adds up to {float(total):.9g}, not to 1")
    return Channel(
        tuple(tuple(value / total for value, total in zip(row, sums, strict=True)) for row in chances)
    )


def _yes_no(given: Mapping[str, Any], where: str) -> Channel:
    _known_keys(given, {"p_yes_if_yes", "p_yes_if_no"}, where)
    names = ("p_yes_if_yes", "p_yes_if_no")
    return Channel.yes_no(*(_chance(given.get(name), f"{where}.{name}") for name in names))


def _protocol(given: Mapping[str, Any], where: str) -> Channel:
    name = given["protocol"]
    if name not in ("spinner", "spinner-coin", "coin"):
        _refuse(
            f"{where}.protocol",
            f"{name!r:.40} is not one of spinner, spinner-coin, coin (others are not built yet)",
        )
    wanted = ("tosses", "truth", "choices") if name == "coin" else ("epsilon", "choices")
    _known_keys(given, {"protocol", *wanted}, where)
    for field in wanted:
        if field not in given:
            _refuse(f"{where}.{field}", "is missing")
    try:
        if name == "coin":
            fields = {"choices": given["choices"], "tosses": given["tosses"], "num": given["truth"]}
            return mechanism_from({"name": "coin", **fields}).channel()
        return configure(name, given["epsilon"], given["choices"]).channel()
    except PrivacyError as refused:
        _refuse(where, str(refused))


def _chance(value: object, where: str) -> Fraction:
    if isinstance(value, bool) or not _NUMBER.fullmatch(str(value)):
        _refuse(where, 'must be a number from 0 to 1 (or a fraction as text, such as "1/6")')
    # From the decimal text: what was typed as 0.1 is a tenth.
    chance = Fraction(str(value))
    if not 0 <= chance <= 1:
        _refuse(where, "must lie between 0 and 1")
    return chance


def _counts(given: object, answers: int, where: str) -> list[int]:
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != answers:
        _refuse(where, f"must be a list of {answers} counts, one for each answer")
    for place, count in enumerate(given):
        if type(count) is not int or not 0 <= count <= _MOST_REPORTS:
            _refuse(f"{where}[{place}]", f"must be a whole number from 0 to {_MOST_REPORTS}")
    return list(given)


def _target(case: Mapping[str, Any], n: int) -> _Target:
    level, population = case.get("level", 0.95), case.get("population")
    variance = case.get("variance", "population")
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0.5 <= level <= 0.999999:
        _refuse("level", "must be a number from 0.5 to 0.999999")
    if population is not None and (type(population) is not int or population < max(1, n)):
        _refuse("population", "must be a whole number, not below the number of reports")
    if variance not in ("population", "respondents"):
        _refuse("variance", 'must be "population" or "respondents"')
    return _Target(float(level), sampling_part(n, population, variance == "respondents"))


def _floats(channel: Channel) -> Floats:
    return np.array(channel.matrix, dtype=np.float64)


def _known_keys(given: Mapping[str, Any], known: set[str], where: str = "") -> None:
    if unknown := sorted(map(str, set(given) - known)):
        _refuse(f"{where}.{unknown[0]}" if where else unknown[0], "is not a field of this kind of case")


def _refuse(where: str, why: str) -> NoReturn:
    raise CaseInvalid(where, why)
