"""One ASGI application: the intake of reports in front, Django in threads behind it."""

import gc
import os
from typing import Any, cast

import django
from a2wsgi import WSGIMiddleware

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from deploy.wsgi import application as pages  # noqa: E402  (after setup)
from surveys.intake.application import Intake  # noqa: E402

# The adapter's types are narrower than the two protocols it joins.
_pages: Any = WSGIMiddleware(cast("Any", pages), workers=8)

application = Intake(behind=_pages)

# What was loaded stays for ever: without this every full collection walks all of it while reports wait.
gc.collect()
gc.freeze()
