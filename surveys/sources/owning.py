"""Whose rows are whose, in SQL: an entity owns itself and every row with a foreign key to a row that it owns."""

from privacy.policy.labels import Policy
from privacy.policy.schema import ForeignKey, Relation
from surveys.sources.spelling import Spelling


def owned_rows(policy: Policy, name: str, spelling: Spelling) -> str:
    """Return SQL for the pairs of an entity (o0, o1 …) and a row that it owns (r0, r1 …), over all paths, each once."""
    entity, relation = policy.schema.relations[policy.entity], policy.schema.relations[name]
    ways = []
    if name == policy.entity:
        ways.append(_itself(entity, spelling))
    for edge in relation.foreign_keys:
        if policy.owned[edge.parent] > 0:
            ways.append(_through(policy, relation, edge, spelling))
    nothing = ", ".join(f"NULL AS o{at}" for at in range(len(entity.key)))
    # UNION, for a row that is reached over two paths is one row.
    return " UNION ".join(ways) if ways else f"SELECT {nothing} WHERE 1 = 0"


def _itself(entity: Relation, spelling: Spelling) -> str:
    columns = spelling.columns(entity, entity.key)
    shown = [f"{one} AS {kind}{at}" for kind in "or" for at, one in enumerate(columns)]
    return f"SELECT {', '.join(shown)} FROM {spelling.table(entity.name)}"


def _through(policy: Policy, relation: Relation, edge: ForeignKey, spelling: Spelling) -> str:
    entity, parent = policy.schema.relations[policy.entity], policy.schema.relations[edge.parent]
    at = {column: place for place, column in enumerate(parent.key)}
    own = spelling.columns(relation, edge.columns, "c")
    same = " AND ".join(f"{here} = p.r{at[to]}" for here, to in zip(own, edge.to, strict=True))
    owners = [f"p.o{place}" for place in range(len(entity.key))]
    rows = [f"{one} AS r{place}" for place, one in enumerate(spelling.columns(relation, relation.key, "c"))]
    above = owned_rows(policy, edge.parent, spelling)
    shown = ", ".join([*owners, *rows])
    return f'SELECT {shown} FROM {spelling.table(relation.name)} AS "c" JOIN ({above}) AS p ON {same}'
