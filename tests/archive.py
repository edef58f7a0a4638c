"""The archive read as a whole, as nothing of the product does: counted again, it must agree with the tallies."""

from django.db import connection


def packed_of(version_id: int) -> bytes:
    """Return all archived reports of a version, one after the other; in PostgreSQL less than 1 GB of them."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT string_agg(packed, ''::bytea) FROM surveys_report WHERE version_id = %s", [version_id]
            )
            return bytes(cursor.fetchone()[0] or b"")
        cursor.execute("SELECT packed FROM surveys_report WHERE version_id = %s", [version_id])
        return b"".join([row[0] for row in cursor.fetchall()])
