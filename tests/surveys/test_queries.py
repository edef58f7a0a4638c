"""A query is charged once and answered once, whoever asks it, however it is spelt and whatever is killed."""

import io
import json
import logging
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db.models import F
from django.utils import timezone

from aggregator import queries, tasks
from privacy.policy.errors import QueryRefused
from surveys.errors import BudgetExhausted, NotAllowed, QueryUnknown, SourceClosed
from surveys.models import AuditEntry, QueryRun, Source
from surveys.services import queries as services
from surveys.services.ledger import budget_set
from surveys.services.queries import query_answer, query_get, query_plan
from surveys.services.sources import source_close, source_policy_set
from surveys.sources.service import shipped
from tests import cast, people

pytestmark = pytest.mark.usefixtures("asleep")
HALF = 500_000
State = QueryRun.State


def test_a_query_is_charged_before_it_runs(owner: Any) -> None:
    submitted = people.ask(owner)
    assert submitted.fresh
    assert (submitted.run.state, submitted.run.answer, people.micro_spent()) == (State.CHARGED, None, HALF)


@pytest.mark.parametrize(
    "spelling",
    [
        "select count(*) from respondent",
        "SELECT\n  COUNT( * )  FROM Respondent AS r -- everybody",
        "select count(*) as n from respondent x",
    ],
)
def test_an_equal_query_is_not_charged_again(owner: Any, researcher: Any, spelling: str) -> None:
    people.share(owner, researcher, HALF)
    first = people.ask(owner)
    again = people.ask(researcher, spelling)
    assert (again.fresh, again.run.pk, people.micro_spent()) == (False, first.run.pk, HALF)
    # While it runs, and when it is done.
    QueryRun.objects.update(state=State.RUNNING)
    assert people.ask(owner, spelling).run.pk == first.run.pk
    QueryRun.objects.update(state=State.DONE, answer={"rows": []})
    assert people.ask(owner, spelling).run.pk == first.run.pk
    assert people.micro_spent() == HALF


@pytest.mark.parametrize(
    "more", [{"epsilon": "0.6"}, {"sql": "SELECT COUNT(*) FROM invitation"}, {"delta": "1e-9"}]
)
def test_another_query_is_another_charge(owner: Any, more: dict[str, str]) -> None:
    people.ask(owner)
    assert people.ask(owner, **more).fresh
    assert people.micro_spent() > HALF


def test_epsilons_that_round_up_to_the_same_are_the_same(owner: Any) -> None:
    first = people.ask(owner, epsilon="0.4999991")
    assert people.ask(owner, epsilon="0.49999995").run.pk == first.run.pk


def test_other_data_and_other_labels_are_other_queries(owner: Any) -> None:
    first = people.ask(owner).run.pk
    people.filled(owner)
    second = people.ask(owner).run.pk
    source_policy_set(actor=owner, source=people.service(), document=shipped()["policy"])
    third = people.ask(owner).run.pk
    assert (len({first, second, third}), people.micro_spent()) == (3, 3 * HALF)


def test_an_exhausted_budget_leaves_no_run(owner: Any) -> None:
    people.budget(owner, HALF - 1)
    with pytest.raises(BudgetExhausted):
        people.ask(owner)
    assert (QueryRun.objects.count(), people.micro_spent()) == (0, 0)


def test_a_stored_answer_is_free_when_nothing_is_left(owner: Any) -> None:
    people.budget(owner, HALF)
    first = people.ask(owner)
    assert people.ask(owner).run.pk == first.run.pk


def test_a_public_answer_costs_nothing(owner: Any) -> None:
    submitted = people.ask(owner, "SELECT COUNT(*) FROM survey")
    assert (submitted.run.charged, people.micro_spent()) == (0, 0)


def test_a_refused_query_costs_nothing_and_touches_nothing(owner: Any) -> None:
    with pytest.raises(QueryRefused):
        people.ask(owner, "SELECT reference FROM respondent")
    with pytest.raises(QueryRefused):
        people.ask(owner, "DELETE FROM respondent")
    assert (QueryRun.objects.count(), people.micro_spent()) == (0, 0)


def test_a_closed_source_is_not_asked(owner: Any) -> None:
    source_close(actor=owner, source=people.service())
    with pytest.raises(SourceClosed):
        people.ask(owner)
    assert people.micro_spent() == 0


def test_strangers_and_ungranted_researchers_ask_nothing(
    researcher: Any, stranger: Any, auditor: Any
) -> None:
    for actor in (researcher, stranger, auditor):
        with pytest.raises(NotAllowed):
            people.ask(actor)


