"""Mutations of the policy layer: each weakens one rule once, so that some pair of neighbours breaks a bound."""

from tests.audit.mutations import Mutation


def _of(module: str, *slips: tuple[str, str, str]) -> tuple[Mutation, ...]:
    return tuple(Mutation(slip, f"privacy.policy.{module}", old, new) for slip, old, new in slips)


SCANS = _of(
    "analysis",
    (
        "one row may be absent, not all that are owned",
        "Facts(Signature(deleted=own), reason",
        "Facts(Signature(deleted=min(own, 1)), reason",
    ),
    (
        "one row may change, not all that are owned",
        "Signature(changed=own, replaced=replaced), reason",
        "Signature(changed=min(own, 1), replaced=replaced), reason",
    ),
    (
        "a filter on a replaced column changes nothing",
        "signature = replace(below.signature, may_flip=True)",
        "signature = below.signature",
    ),
    (
        "a computed column is not replaced",
        "for attribute, value in node.items if value.reads & replaced",
        "for attribute, value in node.items if attribute in replaced",
    ),
)
JOINS = _of(
    "analysis",
    ("a left key may change", "if keys_left & one.replaced:\n        one = one.moved()", "pass"),
    (
        "a right key may change",
        "if keys_right & two.replaced:\n        two = two.moved()\n    # No",
        "# No",
    ),
    ("a right row meets one left row", "two.scaled(per_right)\n\n\ndef", "two\n\n\ndef"),
    ("a left row meets one right row", "return one.scaled(per_left)", "return one"),
    ("only the left side can differ", " + two.scaled(per_right)\n\n\ndef", "\n\n\ndef"),
    ("a left join pads nothing", "+ partner + padding", "+ partner"),
    (
        "a left join is an inner one",
        "one.scaled(max(1, per_left)) + partner + padding",
        "one.scaled(per_left) + partner",
    ),
    (
        "the condition of a left join decides nothing",
        "decides = node.residual.reads if node.residual is not None else frozenset()\n    one, two",
        "decides: Attributes = frozenset()\n    one, two",
    ),
    ("partners that may flip stay", "partner.flipped + wavering)", "partner.flipped)"),
    (
        "padded columns are not replaced",
        "frozenset(renamed.get(a, a) for a in partner.replaced)",
        "frozenset()",
    ),
)
SEMI_JOINS = _of(
    "analysis",
    (
        "the condition of a semi-join decides nothing",
        "decides = node.residual.reads if node.residual is not None else frozenset()\n    _, per_right",
        "decides: Attributes = frozenset()\n    _, per_right",
    ),
    ("a changed key is told once", "tells += 2 * other.changed", "tells += other.changed"),
    ("a partner that may flip tells nothing", "elif other.may_flip or decides", "elif decides"),
    ("a partner tells one row", "Signature(flipped=times(tells, per_right))", "Signature(flipped=tells)"),
    ("the other side of a semi-join is public", "Signature(flipped=times(tells, per_right))", "Signature()"),
    ("the own key of a semi-join decides nothing", "own = replace(own, may_flip=True)", "pass"),
)
UNIONS = _of(
    "analysis",
    (
        "a union is its first input",
        "        total += replace(",
        "        total = total if sides[0] is not side else replace(",
    ),
    (
        "columns of a union are not replaced",
        "frozenset(new for old, new in named if old in side.signature.replaced)",
        "frozenset(old for old, new in named if old in side.signature.replaced)",
    ),
)
GROUPS = _of(
    "analysis",
    ("a row leaves its group and enters none", "affected += 2 * below.changed", "affected += below.changed"),
    (
        "groups never vanish",
        "vanish = below.come_and_go > 0 or below.may_flip or regroups",
        "vanish = False",
    ),
    ("figures read nothing", "elif below.may_flip or reading:", "elif below.may_flip:"),
    ("figures of groups are not replaced", "(node.aggregates if vanish else reading)", "()"),
    ("only groups of a changed key differ", "    affected = below.come_and_go\n", "    affected: Rows = 0\n"),
    (
        "what moves to others is forgotten",
        "changed=owner.moved + (0 if goes else 1)",
        "changed=(0 if goes else 1)",
    ),
    ("the owner's group stays", "flipped=1 if goes else 0", "flipped=0"),
    (
        "the count of what may be NULL reads nothing",
        "and not one.distinct and not one.argument.nullable",
        "and not one.distinct",
    ),
    (
        "a count of different values reads nothing",
        'one.function == "count" and not one.distinct and',
        'one.function == "count" and',
    ),
)
OWNERS = _of(
    "ownership",
    (
        "an owner has one group by more than its key",
        "return keys <= frozenset[Attribute]().union(*owner.key)",
        "return True",
    ),
    (
        "an owner has one group by any key",
        "if owner is None or not all(one & keys for one in owner.key):",
        "if owner is None:",
    ),
    (
        "nobody is re-pointed",
        "moves = isinstance(label, Rep) and bool(label.columns & set(names))",
        "moves = False",
    ),
    ("one path of several is the only one", "len(owning) == 1 and owning[0]", "owning and owning[0]"),
    (
        "pairs have the owner of their left row",
        "ties = [_ties(keys, a, b) for a, b in zip(left.key, right.key, strict=True)]",
        "ties = [tuple((a, a) for a in one) for one in left.key]",
    ),
    (
        "what is equal on one side is equal on both",
        "ties = [_ties(keys, a, b) for a, b in zip(left.key, right.key, strict=True)]",
        "ties = [_ties(keys, a, b) and tuple((x, y) for x in a for y in b) "
        "for a, b in zip(left.key, right.key, strict=True)]",
    ),
    (
        "what is tied is named by its left side, and goes",
        "Owner(tuple(left), right.moved, stays=True)",
        "Owner(tuple(left), right.moved)",
    ),
)
SPINES = _of(
    "spine",
    (
        "a filter on the parent passes all",
        "or (inner and (wavers or (moves and misses)))",
        "or (inner and (moves and misses))",
    ),
    ("a moved row finds its new parent", "(wavers or (moves and misses))", "wavers"),
    ("a parent that is filtered is there", "misses = parent.filtered or bool(extra)", "misses = bool(extra)"),
    ("a reference is never NULL", " or any(own.nullable for own, _ in edge)", ""),
    ("a reference is never moved", "moves = any(own in child.replaced for own, _ in edge)", "moves = False"),
    (
        "a part of a foreign key is one",
        "if all(one in scanned for one in wanted):\n                return tuple(scanned[one] for one in wanted)",
        "if any(one in scanned for one in wanted):\n"
        "                return tuple(scanned[one] for one in wanted if one in scanned)",
    ),
    (
        "a filter on the child passes all",
        "may_flip=spine.may_flip or bool(reads & spine.replaced)",
        "may_flip=spine.may_flip",
    ),
    ("a filter leaves all parents there", "replace(spine, filtered=True, may", "replace(spine, may"),
    (
        "one row is owned",
        "own = policy.owned[spine.base.relation.name]",
        "own = min(1, policy.owned[spine.base.relation.name])",
    ),
    ("columns of the parent are not replaced", "for one in parent.replaced)),", "for one in ())),"),
    (
        "other conditions of the join pass all",
        "for pair in extra for one in pair)",
        "for pair in () for one in pair)",
    ),
)
MULTIPLICITIES = _of(
    "multiplicity",
    ("a part of a key is a key", "names >= set(relation.key)", "names & set(relation.key)"),
    ("a part of a foreign key bounds its rows", "if names >= set(e.columns)", "if names & set(e.columns)"),
    (
        "a join multiplies nothing",
        "left_first = times(multiplicity(node.left, known_left), partners)",
        "left_first = multiplicity(node.left, known_left)",
    ),
    ("a union has as many rows as its larger side", "return sum(multiplicity(", "return max(multiplicity("),
    (
        "a part of the group keys is a key",
        "if shared >= frozenset(node.keys):",
        "if shared & frozenset(node.keys):",
    ),
)
SIGNATURES = _of(
    "signature",
    ("what may flip never comes back", "flips = self.changed if self.may_flip else 0", "flips = 0"),
    ("flips are not multiplied", "flipped=times(self.flipped, factor)", "flipped=self.flipped"),
    ("a moved row only goes", "Signature(self.added + self.changed, self", "Signature(self.added, self"),
    ("columns of one side are replaced", "self.replaced | other.replaced", "self.replaced"),
    ("only the left side may flip", "self.may_flip or other.may_flip", "self.may_flip"),
)
LABELS = _of(
    "labels",
    (
        "rows are owned by one path",
        "reached = sum(times(owned[edge.parent], rows_per_parent(edge)) for edge in relation.foreign_keys)",
        "reached = max((times(owned[one.parent], rows_per_parent(one)) for one in relation.foreign_keys), default=0)",
    ),
    (
        "a parent has one row",
        "return math.inf if edge.max_rows is None else edge.max_rows",
        "return math.inf if edge.max_rows is None else min(1, edge.max_rows)",
    ),
)
ROOTS = _of(
    "sensitivity",
    ("a move leaves a group and enters none", "max(2 * moves, stays)", "max(moves, stays)"),
    ("nothing is regrouped", "regroups=bool(frozenset(root.keys) & below.replaced)", "regroups=False"),
    (
        "COUNT of a nullable column reads nothing",
        "told = argument is not None and argument.nullable and",
        "told = False and argument is not None and",
    ),
    (
        "COUNT counts what may flip",
        "argument.reads & self.below.replaced)\n"
        '        return self._counted("count", 1 if told or self.below.may_flip else 0)',
        'argument.reads & self.below.replaced)\n        return self._counted("count", 1 if told else 0)',
    ),
    (
        "COUNT(DISTINCT) reads nothing",
        "by one at most.\n        told = bool(aggregate_reads(one) & self.below.replaced)",
        "by one at most.\n        told = False",
    ),
    (
        "a quantile reads nothing",
        'told = bool(aggregate_reads(one) & self.below.replaced)\n        return self._counted("rank"',
        'told = False\n        return self._counted("rank"',
    ),
    (
        "SUM sums what may flip",
        "whole = self.below.may_flip or (reads and argument.nullable)",
        "whole = reads and argument.nullable",
    ),
    (
        "SUM of NULL is as SUM of anything",
        "self.below.may_flip or (reads and argument.nullable)",
        "self.below.may_flip",
    ),
    ("a value has the size of its upper bound", "largest = max(abs(low), abs(high))", "largest = abs(high)"),
    ("a change is as large as a value", "high - low if reads else 0", "largest if reads else 0"),
    (
        "SUM of an expression reads nothing",
        "reads = bool(argument.reads & self.below.replaced)",
        "reads = False",
    ),
    (
        "what is below 0 adds nothing",
        "come = max(times(a, up) + times(d, down), times(a, down) + times(d, up))",
        "come = times(a + d, up)",
    ),
    (
        "flips count for nothing",
        "whole_number(come + times(x, largest) + times(k, slot))",
        "whole_number(come + times(k, slot))",
    ),
    ("flips of groups count for nothing", "times(a + d + x, largest) + max", "times(a + d, largest) + max"),
    (
        "squares are largest at the upper end",
        "ends = (bounds[0] ** 2, bounds[1] ** 2)",
        "ends = (0, bounds[1] ** 2)",
    ),
    (
        "changes never pile into one group",
        "min(l1 * l1, math.ceil(length * length))",
        "min(l1 * l1, math.ceil(length))",
    ),
    ("signs do not matter to the length", "signed=up > 0 and down > 0", "signed=False"),
    (
        "a move is no longer than two rows at a right angle",
        "max(_root(2 * whole_number(moves) ** 2), Fraction(whole_number(stays)))",
        "_root(2 * whole_number(moves) ** 2) if self.regroups else Fraction(whole_number(stays))",
    ),
)
KEYS = _of(
    "keys",
    ("keys are listed off any relation", "return policy.touched(relation) and", "return False and"),
    (
        "keys are listed off replaced columns",
        "isinstance(label, Rep) and column not in label.columns",
        "isinstance(label, Rep)",
    ),
    (
        "keys are joined by replaced columns",
        " if all(_is_public(places.get(side), policies) for side in one)]",
        "]",
    ),
)
STATEMENTS = (
    _of("compile.statements", ("sums are not clipped", "clip=one not in trusted", "clip=False"))
    + _of(
        "compile.spelling",
        (
            "sums are clipped at one end",
            'most = exp.Anonymous(this="MIN", expressions=[value, high])',
            "most = value",
        ),
    )
    + _of(
        "sql.subqueries",
        (
            "a value of private data is public",
            "if not facts_of(body.node, policy).signature.nothing:",
            "if False:",
        ),
    )
)
MUTATIONS = (
    SCANS
    + JOINS
    + SEMI_JOINS
    + UNIONS
    + GROUPS
    + OWNERS
    + SPINES
    + MULTIPLICITIES
    + SIGNATURES
    + LABELS
    + ROOTS
    + KEYS
    + STATEMENTS
)
