"""The catalogue: from a name on the wire, or from an admin's wish, to a mechanism."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from privacy.budget import Epsilon, coin_num, spinner_num, split
from privacy.errors import MechanismMalformed, MechanismUnknown
from privacy.mechanisms.answers import NUM_BITS, boxes_checked
from privacy.mechanisms.coin import Coin
from privacy.mechanisms.every_box import EveryBox
from privacy.mechanisms.one_box import OneBox
from privacy.mechanisms.spinner import Spinner
from privacy.mechanisms.spinner_coin import SpinnerCoin

Mechanism = Spinner | SpinnerCoin | Coin | OneBox | EveryBox


@dataclass(frozen=True, slots=True)
class Entry:
    """How one mechanism is made, from its manifest's fields and from an ε with whole numbers."""

    make: Callable[..., Mechanism]
    fields: tuple[str, ...]  # of the manifest, beside the name; "bits" is fixed
    design: Callable[..., Mechanism]
    wishes: tuple[str, ...] = ()  # beside ε and the number of answers


def _spinner(epsilon: Epsilon, choices: int) -> Spinner:
    return Spinner(choices, spinner_num(epsilon, choices))


def _spinner_coin(epsilon: Epsilon, choices: int) -> SpinnerCoin:
    return SpinnerCoin(choices, coin_num(epsilon, choices))


def _coin(epsilon: Epsilon, choices: int, tosses: int) -> Coin:
    return Coin(choices, tosses, coin_num(epsilon, choices, tosses))


def _one_box(epsilon: Epsilon, choices: int, boxes: int) -> OneBox:
    boxes_checked(boxes, choices)
    return OneBox(boxes, choices, spinner_num(epsilon, choices))


def _every_box(epsilon: Epsilon, choices: int, boxes: int) -> EveryBox:
    boxes_checked(boxes, choices)
    return EveryBox(boxes, choices, spinner_num(split(epsilon, boxes), choices))


CATALOGUE: Mapping[str, Entry] = {
    "spinner": Entry(Spinner, ("choices", "num", "bits"), _spinner),
    "spinner-coin": Entry(SpinnerCoin, ("choices", "num", "bits"), _spinner_coin),
    "coin": Entry(Coin, ("choices", "tosses", "num"), _coin, ("tosses",)),
    "one-box": Entry(OneBox, ("boxes", "choices", "num", "bits"), _one_box, ("boxes",)),
    "every-box": Entry(EveryBox, ("boxes", "choices", "num", "bits"), _every_box, ("boxes",)),
}


def mechanism_from(manifest: object) -> Mechanism:
    """Return the mechanism that a manifest describes; refuse anything else than exactly its fields."""
    if not isinstance(manifest, Mapping):
        raise MechanismMalformed("not an object")
    entry = _entry(manifest.get("name"))
    values = {field: manifest.get(field) for field in entry.fields}
    # bool is an int in Python; in a manifest it is a mistake.
    for field, value in values.items():
        if type(value) is not int:
            raise MechanismMalformed(field)
    if superfluous := set(manifest) - set(values) - {"name"}:
        raise MechanismMalformed(min(map(str, superfluous)))
    if values.pop("bits", NUM_BITS) != NUM_BITS:
        raise MechanismMalformed("bits")
    return entry.make(**values)


def configure(
    protocol: str,
    epsilon_text: str,
    choices: int,
    boxes: int | None = None,
    tosses: int | None = None,
) -> Mechanism:
    """Return the mechanism that a question uses: the ε that was typed, turned into whole numbers.

    choices counts "no answer"; for the box mechanisms it is that of one box. boxes is for those alone,
    tosses for the coin alone. The mechanism never costs more than the ε.
    """
    entry = _entry(protocol)
    wishes = {name: value for name, value in (("boxes", boxes), ("tosses", tosses)) if value is not None}
    if unlike := set(wishes) ^ set(entry.wishes):
        raise MechanismMalformed(min(unlike))
    return entry.design(Epsilon.parse(epsilon_text), choices, **wishes)


def _entry(name: object) -> Entry:
    if not isinstance(name, str):
        raise MechanismMalformed("name")
    if name not in CATALOGUE:
        raise MechanismUnknown(name)
    return CATALOGUE[name]
