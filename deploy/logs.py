"""What the service's log leaves out."""

import logging


class HostUnnamed(logging.Filter):
    """Say of a request to a strange host that there was one, and nothing it said."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Take out the host, the traceback that repeats it, and the request."""
        record.msg, record.args = "a request asked for a host that ALLOWED_HOSTS does not name", ()
        record.exc_info = record.exc_text = None
        record.__dict__.pop("request", None)
        return True
