"""`make check`: form, lint, types, architecture, and whether generated files are up to date."""

import sys

from tests import packages
from tests.commands import PYTEST, ROOT, Session, interrupt_on_term

# What follows -- goes to biome, the last command of the script.
FRONTEND = ("npm", "run", "--silent", "check", "--", "--colors=off")


def main() -> int:
    """Run every check, also after one failed; give the exit code."""
    interrupt_on_term()
    packages.need(["gettext"])
    session = Session()
    python = (sys.executable, "-m")
    session.run("form of Python", (*python, "ruff", "format", "--check", "--quiet", "."))
    session.run("lint of Python", (*python, "ruff", "check", "--quiet", "."))
    session.run("types of Python", (*python, "mypy"))
    session.run("types, form and lint of TypeScript", FRONTEND, folder=ROOT / "frontend")
    session.run(
        "architecture, API schema, migrations, translations, locks", (*PYTEST, "-q", "tests/architecture")
    )
    return session.summary()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except packages.PackagesMissing as reason:
        sys.exit(str(reason))
    except KeyboardInterrupt:
        sys.exit(130)
