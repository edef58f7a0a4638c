"""Which column of a file fills which field of a respondent."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from surveys.errors import RowFinding
from surveys.models.participation import TRAITS

REFERENCE = "reference"
FIELDS = (REFERENCE, *TRAITS)
LABELS: Mapping[str, object] = {
    REFERENCE: _("Reference"),
    "region": _("Region"),
    "age_band": _("Age group"),
    "sex": _("Sex"),
    "language": _("Language"),
    "segment": _("Segment"),
}
# How the headers of files call the fields, in either language.
HEADERS: Mapping[str, tuple[str, ...]] = {
    REFERENCE: (
        "reference",
        "id",
        "external id",
        "참조",
        "참조번호",
        "식별번호",
        "식별자",
        "응답자번호",
        "번호",
    ),
    "region": ("region", "area", "지역", "거주지역", "시도"),
    "age_band": ("age band", "age group", "age", "연령대", "나이대", "연령"),
    "sex": ("sex", "gender", "성별"),
    "language": ("language", "언어", "사용언어"),
    "segment": ("segment", "group", "집단", "구분", "그룹", "세그먼트"),
}
_KNOWN = {name.replace(" ", ""): field for field, names in HEADERS.items() for name in names}


def fields_of(headers: Sequence[str], mapping: Mapping[str, str] | None = None) -> list[str | None]:
    """Return the field of each column (None: not read), as named by hand or else recognised."""
    if mapping is not None:
        return [mapping.get(header) for header in headers]
    return [_KNOWN.get(_plain(header)) for header in headers]


def _plain(header: str) -> str:
    # Of two columns with one name, the second carries its letter: both are meant, and refused.
    name, _, letter = header.rpartition(" [")
    plain = name if name and letter.endswith("]") and letter[:-1].isupper() else header
    return "".join(plain.lower().replace("_", " ").split())


def columns_wrong(
    headers: Sequence[str],
    fields: Sequence[str | None],
    mapping: Mapping[str, str] | None,
    declared: Collection[str],
) -> Iterator[RowFinding]:
    """Yield what keeps the columns from filling the fields of a panel that declares these traits."""
    for named, wanted in (mapping or {}).items():
        if named not in headers or wanted not in FIELDS:
            yield RowFinding(1, named, "column-unknown")
    if REFERENCE not in fields:
        yield RowFinding(1, "", "column-missing")
    for at, (header, field) in enumerate(zip(headers, fields, strict=True)):
        if field is not None and field in fields[:at]:
            yield RowFinding(1, header, "column-repeated")
        elif field in TRAITS and field not in declared:
            yield RowFinding(1, header, "column-undeclared")
