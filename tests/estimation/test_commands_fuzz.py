"""Whatever is typed, manage.py estimate and manage.py plan answer, or refuse in one line; neither breaks."""

import io
import json
import math
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

import pytest
from django.core.management import load_command_class
from hypothesis import example, given, settings
from hypothesis import strategies as st

FEW = settings(max_examples=300)


def run(name, *words, stdin=""):
    """Run a command as its shell does, in this process; return exit status, what it printed and what it refused."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    command = load_command_class("surveys", name)
    command.stdout._out = out
    typed = io.TextIOWrapper(io.BytesIO(stdin.encode(errors="surrogatepass")))
    with redirect_stdout(out), redirect_stderr(err), mock.patch("sys.stdin", typed):
        try:
            command.run_from_argv(["manage.py", name, *words])
        except SystemExit as end:
            status = end.code
    return status, out.getvalue(), err.getvalue()


def finite(value):
    """Say whether every number in a document is one."""
    if isinstance(value, dict | list):
        return all(map(finite, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float) or math.isfinite(value)


def answers_or_refuses(status, out, err):
    if status == 0:
        return finite(json.loads(out)) and err == ""
    return (status, out) == (2, "") and err.startswith("error: ") and err.count("\n") == 1 and ": " in err[7:]


NUMBERS = st.one_of(
    st.integers(-2, 300),
    st.integers(-(10**400), 10**400),
    st.floats(),
    st.sampled_from(
        ["1e-200", "1e-6", "0.5", "1e400", "9" * 400, "9" * 5000, "½", "٣", "", " 1", "-", "nan"]
    ),
).map(str)
EPSILONS = st.one_of(st.sampled_from(["1", "ln(3)", "0.01", "16", "ln(1)", "1.", "0"]), st.text(), NUMBERS)
OPTIONS = ("--n", "--prevalence", "--margin", "--level", "--boxes", "--tosses")


@FEW
@given(
    EPSILONS,
    st.one_of(st.sampled_from(["2", "5"]), NUMBERS),
    st.sampled_from(["spinner", "spinner-coin", "coin", "one-box", "every-box", "ouija"]),
    st.dictionaries(st.sampled_from(OPTIONS), NUMBERS),
)
@example("1", "2", "spinner", {"--margin": "1e-200"})
@example("1", "2", "spinner", {"--n": "9" * 400})
@example("1", "2", "spinner", {"--prevalence": "1e-320"})
@example("1", "2", "spinner", {"--level": "1e-300", "--margin": "0.1"})
def test_a_plan_of_anything_is_an_answer_or_one_line(epsilon, choices, protocol, options):
    words = [f"{name}={value}" for name, value in options.items()]
    told = run(
        "plan", f"--epsilon={epsilon}", f"--choices={choices}", f"--protocol={protocol}", "--json", *words
    )
    assert answers_or_refuses(*told), told
    assert (
        told[0] == 2
        or run("plan", f"--epsilon={epsilon}", f"--choices={choices}", f"--protocol={protocol}", *words)[0]
        == 0
    )


CHANCES = st.one_of(
    st.sampled_from([0, 1, 0.25, 0.75, "1/3", 1e-300, "1e-400"]), st.floats(), st.text(max_size=3)
)
COUNTS = st.one_of(
    st.sampled_from([0, 1, 50, 2**31, 4 * 10**9, 2**53 - 1]), st.integers(), st.floats(), st.none()
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
PAIR = st.fixed_dictionaries({"p_yes_if_yes": CHANCES, "p_yes_if_no": CHANCES})
SPUN = st.fixed_dictionaries(
    {
        "protocol": st.sampled_from(["spinner", "spinner-coin", "coin"]) | ANYTHING,
        "epsilon": EPSILONS | ANYTHING,
        "choices": st.integers(1, 4) | ANYTHING,
    }
)
TOSSED = st.fixed_dictionaries(
    {
        "protocol": st.just("coin"),
        "tosses": st.integers(-1, 40) | ANYTHING,
        "truth": st.integers(-1, 10) | ANYTHING,
        "choices": st.integers(1, 4) | ANYTHING,
    }
)
MATRIX = st.integers(1, 3).flatmap(
    lambda k: st.lists(st.lists(CHANCES, min_size=k, max_size=k), min_size=k, max_size=k)
)
CHANNELS = PAIR | SPUN | TOSSED | st.fixed_dictionaries({"matrix": MATRIX}) | ANYTHING
LISTS = st.lists(COUNTS, max_size=4) | ANYTHING
CASES = st.fixed_dictionaries(
    {"channel": CHANNELS, "counts": LISTS},
    optional={
        "id": ANYTHING,
        "level": st.sampled_from([0.5, 0.95, 0.999999]) | ANYTHING,
        "population": COUNTS | ANYTHING,
        "variance": st.sampled_from(["population", "respondents"]) | ANYTHING,
    },
)
JOINT = st.fixed_dictionaries(
    {"channels": st.lists(CHANNELS, max_size=3), "table": st.lists(LISTS, max_size=3)}
)


@FEW
@given(CASES | JOINT | st.lists(CASES, max_size=2) | ANYTHING)
@example({"channel": {"p_yes_if_yes": 0.75, "p_yes_if_no": 0.25}, "counts": [10**9, 3 * 10**9]})
@example({"channel": {"p_yes_if_yes": "1e-300", "p_yes_if_no": 0}, "counts": [3, 4]})
def test_a_case_of_anything_is_an_answer_or_one_line(case):
    told = run("estimate", "--case", "-", stdin=json.dumps(case))
    assert answers_or_refuses(*told), told


@FEW
@given(st.text())
@example("[" * 100_000)
@example('{"id": "\\ud800", "channel": {}}')
@example("9" * 5000)
def test_text_that_is_no_case_is_refused_in_one_line(text):
    told = run("estimate", "--case", "-", stdin=text)
    assert answers_or_refuses(*told), told


def test_a_command_that_breaks_would_be_noticed():
    """The control: a calculator that divides by zero is not an answer, nor a refusal."""
    broken = mock.patch("surveys.management.commands.estimate.calculate", side_effect=ZeroDivisionError)
    with broken, pytest.raises(ZeroDivisionError):
        run("estimate", "--case", "-", stdin="{}")
    assert not answers_or_refuses(1, "", "Traceback …\n")
    assert not answers_or_refuses(0, '{"n_needed": Infinity}', "")
