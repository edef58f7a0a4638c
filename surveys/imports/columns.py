"""Which column of a file fills which field of a respondent."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from surveys.errors import RowFinding
from surveys.imports.table import Table
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
# How the headers of files call the fields, in either language; capitals, spaces and underscores do not matter.
# No header of a name is among them: names are not kept.
HEADERS: Mapping[str, str] = {
    REFERENCE: "번호, 식별번호, 식별자, 아이디, 참조번호, 참조, 응답자번호, 학번, 학생번호, 사번, 사원번호, 직원번호, "
    "환자번호, 회원번호, 고객번호, reference, id, external id, student id, employee id, member id",
    "region": "지역, 지역명, 거주지역, 거주지, 시도, 시군구, 권역, 도시, region, area, city, province",
    "age_band": "연령대, 나이, 나이대, 연령, 연령층, 만나이, age group, age band, age",
    "sex": "성별, sex, gender",
    "language": "언어, 사용언어, 모국어, language",
    "segment": "집단, 구분, 그룹, 세그먼트, 학년, 반, 학급, 학과, 전공, 부서, 소속, 팀, 직급, 직위, 직책, 직종, 직군, "
    "직업, segment, group, grade, class, department, team, rank, position, job",
}
_KNOWN = {name.replace(" ", ""): field for field, names in HEADERS.items() for name in names.split(", ")}


def fields_of(headers: Sequence[str], mapping: Mapping[str, str] | None = None) -> list[str | None]:
    """Return the field of each column (None: not read), as named by hand or else recognised."""
    if mapping is not None:
        return [mapping.get(header) for header in headers]
    return [_KNOWN.get(_plain(header)) for header in headers]


def fields_once(headers: Sequence[str]) -> list[str | None]:
    """Return the recognised field of each column, each field by the first column that is called so."""
    fields = fields_of(headers)
    return [None if field in fields[:at] else field for at, field in enumerate(fields)]


def columns_unread(table: Table, fields: Sequence[str | None]) -> list[str]:
    """Return the headers of the columns that hold something and fill no field."""
    unread = [at for at, field in enumerate(fields) if field is None]
    held = {at for _, cells in table.rows for at in unread if at < len(cells) and cells[at]}
    return [table.headers[at] for at in sorted(held)]


def headers_known() -> list[tuple[object, str]]:
    """Return each field with the headers that are recognised as it, for people to read."""
    return [(LABELS[field], names) for field, names in HEADERS.items()]


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
            yield RowFinding(1, header, "column-repeated", (("field", LABELS[field]),))
        elif field in TRAITS and field not in declared:
            yield RowFinding(1, header, "column-undeclared", (("field", LABELS[field]),))
