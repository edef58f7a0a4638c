"""`python -m tests.audit.mutants [--first]`: every mutation of the product is run past the three checks.

The checks are the law (every word enumerated), the shared vectors, and a small audit (real draws).
A mutant that passes all of them has shown that a slip like it would not be noticed.
With --first a mutant is done with when one check has caught it.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from multiprocessing import get_context
from signal import ITIMER_VIRTUAL, SIGVTALRM, setitimer, signal
from types import CodeType, ModuleType
from typing import Any

from tests.audit.mutations import MUTATIONS, Mutation

CHECKS = ("law", "vectors", "audit")
SIZE = 3_000  # draws a truth in the small audit
SECONDS = 30  # of computing for one check: a draw that never ends is caught too, a busy machine is not
PRODUCT = ("privacy", "tests.privacy", "tests.vectors", "tests.audit")

Verdict = dict[str, bool]  # check → whether it caught the mutant


class MutatedLoader(SourceFileLoader):
    """Loads a module with one piece of its source replaced; never from a cache."""

    mutation: Mutation

    def get_code(self, fullname: str) -> CodeType:
        """Compile the mutated source."""
        source = self.get_data(self.path).decode("utf-8")
        if source.count(self.mutation.old) != 1:
            raise LookupError(
                f"{fullname} holds {self.mutation.old!r} {source.count(self.mutation.old)} times"
            )
        mutated = source.replace(self.mutation.old, self.mutation.new)
        return compile(mutated, self.path, "exec", dont_inherit=True)


class MutatedFinder(MetaPathFinder):
    """Finds the one module that is mutated."""

    def __init__(self, mutation: Mutation) -> None:
        self.mutation = mutation

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of the mutated module, None for every other."""
        if fullname != self.mutation.module:
            return None
        spec = PathFinder.find_spec(fullname, path)
        assert spec is not None
        assert spec.origin is not None
        loader = MutatedLoader(fullname, spec.origin)
        loader.mutation = self.mutation
        spec.loader = loader
        return spec


def law() -> None:
    """Enumerate every word."""
    import_module("tests.privacy.laws").check_laws()


def vectors() -> None:
    """Replay the shared vectors."""
    import_module("tests.vectors.replay").replay()


def audit() -> None:
    """Draw a few thousand reports of each truth on secure bits and judge them."""
    draws, judge = import_module("tests.audit.draws"), import_module("tests.audit.judge")
    cases = draws.sample(draws.manifests(("1", "4"), (2, 5)), SIZE)
    for case in cases:
        # Together, the two verdicts on every case raise a false alarm once in a million runs.
        row = judge.judge("python", case, alpha=judge.ALPHA / (2 * len(cases)))
        assert row.passed, row


CHECK: dict[str, Callable[[], None]] = {"law": law, "vectors": vectors, "audit": audit}


def caught(mutation: Mutation | None, first: bool) -> Verdict:
    """Say which checks catch a mutant (None: the product as it is); to be called in a process of its own."""
    for name in [name for name in sys.modules if name.split(".")[0] == "privacy" or name.startswith(PRODUCT)]:
        if name != __name__ and name != "tests.audit.mutations":
            del sys.modules[name]
    if mutation is not None:
        sys.meta_path.insert(0, MutatedFinder(mutation))
        import_module(mutation.module)  # outside of the checks: a mutant that is no program proves nothing
    verdict: Verdict = {}
    for name in CHECKS:
        verdict[name] = not (first and any(verdict.values())) and fails(CHECK[name])
    return verdict


def fails(check: Callable[[], None]) -> bool:
    """Say whether a check fails, in whatever way, or does not end."""

    def too_long(*_: Any) -> None:
        raise TimeoutError

    signal(SIGVTALRM, too_long)
    setitimer(ITIMER_VIRTUAL, SECONDS)
    try:
        check()
    except Exception:
        return True
    finally:
        setitimer(ITIMER_VIRTUAL, 0)
    return False


def verdicts(mutations: Sequence[Mutation | None], first: bool) -> list[Verdict]:
    """Return what caught each mutant, each in a fresh process."""
    import_module("tests.audit.judge")  # and with it scipy, once for all of them
    with get_context("fork").Pool(maxtasksperchild=1) as pool:
        return pool.map(partial(caught, first=first), mutations, chunksize=1)


def main() -> int:
    """Print which check caught which mutant; exit code 1 when one survives."""
    control, *found = verdicts([None, *MUTATIONS], first="--first" in sys.argv[1:])
    widths = {name: len(name) + 2 for name in CHECKS}
    print("".join(name.ljust(width) for name, width in widths.items()) + "slip")
    for mutation, verdict in zip(MUTATIONS, found, strict=True):
        marks = "".join(("x" if verdict[name] else "").ljust(width) for name, width in widths.items())
        print(f"{marks}{mutation.module.removeprefix('privacy.')}: {mutation.slip}")
    survivors = sum(not any(verdict.values()) for verdict in found)
    itself = "refused" if any(control.values()) else "passes"
    print(f"{len(found)} mutants, {survivors} survived; the product itself {itself}")
    return 1 if survivors or itself == "refused" else 0


if __name__ == "__main__":
    sys.exit(main())
