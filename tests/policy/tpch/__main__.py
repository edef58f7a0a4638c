"""`python -m tests.policy.tpch`: write the table of deploy/README.md anew."""

from tests.policy.tpch.table import readme_write

if __name__ == "__main__":
    readme_write()
