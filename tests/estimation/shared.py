"""Where the published cases and the sample file are; a clone elsewhere does without them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(os.environ.get("DENIABLE_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))
CASES = SHARED / "cases" / "randomized_response_cases.json"
YRBS = SHARED / "samples" / "yrbs2019.sav"

needs_cases = pytest.mark.skipif(not CASES.exists(), reason=f"the published cases are not at {CASES}")
needs_yrbs = pytest.mark.skipif(not YRBS.exists(), reason=f"the sample file is not at {YRBS}")


def published_cases() -> dict[str, dict[str, Any]]:
    """The published surveys by their ids; none where the folder is absent."""
    if not CASES.exists():
        return {}
    return {case["id"]: case for case in json.loads(CASES.read_text())["cases"]}
