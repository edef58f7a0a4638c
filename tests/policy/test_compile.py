"""The same query gives the same numbers before noise on every engine: those of SQL, read row by row in Python."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from privacy.policy.algebra import Aggregate, Filter, Root, Scan
from privacy.policy.compile import Compiler, Measure, measure_of
from privacy.policy.expressions import Attribute, Like, Read
from privacy.policy.sensitivity import Sensitivity, sensitivities_of
from privacy.policy.signature import Signature
from privacy.policy.sql import translate
from tests.policy import rich
from tests.policy.conftest import Opened
from tests.policy.engines import Database, World
from tests.policy.oracle import grouped, reading, rows_of, value_of, vector
from tests.policy.soundness.trial import random_case
from tests.policy.soundness.worlds import random_world

QUERIES = [
    "SELECT COUNT(*), COUNT(name), COUNT(DISTINCT name), COUNT(DISTINCT city) FROM person",
    "SELECT city, COUNT(*), SUM(balance), AVG(balance), VARIANCE(balance) FROM person GROUP BY city",
    "SELECT active, MIN(balance), MAX(balance), MEDIAN(balance), MIN(born) FROM person GROUP BY active",
    "SELECT SUM(balance * balance), SUM(-balance), SUM(2 * balance - 1.5) FROM person",
    "SELECT SUM(big), AVG(big), STDDEV_POP(big), MIN(big) FROM person",
    'SELECT SUM(amount * pieces), SUM(amount + pieces), SUM(amount - 0.5 * pieces) FROM "order"',
    'SELECT SUM(CASE WHEN pieces > 2 THEN amount WHEN pieces IS NULL THEN -1 ELSE 0.5 END) FROM "order"',
    "SELECT SUM(COALESCE(pieces, 7)), SUM(COALESCE(balance, amount)) FROM person"
    ' JOIN "order" o ON o.person_id = person.id',
    'SELECT EXTRACT(YEAR FROM placed), COUNT(*) FROM "order" GROUP BY EXTRACT(YEAR FROM placed)',
    "SELECT EXTRACT(MONTH FROM born) AS m, active, COUNT(*) FROM person GROUP BY m, active",
    "SELECT COUNT(*) FROM \"order\" WHERE placed >= DATE '1994-01-01'"
    " AND placed < DATE '1994-01-01' + INTERVAL '2' YEAR",
    "SELECT COUNT(*) FROM person WHERE balance BETWEEN -0.01 AND 55.55 OR balance IS NULL",
    "SELECT COUNT(*) FROM person WHERE balance > 0.005 AND NOT (balance = 100)",
    "SELECT COUNT(*) FROM person WHERE NOT (name = 'ann' OR balance < 0)",
    "SELECT COUNT(*) FROM person WHERE city IN ('서울', 'JEJU', 'jeju') AND name <> 'Ann'",
    "SELECT COUNT(*) FROM person WHERE name < 'b' OR name >= '김'",
    "SELECT SUBSTRING(city FROM 1 FOR 1) AS c, COUNT(*) FROM person GROUP BY c",
    "SELECT COUNT(*) FROM person p WHERE EXISTS"
    ' (SELECT 1 FROM "order" o WHERE o.person_id = p.id AND o.amount > p.balance)',
    "SELECT COUNT(*) FROM person p WHERE NOT EXISTS"
    ' (SELECT 1 FROM "order" o WHERE o.person_id = p.id AND o.pieces > 5)',
    'SELECT COUNT(*) FROM person WHERE id IN (SELECT person_id FROM "order" WHERE amount > 10)',
    'SELECT n, COUNT(*) FROM (SELECT p.id, COUNT(o.id) AS n FROM person p LEFT JOIN "order" o'
    " ON o.person_id = p.id AND o.amount > 3 GROUP BY p.id) x GROUP BY n",
    'SELECT COUNT(*), SUM(o.pieces) FROM person p LEFT JOIN (SELECT person_id, 1 AS one, pieces FROM "order"'
    " WHERE pieces > 3) o ON o.person_id = p.id WHERE o.one IS NULL OR p.active",
    'SELECT COUNT(*) FROM (SELECT person_id, AVG(amount) AS a, AVG(pieces) AS b FROM "order" GROUP BY person_id) x'
    " WHERE a > 10.0005 OR b < 0.3333",
    'SELECT a, COUNT(*) FROM (SELECT person_id, AVG(pieces) AS a FROM "order" GROUP BY person_id) x GROUP BY a',
    "SELECT s, COUNT(*) FROM (SELECT city, SUM(balance) AS s, MIN(name) AS n, MAX(born) AS b, MIN(active) AS t"
    " FROM person GROUP BY city) x GROUP BY s",
    "SELECT n, COUNT(*) FROM (SELECT city, MIN(name) AS n FROM person GROUP BY city) x GROUP BY n",
    "SELECT t, COUNT(*) FROM (SELECT city, MAX(active) AS t FROM person GROUP BY city) x GROUP BY t",
    'SELECT COUNT(*), SUM(v) FROM (SELECT balance AS v FROM person UNION ALL SELECT amount FROM "order") u',
    "SELECT COUNT(*) FROM (SELECT DISTINCT city, active FROM person) u",
    "SELECT COUNT(*) FROM (SELECT 1 AS one, COUNT(*) AS n FROM person GROUP BY 1) u",
    "SELECT k, COUNT(*) FROM (SELECT 5 AS k, city FROM person) u GROUP BY k",
    "SELECT k, COUNT(*) FROM (SELECT CASE WHEN active THEN NULL ELSE 5 END AS k FROM person) u GROUP BY k",
    'SELECT COUNT(*), SUM(p.id) FROM person p, person q LEFT JOIN "order" o ON o.person_id = q.id'
    " WHERE p.city = q.city AND p.active",
    "SELECT COUNT(*) FROM (SELECT d + d AS e FROM (SELECT c + c AS d FROM (SELECT id + id AS c FROM person) x) y) z"
    " WHERE e > 20",
    'SELECT SUM(pieces) FROM "order" WHERE tag IS NULL',
    'SELECT COUNT(*), SUM(o.pieces) FROM person p LEFT JOIN (SELECT person_id, pieces FROM "order" WHERE pieces > 3) o'
    " ON o.person_id = p.id",
    'SELECT COUNT(*) FROM person p LEFT JOIN (person q JOIN "order" o ON o.person_id = q.id) ON q.city = p.city'
    " WHERE p.active OR o.amount > 3",
    "SELECT COUNT(*) FROM person WHERE CASE WHEN active THEN 'Z' ELSE 'a' END < CASE WHEN id > 3 THEN 'b' ELSE 'B' END",
]


def measures_of(given: Root) -> list[tuple[Sensitivity, str, Measure]]:
    some = Signature(deleted=1)
    found = sensitivities_of(given, some, entity="person")
    return [(one, part.figure, measure_of(one, part)) for one in found for part in one.parts]


def check(root: Root, world: World, database: Database) -> None:
    """Hold every number of a root against the rows read in Python."""
    with reading(world):
        _check(root, world, database)


def _check(root: Root, world: World, database: Database) -> None:
    rows, compiler = rows_of(root.child, world), Compiler(database.dialect)
    pairs = measures_of(root)
    numbers = list(dict.fromkeys(measure for _, figure, measure in pairs if figure != "rank"))
    got = compiler.figures(root, numbers).measured(database.execute) if numbers else {}
    for one, figure, measure in pairs:
        if figure == "rank":
            argument = one.aggregate.argument
            assert argument is not None
            assert compiler.ranks(root, argument).measured(database.execute) == ranks(root, argument, rows)
        else:
            assert got[measure] == vector(one.aggregate, figure, rows, root.keys), (database.dialect, figure)


def ranks(root: Root, argument: Any, rows: Any) -> Mapping[Any, Mapping[int, int]]:
    found = {}
    for key, group in grouped(rows, root.keys).items():
        values = [value for row in group if (value := value_of(argument, row)) is not None]
        if values:
            found[key] = dict(Counter(one if isinstance(one, int) else one.toordinal() for one in values))
    return found


@pytest.mark.parametrize("sql", QUERIES)
def test_a_query_gives_the_same_numbers_on_every_engine(sql: str, databases: Opened) -> None:
    root = translate(sql, rich.POLICY).root
    for world in (rich.world(1), rich.world(2), rich.EMPTY):
        with databases(rich.SCHEMA, world) as opened:
            for database in opened:
                check(root, world, database)


def test_random_queries_give_the_same_numbers_on_every_engine(databases: Opened) -> None:
    for seed in range(40):
        dice = Random(seed)
        case = random_case(dice)
        world = random_world(dice, case.policy)
        with databases(case.policy.schema, world) as opened:
            for database in opened:
                check(case.query.root, world, database)


def _like(pattern: str) -> Root:
    scan = Scan.of(rich.SCHEMA.relations["order"])
    one = Aggregate(Attribute("count", "integer"), "count")
    return Root(_filtered(scan, pattern), (scan.named["tag"],), (one,))


def _filtered(scan: Scan, pattern: str) -> Filter:
    return Filter(scan, Like(Read(scan.named["tag"]), pattern))


def like(text: str, pattern: str) -> bool:
    """Match as SQL defines it: % is any text, _ any character, others themselves."""
    if not pattern:
        return not text
    if pattern[0] == "%":
        return any(like(text[at:], pattern[1:]) for at in range(len(text) + 1))
    return bool(text) and pattern[0] in ("_", text[0]) and like(text[1:], pattern[1:])


PATTERNS = [
    "%",
    "_",
    "100%",
    "a_b",
    "%*%",
    "a*b",
    "a?b",
    "[ab]",
    "[%",
    "A",
    "%다",
    "가_다",
    "",
    "it's",
    "__",
    "%]",
    '%"%',
    "a%",
    "\\%",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_like_minds_case_and_takes_no_other_character_for_a_wildcard(pattern: str, databases: Opened) -> None:
    world = rich.world(3, 5, 200)
    expected = Counter(
        (row["tag"],) for row in world["order"] if row["tag"] is not None and like(row["tag"], pattern)
    )
    root = _like(pattern)
    with databases(rich.SCHEMA, world) as opened:
        for database in opened:
            got = (
                Compiler(database.dialect).figures(root, [Measure("count", None)]).measured(database.execute)
            )
            assert got[Measure("count", None)] == expected, database.dialect


def test_the_spelling_of_sqlite_that_ignores_case_is_caught(databases: Opened) -> None:
    # The control of the test above: LIKE as SQLite has it.
    with databases(rich.SCHEMA, rich.world(3, 5, 200)) as (sqlite, *_):
        either, one = (
            sqlite.execute(f"SELECT COUNT(*) FROM \"order\" WHERE tag {how} 'a'")[0][0]
            for how in ("LIKE", "GLOB")
        )
        assert either > one > 0
