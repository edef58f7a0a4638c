"""`make test`: everything, and what opens a database on SQLite and on PostgreSQL; our own servers end with us."""

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests import packages
from tests.commands import PYTEST, ROOT, Session, interrupt_on_term
from tests.services import ServiceFailed, postgres, redis

PARALLEL = ("-n", "auto", "--dist", "worksteal", "-q")


def main() -> int:
    """Run all three parts and the frontend's tests; give the exit code."""
    interrupt_on_term()
    packages.need(packages.PRESENT)
    session = Session()
    session.run("TypeScript", ("npm", "run", "--silent", "test"), folder=ROOT / "frontend")
    once = (*PYTEST, *PARALLEL, "--database=without", "tests")
    rest = (*PYTEST, *PARALLEL, "--database=with", "tests")
    with tempfile.TemporaryDirectory(prefix="deniable-suite-") as name:
        var = Path(name)
        session.run("Python, without a database", once, environment=embedded(var / "none"))
        session.run("Python, on SQLite", rest, environment=embedded(var / "sqlite"))
        with postgres() as database, redis() as broker:
            full = {
                **embedded(var / "postgres"),
                "DATABASE_URL": database.url,
                "CELERY_BROKER_URL": broker.url,
            }
            session.run("Python, on PostgreSQL with Redis", rest, environment=full)
    return session.summary()


def embedded(var: Path) -> Mapping[str, str]:
    """Give the environment of a part: its own folder of running files, the embedded database and broker."""
    return {
        "DENIABLE_VAR": str(var),
        "DATABASE_URL": f"sqlite:///{var / 'deniable.sqlite3'}",
        "CELERY_BROKER_URL": "filesystem://",
    }


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (packages.PackagesMissing, ServiceFailed) as reason:
        sys.exit(str(reason))
    except KeyboardInterrupt:
        sys.exit(130)
