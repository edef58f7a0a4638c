"""One text for all spellings of a query: names by first appearance, commutative parts sorted, aliases gone."""

import dataclasses
from typing import Any

from privacy.policy.after import After, AllOf, AnyOf, Calculated
from privacy.policy.algebra import Node, Root, Scan
from privacy.policy.expressions import Arithmetic, Attribute, Both, Compare, Either
from privacy.policy.schema import Relation

# Names that only the text's author sees.
_LOOSE = ("name",)


def canonical(root: Root, after: After) -> str:
    """Return the text; the titles of columns are not part of it, their order and meaning are."""
    writer = _Writer({})
    body = writer.text(root)
    outputs = [writer.text(term) for _, term in after.outputs]
    rest = (after.having, after.order, after.limit, after.offset)
    return "\n".join([body, *outputs, writer.text(rest)])


@dataclasses.dataclass
class _Writer:
    numbers: dict[int, str]

    def text(self, part: Any) -> str:
        if isinstance(part, Attribute):
            return self._attribute(part)
        if isinstance(part, Scan):
            return f"scan {part.relation.name}({', '.join(self._attribute(one) for one in part.columns)})"
        if isinstance(part, Both | Either):
            return f"{type(part).__name__}({', '.join(sorted(self.text(one) for one in self._flat(part)))})"
        if isinstance(part, AllOf | AnyOf):
            return f"{type(part).__name__}({', '.join(sorted(self.text(one) for one in part.terms))})"
        if isinstance(part, Compare | Arithmetic | Calculated) and part.operator in ("=", "<>", "+", "*"):
            sides = sorted((self.text(part.left), self.text(part.right)))
            return f"{type(part).__name__}({part.operator}, {', '.join(sides)})"
        if isinstance(part, tuple | list):
            return f"[{', '.join(self.text(one) for one in part)}]"
        if dataclasses.is_dataclass(part) and not isinstance(part, Relation | type):
            return self._fields(part)
        return repr(part)

    def _fields(self, part: Any) -> str:
        # What is below is written first: its attributes are numbered where they come from.
        shown = [one for one in dataclasses.fields(part) if one.name not in _LOOSE]
        below = [one for one in shown if isinstance(getattr(part, one.name), Node)]
        rest = [one for one in shown if one not in below]
        texts = [self.text(getattr(part, one.name)) for one in (*below, *rest)]
        return f"{type(part).__name__}({', '.join(texts)})"

    def _flat(self, part: Both | Either) -> list[Any]:
        kind = type(part)
        return [
            one for inner in part.parts for one in (self._flat(inner) if isinstance(inner, kind) else [inner])
        ]

    def _attribute(self, one: Attribute) -> str:
        return self.numbers.setdefault(id(one), f"c{len(self.numbers) + 1}")
