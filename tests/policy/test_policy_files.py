"""A file says what a source is; whatever is wrong with it is refused with its line and the reason."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.policy.documents import document_from
from privacy.policy.errors import DocumentInvalid, PolicyInvalid, PolicyLayerError, SchemaInvalid
from privacy.policy.files import policies_from, source_from
from privacy.policy.labels import Del, Policy, Rep, policy_from

GOOD = """\
# A school, as its curator describes it.
schema:
  학생:
    key: [id]
    columns:
      id: {type: integer}
      major: {type: text, domain: [no, "수학", 01-a]}
      born:
        type: date
        bounds: [1990-01-01, 2010-12-31]
  grade:
    key: [student, course]
    columns:
      student: {type: integer}
      course: {type: integer, bounds: [0, 99]}
      mark: {type: decimal, scale: 1, bounds: [0, 4.5], nullable: true}
    foreign_keys:
      - columns: [student]
        references: 학생
        to: [id]
        max_rows: 6
policy:
  entity: 학생
  labels:
    학생: DEL
    grade:
      REP: [student, mark]
  max_rows_per_entity:
    grade: 5
"""


def refused(text: str) -> tuple[type[PolicyLayerError], str, int | None]:
    with pytest.raises(PolicyLayerError) as caught:
        source_from(text)
    found = caught.value
    assert isinstance(found, DocumentInvalid | SchemaInvalid | PolicyInvalid)
    return type(found), str(found), found.line


def test_a_file_gives_schema_and_policy() -> None:
    found = source_from(GOOD)
    (policy,) = found.policies
    assert list(found.schema.relations) == ["학생", "grade"]
    assert found.schema.relations["학생"].columns["major"].domain == ("no", "수학", "01-a")
    assert (policy.owned["grade"], policy.label("grade")) == (5, Rep(frozenset({"student", "mark"})))


def test_json_and_yaml_say_the_same() -> None:
    described = document_from(GOOD).value
    assert document_from(json.dumps(described, indent="\t")).value == described
    assert source_from(json.dumps(described)).schema == source_from(GOOD).schema


def test_the_studys_schemas_and_policies_are_read_as_they_are() -> None:
    cases = json.loads(Path(__file__).with_name("cases.json").read_text())
    for name, policy in cases["policies"].items():
        text = json.dumps({"schema": cases["schemas"][name.split("/")[0]], "policy": policy}, indent=1)
        if name == "university/broken":
            assert refused(text)[0] is PolicyInvalid
        else:
            assert source_from(text).policies[0].entity == policy["entity"]


def test_several_kinds_of_entities_have_a_policy_each() -> None:
    both = GOOD.replace("policy:\n", "policies:\n  pupils:\n").replace("  entity", "    entity")
    head, tail = both.split("pupils:\n")
    by_name = f"{head}pupils:\n" + "".join(f"  {line}\n" for line in tail.splitlines())
    listed = {**document_from(GOOD).value}
    kinds = [listed.pop("policy"), {"entity": "grade", "labels": "unbounded"}]
    text = json.dumps({**listed, "policies": kinds})
    assert [one.entity for one in source_from(text).policies] == ["학생", "grade"]
    assert [one.entity for one in source_from(by_name.replace("      entity", "    entity")).policies] == [
        "학생"
    ]
    twice = json.dumps({**listed, "policies": [kinds[0], kinds[0]]}, indent=1)
    assert "학생 has a policy already" in refused(twice)[1]


@pytest.mark.parametrize(
    ("which", "label"), [("unbounded", Del()), ("bounded", Rep(frozenset({"id", "major", "born"})))]
)
def test_the_uniform_policies_have_names(which: str, label: Any) -> None:
    schema = source_from(GOOD).schema
    assert policy_from({"entity": "학생", "labels": which}, schema).label("학생") == label


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("references: 학생", "references: pupil", 19, "there is no relation pupil"),
        ("to: [id]", "to: [major]", 20, "expected the key of 학생: id"),
        ("to: [id]", "to: [id, major]", 20, "as many columns"),
        ("[student]\n", "[pupil]\n", 18, "there is no column pupil"),
        ("max_rows: 6", "max_rows: 0", 21, "a whole number, 1 or more"),
        ("max_rows: 6", "max_rows: -1", 21, "a whole number, 1 or more"),
        ("max_rows: 6", "max_rows: 1.5", 21, "a whole number, 1 or more"),
        ("max_rows: 6", "max_rows: true", 21, "a whole number, 1 or more"),
        ("max_rows: 6", "max_row: 6", 21, "unknown; expected one of"),
        ("key: [id]\n", "key: [name]\n", 4, "there is no column name"),
        ("key: [id]\n", "key: [id, id]\n", 4, "id is named twice"),
        ("id: {type: integer}", "id: {type: integer, nullable: true}", 4, "id may be NULL, a key never is"),
        ("id: {type: integer}", "id: {type: text}", 18, "of different types"),
        ("id: {type: integer}", "id: {type: serial}", 6, "expected one of integer, decimal"),
        ("id: {type: integer}", "id: {type: [integer]}", 6, "expected one of integer, decimal"),
        ("id: {type: integer}", "id: {type: integer, scale: 1}", 6, "only decimals"),
        ("id: {type: integer}", "id: {type: integer, unique: true}", 6, "unknown; expected one of"),
        ("id: {type: integer}", "id: integer", 6, "expected bounds, domain"),
        ("id: {type: integer}", "ID: {type: integer}\n      id: {type: integer}", 7, "in capitals only"),
        ("bounds: [0, 99]", "bounds: [99, 0]", 15, "reversed: 99 is more than 0"),
        ("bounds: [0, 99]", "bounds: [0, 9223372036854775808]", 15, "does not fit into 64 bits"),
        ("bounds: [0, 99]", "bounds: [0]", 15, "expected [lowest, highest]"),
        ("bounds: [0, 99]", "bounds: [0, 1e99]", 15, "is not a number of at most"),
        ("bounds: [0, 99]", "bounds: [0, .inf]", 15, "'.inf' is not a number"),
        ("bounds: [0, 99]", "bounds: [0, 99], domain: [7, 100]", 15, "lies outside the bounds"),
        ("bounds: [0, 99]", "domain: {range: [0, 1000000]}", 15, "more than 100000 values"),
        ("bounds: [0, 4.5]", "bounds: [0, 4.55]", 16, "more than 1 digits after the point"),
        ("scale: 1", "scale: 10", 16, "0 to 9"),
        ("scale: 1", "scale: true", 16, "0 to 9"),
        ("nullable: true", "nullable: perhaps", 16, "expected true or false"),
        ("2010-12-31", "2010-02-30", 10, "is not a date like"),
        ("[no, ", "[3, ", 7, "3 is not a value of type text"),
        ("[no, ", '["수학", ', 7, "'수학' is listed twice"),
        ("[no, ", '["\\0", ', 7, "U+0000"),
        ("  학생:\n    key", "  x\x7fx:\n    key", 3, "control character"),
        ("  학생:\n    key", f"  {'x' * 64}:\n    key", 3, "at most 63 bytes"),
        ("entity: 학생", "entity: pupil", 23, "there is no relation pupil"),
        ("entity: 학생", "entity: [pupil]", 23, "expected the name of a relation"),
        ("    key: [id]\n", "", 19, "expected the key of 학생"),
        ("    학생: DEL\n", "", 24, "a relation is never taken to be public"),
        ("학생: DEL", "학생: PUB", 25, "the entity's own relation would be public"),
        ("학생: DEL", "학생: del", 25, "expected DEL, PUB, or REP"),
        ("학생: DEL", "학생: {REP: []}", 25, "expected a list of columns"),
        ("학생: DEL", "학생: {REP: [name]}", 25, "there is no column name"),
        ("학생: DEL", "학생: DEL\n    teacher: PUB", 26, "there is no such relation"),
        ("REP: [student, mark]", "REP: [mark]", 26, "so grade must be DEL, or REP with student replaced"),
        ("REP: [student, mark]", "REP: [mark, mark]", 27, "mark is named twice"),
        ("grade: 5", "grade: 0", 29, "a whole number, 1 or more"),
        ("grade: 5", "teacher: 5", 29, "there is no such relation"),
        ("max_rows_per_entity", "max_row_per_entity", 28, "unknown; expected entity, labels"),
        ("policy:\n", "policy:\n  entity: 학생\n", 24, "given twice, first in line 23"),
        ("policy:\n", "polity:\n", 22, "unknown; expected one of schema"),
        ("schema:\n", "tables: {teacher: t}\nschema:\n", 2, "there is no such relation"),
        ("schema:\n", "tables: {학생: a.b.c}\nschema:\n", 2, "expected table, or schema.table"),
        ("schema:\n", "tables: {학생: Grade}\nschema:\n", 2, "is the table of 학생 as well"),
        ("schema:\n", "tables: {학생: public.grade}\nschema:\n", 2, "is the table of 학생 as well"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(old: str, new: str, line: int, told: str) -> None:
    assert old in GOOD
    _, said, where = refused(GOOD.replace(old, new, 1))
    assert told in said
    assert where == line
    assert f"(line {line})" in said


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("a: &b [1]\nc: *b\n", 2, "refers to another part, *b: write it out"),
        ("a: 1\nb: !!python/name:os.system x\n", 2, "leave it out"),
        ("a: 1\n---\nb: 2\n", 2, "a second document begins"),
        ("a:\n\t- b\n", 2, "cannot start any token"),
        ("a: 'b\n", 2, "unexpected end of stream"),
        ("a: 1\n? [b]\n: c\n", 2, "a name was expected"),
        ("a: 1\nb: \x07\n", 2, "a control character"),
        ("a: 1\nb: \ud800\n", 2, "half of a character"),
        ("a:\n- 0.12345678901234567890\n", 2, "quote it"),
        ("a:\n- " + "9" * 41, 2, "more than 40 digits"),
        ("- " * 100, 1, "nested more than 12 deep"),
        ('{\n"a": 1,\n"a": 2}', 3, "given twice, first in line 2"),
        ('{\n"a": NaN}', 2, "expected a value, found 'NaN}'"),
        ('{\n"a": 1,}', 2, "expected a name in double quotes"),
        ('{\n"a": "b\n"}', 2, "invalid control character"),
        ('{\n"a": "\\ud800"}', 2, "half of a character"),
        ('{"a": 1}\n\n}', 3, "something follows the end"),
        ("[" * 100_000, 1, "nested more than 12 deep"),
        ('{"a":' * 100_000, 1, "nested more than 12 deep"),
        ("x" * 1_000_001, None, "more than 1000000 characters"),
        ("", None, "expected schema, tables, policy, policies by name"),
        ("policy: {}", 1, "missing"),
        ("schema: []\npolicy: {}", 1, "expected relations by name"),
        ('{"schema": {"t": {"columns": {"a": {"type": "text"}}}}}', 1, "a source needs a policy"),
        ("policies: []\nschema: {t: {columns: {a: {type: text}}}}", 1, "expected a list of policies"),
    ],
)
def test_a_text_that_is_no_document_is_refused(text: str, line: int | None, told: str) -> None:
    _, said, where = refused(text)
    assert told in said
    assert where == line


def test_capitals_and_long_names_are_the_only_trouble_with_names() -> None:
    odd = 'a"b.c; DROP TABLE t --'
    text = json.dumps(
        {
            "schema": {odd: {"columns": {"x": {"type": "text"}}, "key": ["x"]}},
            "policy": {"entity": odd, "labels": "bounded"},
        }
    )
    assert source_from(text).policies[0].entity == odd


def test_a_file_of_a_megabyte_is_read() -> None:
    values = ", ".join(f'"{at:08d}"' for at in range(80_000))
    text = GOOD.replace('[no, "수학", 01-a]', f"[{values}]")
    assert len(text) > 900_000
    assert len(source_from(text).schema.relations["학생"].columns["major"].domain or ()) == 80_000
    assert len(source_from(json.dumps(document_from(text).value)).policies) == 1


@given(st.text(alphabet="{}[],:\"'-?&*!|>%@#`\t\n\\ aå0.e\ud800\x00", max_size=60))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    with suppress(PolicyLayerError):
        source_from(text)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**20), 10**20)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    ).map(lambda one: {"a": one})
)
def test_json_is_read_as_pythons_own_reader_reads_it(value: Any) -> None:
    assert document_from(json.dumps(value)).value == json.loads(json.dumps(value))
    assert document_from(json.dumps(value, indent="\t", ensure_ascii=False)).value == value


def test_policies_alone_are_read_over_a_schema_that_is_known() -> None:
    known = source_from(GOOD)
    alone = "entity: 학생\nlabels: {학생: DEL, grade: DEL}\n"
    (policy,) = policies_from(alone, known.schema, known.described)
    assert isinstance(policy, Policy)
    assert len(policies_from(GOOD, known.schema, known.described)) == 1
    with pytest.raises(DocumentInvalid, match=r"schema \(line 2\): differs from the registered one"):
        policies_from(GOOD.replace("max_rows: 6", "max_rows: 7"), known.schema, known.described)
    with pytest.raises(PolicyInvalid, match=r"labels.grade \(line 2\): expected DEL"):
        policies_from(alone.replace("grade: DEL", "grade: NONE"), known.schema, known.described)
