"""The demo's panel: 480 invented students of an invented school, so that the console has something to ask about."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from surveys.models import Organisation, Panel, Source
from surveys.models.participation import TRAITS
from surveys.services.ledger import MICRO, share_set
from surveys.services.panels import panel_create, panel_import
from surveys.sources.service import NAME

PANEL = "hanbit-students"
DOMAINS = {
    "region": ["서울", "경기", "인천"],
    "age_band": ["15", "16", "17", "18"],
    "sex": ["여", "남"],
    "language": ["ko", "en"],
    "segment": ["1학년", "2학년", "3학년"],
}
STUDENTS = 480
SHARE = 3 * MICRO  # of the researcher


def demo_panel_make(owner: Any, researcher: Any) -> None:
    """Make the school and its panel, and let the researcher ask about it, unless the panel is there."""
    if Panel.objects.filter(name=PANEL).exists():
        return
    school, _ = Organisation.objects.get_or_create(
        name="한빛고등학교 (Hanbit High School)",
        defaults={"kind": Organisation.Kind.SCHOOL, "region": "서울"},
    )
    panel = panel_create(actor=owner, organisation=school, name=PANEL, domains=DOMAINS)
    panel_import(actor=owner, panel=panel, data=_file().encode())
    share_set(actor=owner, source=Source.objects.get(name=NAME), researcher=researcher, total=SHARE)


def _file() -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("reference", *TRAITS))
    writer.writerows(_students())
    return out.getvalue()


def _students() -> Iterator[tuple[str, ...]]:
    for number in range(1, STUDENTS + 1):
        year = number % 3
        yield (
            f"H{number:04d}",
            DOMAINS["region"][0 if number % 8 < 5 else 1 + number % 2],
            DOMAINS["age_band"][year + (number % 5 == 0)],
            DOMAINS["sex"][number % 25 < 12],
            DOMAINS["language"][number % 16 == 0],
            DOMAINS["segment"][year],
        )
