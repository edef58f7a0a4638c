"""What an admin hands out, and is told about odds, is what the respondents' page will say and check."""

from typing import Any

import pytest
from django.test import Client

from surveys.models import Survey, Version
from surveys.pages.planning import plan_context
from surveys.pages.sharing import qr_code
from tests import cast

BACKEND = "django.contrib.auth.backends.ModelBackend"


def test_link_text_and_code_carry_the_fingerprint(client: Client, owner: Any, version: Version) -> None:
    client.force_login(owner, backend=BACKEND)
    html = client.get("/surveys/habits/share").content.decode()
    link = f"http://testserver/s/habits/#f={version.fingerprint}"
    assert f'value="{link}"' in html
    assert f"\n{link}\n" in html
    assert qr_code(link)["path"] in html


def test_the_link_of_a_draft_has_no_fingerprint_yet(client: Client, owner: Any, draft: Survey) -> None:
    client.force_login(owner, backend=BACKEND)
    assert "#f=" not in client.get("/surveys/habits/share").content.decode()


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({**cast.YES_NO, "epsilon": "1"}, ""),
        ({**cast.MULTIPLE, "protocol": "one-box"}, "one-box"),
        ({**cast.MULTIPLE, "protocol": "every-box"}, "every-box"),
    ],
)
def test_the_odds_of_a_multiple_choice_are_told_as_those_of_a_box(values: Any, told: str) -> None:
    assert plan_context(values, {})["plan"]["told_by_box"] == told
