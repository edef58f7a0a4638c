"""Two addresses of one database are known to be one; two of two are not."""

from pathlib import Path

import pytest

from surveys.sources.identity import database_of


def test_a_file_is_known_under_every_name(tmp_path: Path) -> None:
    (tmp_path / "one.db").write_text("")
    (tmp_path / "two.db").write_text("")
    (tmp_path / "soft.db").symlink_to(tmp_path / "one.db")
    (tmp_path / "hard.db").hardlink_to(tmp_path / "one.db")
    one = database_of(f"sqlite:///{tmp_path}/one.db")
    for name in ("soft.db", "hard.db", f"../{tmp_path.name}/one.db", "%6Fne.db"):
        assert database_of(f"sqlite:///{tmp_path}/{name}") == one
    assert database_of(f"duckdb:///{tmp_path}/two.db") != one


def test_a_file_that_is_not_there_yet_is_known_by_its_path(tmp_path: Path) -> None:
    assert database_of(f"sqlite:///{tmp_path}/a.db") == database_of(f"sqlite:///{tmp_path}/./a.db")
    assert database_of(f"sqlite:///{tmp_path}/a.db") != database_of(f"sqlite:///{tmp_path}/b.db")


@pytest.mark.parametrize(
    "same",
    [
        "postgres://other:secret@localhost/school",
        "postgresql://127.0.0.1:5432/school?connect_timeout=3",
        "postgresql://reader@[::1]/school",
    ],
)
def test_a_database_of_a_server_is_known_whoever_asks(same: str) -> None:
    assert database_of(same) == database_of("postgresql://reader@localhost:5432/school")


@pytest.mark.parametrize("other", ["localhost:5433/school", "localhost/other", "far.example/school"])
def test_other_databases_are_others(other: str) -> None:
    assert database_of(f"postgresql://{other}") != database_of("postgresql://localhost/school")
