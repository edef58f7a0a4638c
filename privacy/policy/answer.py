"""Answers: numbers are measured on data, hidden in noise of the sensitivity inferred, and only then worked on."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from privacy.policy.after import Cell, Given, Row, evaluate
from privacy.policy.compile import Cells, Compiler, Execute, Measure, measure_of
from privacy.policy.estimates import Estimate, Interval, Noisy, estimate
from privacy.policy.expected import half_width
from privacy.policy.expressions import Attribute, Expression
from privacy.policy.groups import MOST_GROUPS, groups_of
from privacy.policy.keys import KeySource
from privacy.policy.noise import Noise
from privacy.policy.quantiles import Quantile
from privacy.policy.sensitivity import Part, Sensitivity, unit_of
from privacy.policy.shares import Hidden, hidden
from privacy.policy.sql import Query
from privacy.policy.values import Value

Counts = Mapping[int, int]


@dataclass(frozen=True)
class Measured:
    """What data says, exactly: to be shown to nobody."""

    query: Query
    sensitivities: tuple[Sensitivity, ...]
    groups: Sequence[Cells]
    numbers: Mapping[Measure, Mapping[Cells, int]]
    ranks: Mapping[Expression, Mapping[Cells, Counts]]
    beside: Row


@dataclass(frozen=True, slots=True)
class PartNote:
    """How a part of a figure was hidden: sensitivity (L1), scale and half of its interval in the argument's numbers.

    Of a rank they are in rows: the value that was drawn stands so many rows from the one asked for, at most, with 95 %.
    """

    figure: str
    law: Literal["none", "laplace", "gaussian", "exponential"]
    sensitivity: Fraction
    scale: Fraction | None
    half_width: Fraction
    epsilon: Fraction
    rho: Fraction | None

    @property
    def public(self) -> bool:
        """Whether it is exact."""
        return self.law == "none"


@dataclass(frozen=True, slots=True)
class FigureNote:
    """A figure that was asked for: its sensitivity, what it cost, and how its parts were hidden."""

    name: str
    function: str
    sensitivity: Fraction
    epsilon: Fraction
    public: bool
    parts: tuple[PartNote, ...]


@dataclass(frozen=True)
class Answer:
    """Rows of noisy figures; the 95 % interval of a plain figure stands in its place in `intervals`.

    `epsilon` is what the answer costs: what was asked, or nothing if all is public.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    intervals: tuple[tuple[Interval | None, ...], ...]
    figures: tuple[FigureNote, ...]
    epsilon: Fraction
    delta: Fraction | None

    @property
    def public(self) -> bool:
        """Whether every figure is exact."""
        return all(one.public for one in self.figures)


def answer(
    query: Query,
    sensitivities: Sequence[Sensitivity],
    sources: Sequence[KeySource],
    *,
    epsilon: Fraction,
    delta: Fraction | None = None,
    execute: Execute,
    compiler: Compiler,
    noise: Noise,
    weights: Sequence[int] | None = None,
) -> Answer:
    """Return the answer of a query at ε, with Laplace noise, or at (ε, δ) with Gaussian.

    `execute` runs a statement and gives rows. Raises QueryRefused where no such noise exists or there are too many
    groups, and whatever `execute` does.
    """
    found = hidden(sensitivities, epsilon, delta, weights)
    return answered(measured(query, sensitivities, sources, execute, compiler), found, noise)


def measured(
    query: Query,
    sensitivities: Sequence[Sensitivity],
    sources: Sequence[KeySource],
    execute: Execute,
    compiler: Compiler,
    most: int = MOST_GROUPS,
) -> Measured:
    """Run the statements of a query."""
    groups = groups_of(query.root, sources, compiler, execute, most)
    parts = [(one, part) for one in sensitivities for part in one.parts]
    numbers = list(dict.fromkeys(measure_of(*pair) for pair in parts if pair[1].figure != "rank"))
    ranked = dict.fromkeys(one.aggregate.argument for one, part in parts if part.figure == "rank")
    return Measured(
        query,
        tuple(sensitivities),
        groups,
        compiler.figures(query.root, numbers).measured(execute) if numbers else {},
        {one: compiler.ranks(query.root, one).measured(execute) for one in ranked if one is not None},
        _beside(query, compiler, execute),
    )


def _beside(query: Query, compiler: Compiler, execute: Execute) -> Row:
    found: dict[Attribute, Cell] = {}
    for node in query.beside:
        (row,) = compiler.rows(node).read(execute)
        found.update({one: cell_of(value, one) for one, value in zip(node.attributes, row, strict=True)})
    return found


