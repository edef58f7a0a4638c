"""The 22 queries of TPC-H in the text of the specification, with the parameters of its validation run."""

from pathlib import Path

QUERIES = {
    int(file.stem[1:]): file.read_text("utf-8")
    for file in sorted(Path(__file__).with_name("queries").glob("q*.sql"))
}
