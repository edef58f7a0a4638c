"""Lists that must agree: what a project asks for, its lock files, its catalogues in two languages."""

import re
import string
from collections.abc import Iterator, Mapping

import polib
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PIN = re.compile(r"^(\S+?)==([^\s;\\]+)(.*?)(?=^\S+==|\Z)", re.MULTILINE | re.DOTALL)


def pins(lock: str) -> dict[str, str]:
    """Give package → version of a Python lock file."""
    return {canonicalize_name(name): version for name, version, _ in PIN.findall(lock)}


def lock_out_of_step(asked: list[str], lock: str) -> list[str]:
    """Name what the project asks for and the lock does not hold, what it no longer asks for, and missing hashes."""
    held = pins(lock)
    wanted = {canonicalize_name(one.name): one for one in map(Requirement, asked)}
    direct = {
        canonicalize_name(name) for name, _, rest in PIN.findall(lock) if "deniable (pyproject.toml" in rest
    }
    return [
        *(f"{name} is not locked" for name in wanted if name not in held),
        *(
            f"{name} {held[name]} does not fit {one.specifier}"
            for name, one in wanted.items()
            if name in held and not one.specifier.contains(held[name])
        ),
        *(f"{name} is locked and no longer asked for" for name in sorted(direct - set(wanted))),
        *(f"{name} has no hash" for name, _, rest in PIN.findall(lock) if "--hash=sha256:" not in rest),
    ]


def imports_not_asked_for(imported: set[str], asked: list[str], offers: Mapping[str, list[str]]) -> list[str]:
    """Name every imported package that comes along only because something else asks for it.

    `offers` gives import name → distributions, as importlib.metadata does; what no distribution offers is ours
    or the standard library's.
    """
    wanted = {canonicalize_name(Requirement(one).name) for one in asked}
    return sorted(
        name
        for name in imported
        if name in offers and not wanted & {canonicalize_name(one) for one in offers[name]}
    )


def locks_that_differ(lock: str, wider: str) -> list[str]:
    """Name every package of one lock that the wider one lacks or holds at another version."""
    other = pins(wider)
    return [name for name, version in pins(lock).items() if other.get(name) != version]


def untranslated(catalogue: polib.POFile) -> list[str]:
    """Name every message with no finished translation, or one whose placeholders differ."""
    return [
        entry.msgid
        for entry in catalogue
        if not entry.obsolete and (not entry.translated() or entry.fuzzy or _placeholders_differ(entry))
    ]


def _placeholders_differ(entry: polib.POEntry) -> bool:
    # A plural may leave out the number; Korean has one form, so only the full form is compared.
    original = entry.msgid_plural or entry.msgid
    translations = entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]
    return any(_placeholders(text) != _placeholders(original) for text in translations)


def _placeholders(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)[sd]|%[sd]", text)) | {
        name for _, name, _, _ in _formats(text) if name is not None
    }


def _formats(text: str) -> Iterator[tuple[str, str | None, str | None, str | None]]:
    try:
        yield from string.Formatter().parse(text)
    except ValueError:
        return


def catalogues_that_differ(one: Mapping[str, object], other: Mapping[str, object]) -> list[str]:
    """Name every key that one language has and the other lacks, or whose text is empty."""
    left, right = dict(_leaves(one)), dict(_leaves(other))
    return sorted(
        set(left.keys() ^ right.keys())
        | {key for side in (left, right) for key, text in side.items() if not str(text).strip()}
    )


def _leaves(tree: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