def test_several_kinds_of_entity_take_the_larger_sensitivity_and_charge_each(owner: Any) -> None:
    source = people.service()
    everything = dict.fromkeys(shipped()["schema"], "DEL")
    source_policy_set(
        actor=owner,
        source=source,
        document={"entity": "panel", "labels": everything, "max_rows_per_entity": {"respondent": 7}},
    )
    # Closed until its new cap is checked, as other tests tell.
    type(source).objects.update(state="open")
    people.budget(owner, 10 * HALF)
    asked = query_plan(source=people.service(), sql=people.COUNT)
    assert (asked.plan.l1, asked.entities) == (7, ("panel", "respondent"))
    with pytest.raises(BudgetExhausted):
        people.ask(owner)
    assert people.micro_spent() == 0
    panels = budget_set(actor=owner, source=source, entity="panel", total=HALF)
    people.ask(owner)
    panels.refresh_from_db()
    assert (panels.spent, people.micro_spent()) == (HALF, HALF)


@pytest.mark.django_db(transaction=True)
class TestRunning:
    """Workers open the source on a connection of their own: nothing may be left in a transaction."""

    @pytest.fixture(autouse=True)
    def cast(self, transactional_db: None) -> None:
        self.owner = cast.person("owner", "admin")
        self.researcher = cast.person("researcher", "researcher")

    def test_a_run_is_answered_once(self, engine: None) -> None:
        run = people.answered(self.owner)
        assert run.state == State.DONE
        queries.query_run(run.pk)
        assert QueryRun.objects.get(pk=run.pk).answer == run.answer
        assert people.micro_spent() == HALF

    def test_a_run_that_a_crash_left_is_run_again_at_the_same_charge(self, engine: None) -> None:
        run = people.ask(self.owner).run
        QueryRun.objects.filter(pk=run.pk).update(state=State.RUNNING)
        queries.query_run(run.pk)
        assert QueryRun.objects.get(pk=run.pk).state == State.DONE
        assert people.micro_spent() == HALF

    def test_a_run_is_one_workers_until_its_lease_ends(self) -> None:
        run = people.ask(self.owner).run
        assert services.query_begin(run_id=run.pk) is not None
        assert (services.query_begin(run_id=run.pk), list(services.runs_unfinished())) == (None, [])
        until = QueryRun.objects.get(pk=run.pk).leased_until
        assert until is not None
        assert until - timezone.now() > timedelta(seconds=settings.QUERY_SECONDS)
        # Its worker was killed.
        QueryRun.objects.update(leased_until=timezone.now())
        assert list(services.runs_unfinished()) == [run.pk]
        assert services.query_begin(run_id=run.pk) is not None

    def test_a_run_that_ends_every_worker_fails_after_three(self, engine: None) -> None:
        run = people.ask(self.owner).run
        for _ in range(services.TRIES):
            assert services.query_begin(run_id=run.pk) is not None
            # While a worker has it, nobody ends it.
            assert services.query_begin(run_id=run.pk) is None
            assert QueryRun.objects.get(pk=run.pk).state == State.RUNNING
            QueryRun.objects.update(leased_until=timezone.now())
        queries.query_run(run.pk)
        run.refresh_from_db()
        assert (run.state, run.answer, people.micro_spent()) == (State.FAILED, None, HALF)
        assert run.released_at is not None
        assert list(services.runs_unfinished()) == []

    def test_other_data_than_were_charged_for_give_no_answer(self, engine: None) -> None:
        run = people.ask(self.owner).run
        people.filled(self.owner)
        queries.query_run(run.pk)
        assert QueryRun.objects.get(pk=run.pk).state == State.FAILED

    def test_data_that_change_while_they_are_measured_give_no_answer(self) -> None:
        drawn: list[int] = []

        def engine(*_: Any, **__: Any) -> Any:
            Source.objects.update(data_version=F("data_version") + 1)
            return lambda: drawn.append(1) or {"rows": [[1]]}

        with people.engine_of(engine):
            assert (people.answered(self.owner).state, drawn) == (State.FAILED, [])

    def test_of_two_workers_one_draws(self, engine: None) -> None:
        run = people.ask(self.owner).run
        draws: list[int] = []

        def draw(number: int) -> Any:
            return lambda: draws.append(number) or {"rows": [[number]]}

        assert query_answer(run_id=run.pk, draw=draw(1))
        assert not query_answer(run_id=run.pk, draw=draw(2))
        assert (draws, QueryRun.objects.get(pk=run.pk).answer) == ([1], {"rows": [[1]]})

    def test_a_failure_says_nothing_and_stays_charged(self, caplog: pytest.LogCaptureFixture) -> None:
        def engine(*_: Any, **__: Any) -> Any:
            raise ValueError("division by zero in row 홍길동-marker")

        with people.engine_of(engine), caplog.at_level(logging.DEBUG):
            run = people.answered(self.owner)
        assert (run.state, run.answer, people.micro_spent()) == (State.FAILED, None, HALF)
        assert "marker" not in caplog.text
        everything = io.StringIO()
        call_command("dumpdata", "surveys", stdout=everything)
        assert "marker" not in everything.getvalue()

    def test_noise_that_cannot_be_drawn_is_a_failure_too(self) -> None:
        def draw() -> Any:
            raise OverflowError("marker")

        with people.engine_of(lambda *_, **__: draw):
            assert people.answered(self.owner).state == State.FAILED

    def test_a_source_that_was_closed_meanwhile_gives_no_answer(self, engine: None) -> None:
        run = people.ask(self.owner).run
        source_close(actor=self.owner, source=people.service())
        queries.query_run(run.pk)
        assert QueryRun.objects.get(pk=run.pk).state == State.FAILED

    def test_a_run_keeps_the_labels_that_it_was_charged_under(self, engine: None) -> None:
        run = people.ask(self.owner).run
        seen: list[Any] = []

        def watching(plan: Any, *rest: Any, **more: Any) -> Any:
            seen.append(plan.policy.label("invitation").text)
            return people.drawing()(plan, *rest, **more)

        labels = {**shipped()["policy"]["labels"], "invitation": {"REP": ["respondent_id", "issued"]}}
        document = {"entity": "respondent", "labels": labels}
        source_policy_set(actor=self.owner, source=people.service(), document=document)
        with people.engine_of(watching):
            queries.query_run(run.pk)
        assert seen == ["DEL"]

    def test_the_sweep_finds_what_no_wake_up_reached(
        self, engine: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = people.ask(self.owner).run
        asked: list[int] = []
        monkeypatch.setattr(tasks.run_query, "apply_async", lambda args, **_: asked.append(*args))
        tasks.sweep()
        assert asked == [run.pk]
        tasks.run_query(run.pk)
        tasks.sweep()
        assert asked == [run.pk]

    def test_a_charge_wakes_a_worker(self, monkeypatch: pytest.MonkeyPatch) -> None:
        woken: list[int] = []
        monkeypatch.setattr(tasks, "wake_query", woken.append)
        assert woken == [people.ask(self.owner).run.pk]

    def test_the_command_answers_and_explains(self, engine: None, settings: Any) -> None:
        settings.QUERY_SECONDS = 1.0
        told = [dpsql("service", people.COUNT, "--epsilon", "0.5") for _ in range(2)]
        assert told[0]["answer"] == told[1]["answer"]
        assert [one["charged_now"] for one in told] == ["0.500000", "0.000000"]
        assert people.micro_spent() == HALF
        explained = dpsql("service", people.COUNT, "--explain")
        assert (explained["sensitivity"], explained["public"]) == (1.0, False)
        assert people.micro_spent() == HALF

    @pytest.mark.parametrize(
        "arguments",
        [("nothing", "SELECT 1", "--epsilon", "1"), ("service", "SELECT id FROM respondent", "--epsilon", "1"),
         ("service", people.COUNT), ("service", people.COUNT, "--epsilon", "much"),
         ("service", people.COUNT, "--epsilon", "99")],
    )  # fmt: skip
    def test_the_command_refuses_in_one_line(
        self, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit) as caught:
            call_command("dpsql", *arguments)
        said = capsys.readouterr().err
        assert (caught.value.code, said.count("\n"), said[:7]) == (2, 1, "error: ")
        assert people.micro_spent() == 0


def dpsql(*arguments: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("dpsql", *arguments, stdout=out)
    told: dict[str, Any] = json.loads(out.getvalue())
    return told


def test_only_who_asked_reads_an_answer(owner: Any, researcher: Any, auditor: Any) -> None:
    run = people.ask(owner).run
    people.share(owner, researcher, HALF)
    assert query_get(actor=owner, run_id=run.pk).pk == run.pk
    for actor in (researcher, auditor):
        with pytest.raises(NotAllowed):
            query_get(actor=actor, run_id=run.pk)
        # Whether there is such a query is told to nobody else.
        with pytest.raises(NotAllowed):
            query_get(actor=actor, run_id=run.pk + 1)
    people.ask(researcher)
    assert query_get(actor=researcher, run_id=run.pk).pk == run.pk
    with pytest.raises(QueryUnknown):
        query_get(actor=owner, run_id=run.pk + 1)


def test_a_charge_is_in_the_audit_log_and_the_query_is_not(owner: Any) -> None:
    people.ask(owner)
    entry = AuditEntry.objects.get(action="budget.charge")
    assert entry.subject == "service"
    assert "COUNT" not in json.dumps(entry.facts)
