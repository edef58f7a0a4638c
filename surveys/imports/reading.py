"""A file of either form, told apart by how it begins: its name and what a browser says of it prove nothing."""

from surveys.errors import BodyTooLarge
from surveys.imports import table
from surveys.imports.delimited import delimited_read
from surveys.imports.table import Table, refused
from surveys.imports.workbook import workbook_read

_ZIP, _OLD = (b"PK\x03\x04", b"PK\x05\x06"), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def table_read(data: bytes) -> Table:
    """Return the table in a file; raises ImportRefused where there is none, BodyTooLarge above the limit."""
    if len(data) > table.MOST_BYTES:
        raise BodyTooLarge(table.MOST_BYTES)
    if data.startswith(_OLD):
        raise refused("file-old")
    return workbook_read(data) if data.startswith(_ZIP) else delimited_read(data)
