"""Makes the peer's database with a survey of ten questions, and prints the form that answers it."""

import os
import urllib.parse

import psycopg

with psycopg.connect(
    host="127.0.0.1", port=os.environ["PEER_PORT"], user="deniable", dbname="deniable", autocommit=True
) as connection:
    connection.execute("DROP DATABASE IF EXISTS peer")
    connection.execute("CREATE DATABASE peer")

import peer  # noqa: F401
from django.core.management import call_command
from survey.models import Question, Survey

call_command("migrate", verbosity=0)
asked = Survey.objects.create(
    name="Ten",
    description="Ten",
    is_published=True,
    need_logged_user=False,
    display_method=Survey.ALL_IN_ONE_PAGE,
)
questions = [
    Question.objects.create(
        text=f"Question {at}?", order=at, required=True, survey=asked, type=Question.RADIO, choices="yes,no"
    )
    for at in range(10)
]
print(urllib.parse.urlencode({f"question_{one.pk}": "yes" for one in questions}))
