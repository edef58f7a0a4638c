"""What is left to spend, as an account may see it: an admin and an auditor the budgets, a researcher the own share."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from surveys.models import Budget, Share, Source
from surveys.permissions import may_read_audit
from surveys.services.ledger import MICRO, PICO


@dataclass(frozen=True, slots=True)
class Left:
    """A budget or share of one entity kind, in whole micro-ε; δ in units of 10⁻¹², None of a share."""

    entity: str
    total: int
    spent: int
    deltas: tuple[int, int] | None = None

    @property
    def left(self) -> int:
        """What is left, in micro-ε."""
        return self.total - self.spent

    @property
    def delta_left(self) -> int | None:
        """What is left of δ."""
        return None if self.deltas is None else self.deltas[0] - self.deltas[1]

    @property
    def used(self) -> str:
        """How much of it is spent, in per cent, for a drawing."""
        return "100" if self.total == 0 else f"{100 * self.spent / self.total:.2f}"


def left_of(user: Any, source: Source) -> Sequence[Left]:
    """Return what is left for each entity kind of a source."""
    if may_read_audit(user):
        budgets = Budget.objects.filter(source=source)
        return [Left(one.entity, one.total, one.spent, (one.delta_total, one.delta_spent)) for one in budgets]
    shares = Share.objects.filter(budget__source=source, researcher=user).select_related("budget")
    return [
        Left(one.budget.entity, min(one.total, one.budget.total), one.spent)
        for one in shares.order_by("budget__entity")
    ]


def micro_text(micro: int) -> str:
    """Return micro-ε as people write it, without idle zeros: 0.5, 10, 9.999999."""
    return plain(Decimal(micro) / MICRO)


def pico_text(pico: int) -> str:
    """Return δ as people write it: 0, 1e-6, 2.5e-9."""
    if pico == 0 or pico >= PICO // 100:
        return plain(Decimal(pico) / PICO)
    digits, power = f"{Decimal(pico) / PICO:e}".split("e")
    return f"{plain(Decimal(digits))}e{int(power)}"


def plain(number: Decimal) -> str:
    """Return a decimal without idle zeros and without a power of ten."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
