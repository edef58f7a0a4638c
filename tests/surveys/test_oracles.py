"""Refusals tell a researcher nothing of surveys that were not granted, not even whether there are any."""

from typing import Any

import pytest

from surveys.models import Grant
from tests import cast

pytestmark = pytest.mark.usefixtures("built")
ADDRESSES = ("/surveys/{}/results", "/surveys/{}/edit", "/surveys/{}/try", "/api/v1/surveys/{}/estimates/")


def told(client: Any, address: str) -> tuple[int, str]:
    response = client.get(address)
    return response.status_code, response.content.decode()


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_survey_not_granted_is_not_told_from_none(
    client: Any, owner: Any, researcher: Any, address: str
) -> None:
    survey = cast.published(owner).survey
    client.force_login(researcher, backend="django.contrib.auth.backends.ModelBackend")
    there, missing = (told(client, address.format(slug)) for slug in ("habits", "nothin"))
    assert there[0] == missing[0] == 403
    assert there[1].replace("habits", "nothin") == missing[1]
    # The control: granted, the results page differs.
    Grant.objects.create(survey=survey, researcher=researcher)
    assert (told(client, address.format("habits"))[0] != 403) == (address in (ADDRESSES[0], ADDRESSES[3]))


def test_an_admin_learns_that_there_is_none(client: Any, owner: Any) -> None:
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    assert told(client, ADDRESSES[0].format("nothing"))[0] == 404