def cell_of(value: Value | None, attribute: Attribute) -> Cell:
    """Return a value as an answer shows it: numbers of units become numbers."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value, 10**attribute.scale)
    return value


def answered(data: Measured, found: Hidden, noise: Noise) -> Answer:
    """Return the answer of what was measured: noise is drawn here, once."""
    drawn = _Drawn(data, found, noise)
    estimates = {one.aggregate.attribute: drawn.estimates(one) for one in data.sensitivities}
    given = [
        (_row(data, at, estimates), {one: values[at].interval for one, values in estimates.items()})
        for at in range(len(data.groups))
    ]
    after = data.query.after
    intervals = {id(row): between for row, between in given}
    rows = after.rows([row for row, _ in given])
    return Answer(
        tuple(name for name, _ in after.outputs),
        tuple(tuple(evaluate(term, row) for _, term in after.outputs) for row in rows),
        tuple(
            tuple(
                intervals[id(row)].get(term.attribute) if isinstance(term, Given) else None
                for _, term in after.outputs
            )
            for row in rows
        ),
        tuple(_note(one, found) for one in data.sensitivities),
        found.epsilon,
        found.delta,
    )


def _row(data: Measured, at: int, estimates: Mapping[Attribute, "Sequence[_Shown]"]) -> Row:
    keys = zip(data.query.root.keys, data.groups[at], strict=True)
    shown = {one: cell_of(value, one) for one, value in keys}
    return {**data.beside, **shown, **{one: values[at].value for one, values in estimates.items()}}


@dataclass(frozen=True, slots=True)
class _Shown:
    value: Cell
    interval: Interval | None


class _Drawn:
    """The noisy numbers of all groups: a number that two figures need is hidden once, at what both pay."""

    def __init__(self, data: Measured, found: Hidden, noise: Noise) -> None:
        self._data, self._found, self._noise = data, found, noise
        self._numbers = {one: self._number(one) for one in data.numbers}

    def estimates(self, one: Sensitivity) -> Sequence[_Shown]:
        """Return a figure of every group."""
        if one.parts[0].figure == "rank":
            return [_Shown(self._ranked(one, key), None) for key in self._data.groups]
        numbers = [self._noisy(one, part) for part in one.parts]
        rows = zip(*(values for _, values in numbers), strict=True)
        names = [name for name, _ in numbers]
        made = [estimate(one.aggregate, dict(zip(names, row, strict=True))) for row in rows]
        return [_shown(each) for each in made]

    def _number(self, one: Measure) -> Sequence[int]:
        values = [self._data.numbers[one].get(key, 0) for key in self._data.groups]
        law = self._found.laws.get(one)
        return values if law is None else self._noise.added(values, law)

    def _noisy(self, one: Sensitivity, part: Part) -> tuple[str, Sequence[Noisy]]:
        wide, unit = half_width(one, part, self._found), unit_of(one.aggregate, part)
        values = [value * unit for value in self._numbers[measure_of(one, part)]]
        return part.figure, [Noisy(value, Interval(value - wide, value + wide)) for value in values]

    def _ranked(self, one: Sensitivity, key: Cells) -> Cell:
        argument, place = one.aggregate.argument, one.aggregate.quantile
        assert argument is not None
        assert argument.bounds is not None
        assert place is not None
        counts = self._data.ranks[argument].get(key, {})
        rate = self._found.rates.get(one.aggregate)
        if rate is None:
            value = Quantile(argument.bounds, place, Fraction(0)).exact(counts)
        else:
            value = Quantile(argument.bounds, place, rate).drawn(counts, self._noise.bits)
        if value is not None and argument.kind == "date":
            return datetime.date.fromordinal(value)
        return None if value is None else Fraction(value, 10**argument.scale)


def _shown(one: Estimate) -> _Shown:
    return _Shown(one.value, one.interval)


def _note(one: Sensitivity, found: Hidden) -> FigureNote:
    parts = tuple(_part_note(one, at, part, found) for at, part in enumerate(one.parts))
    paid = sum((part.epsilon for part in parts), Fraction(0))
    name, function = one.aggregate.attribute.name, one.aggregate.function
    return FigureNote(name, function, one.l1, paid, one.public, parts)


def _part_note(one: Sensitivity, at: int, part: Part, found: Hidden) -> PartNote:
    unit = unit_of(one.aggregate, part)
    if part.public:
        return PartNote(part.figure, "none", Fraction(0), None, Fraction(0), Fraction(0), None)
    share = found.shares[one.aggregate, at]
    rho = None if found.rho is None else found.rho * share
    wide, paid = half_width(one, part, found), found.epsilon * share
    if part.figure == "rank":
        scale = 2 / found.rates[one.aggregate]
        return PartNote("rank", "exponential", Fraction(part.l1), scale, wide, paid, rho)
    scale = Fraction(found.laws[measure_of(one, part)].scale) * unit
    kind: Literal["laplace", "gaussian"] = "laplace" if rho is None else "gaussian"
    return PartNote(part.figure, kind, part.l1 * unit, scale, wide, paid, rho)
