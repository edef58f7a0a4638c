import numpy as np
import pytest

from privacy.estimation import counting
from privacy.estimation.counting import ReportsCorrupt, count, count_packed
from privacy.mechanisms.catalogue import configure

SPINNER = configure("spinner", "1", 5)
WIDE = configure("spinner-coin", "5", 256)
COIN = configure("coin", "1", 4, tosses=6)
DRAWN = configure("one-box", "1", 3, boxes=7)
EVERY = configure("every-box", "3", 2, boxes=3)
QUESTIONNAIRES = [
    [SPINNER],
    [WIDE, SPINNER],
    [SPINNER, DRAWN],
    [DRAWN, SPINNER, DRAWN],
    [SPINNER, WIDE, COIN, EVERY, DRAWN, COIN],
    [EVERY, EVERY],
    [DRAWN],
]


def ranges(mechanism):
    """How many values each byte of a report can take."""
    if mechanism is DRAWN:
        return [DRAWN.boxes, DRAWN.choices]
    return [mechanism.choices] * mechanism.width


def packed_reports(mechanisms, n, seed=3):
    generator = np.random.default_rng(seed)
    limits = [limit for mechanism in mechanisms for limit in ranges(mechanism)]
    return np.stack([generator.integers(0, limit, n, dtype=np.uint8) for limit in limits], axis=1)


def slowly(mechanism, rows):
    """The definition: decode each report and count it."""
    cells = np.zeros(mechanism.cells, dtype=np.int64)
    for row in rows:
        report = mechanism.decode(row.tobytes())
        if mechanism is DRAWN:
            cells[report[0] * mechanism.choices + report[1]] += 1
        elif mechanism is EVERY:
            for box, answer in enumerate(report):
                cells[box * mechanism.choices + answer] += 1
        else:
            cells[report] += 1
    return cells


@pytest.mark.parametrize("mechanisms", QUESTIONNAIRES)
def test_a_tally_counts_what_decoding_each_report_counts(mechanisms):
    packed, start = packed_reports(mechanisms, 700), 0
    for mechanism, tally in zip(mechanisms, count_packed(mechanisms, packed), strict=True):
        columns = packed[:, start : start + mechanism.width]
        assert tally.dtype == np.int64
        assert (tally == slowly(mechanism, columns)).all()
        assert (count(mechanism, np.ascontiguousarray(columns)) == tally).all()
        start += mechanism.width


def test_a_tally_does_not_depend_on_how_many_rows_are_counted_at_once(monkeypatch):
    packed = packed_reports(QUESTIONNAIRES[4], 1000)
    whole = count_packed(QUESTIONNAIRES[4], packed)
    monkeypatch.setattr(counting, "_ROWS", 77)
    for at_once, in_parts in zip(whole, count_packed(QUESTIONNAIRES[4], packed), strict=True):
        assert (at_once == in_parts).all()


def test_columns_of_a_larger_table_are_counted_too():
    packed = packed_reports([SPINNER, WIDE, COIN], 300)
    assert (count(WIDE, packed[:, 1:2]) == slowly(WIDE, packed[:, 1:2])).all()


@pytest.mark.parametrize("n", [0, 1, 2, 7, 8])
def test_a_single_question_is_counted_two_rows_at_a_time(n):
    packed = packed_reports([SPINNER], n)
    assert (count(SPINNER, packed) == slowly(SPINNER, packed)).all()


def test_a_questionnaire_without_questions_has_no_tallies():
    assert count_packed([], np.zeros((3, 0), dtype=np.uint8)) == []


def test_no_reports_are_counted_as_none():
    tallies = count_packed(QUESTIONNAIRES[4], np.zeros((0, 9), dtype=np.uint8))
    assert [len(tally) for tally in tallies] == [mechanism.cells for mechanism in QUESTIONNAIRES[4]]
    assert not any(tally.any() for tally in tallies)


@pytest.mark.parametrize("byte", range(9))
def test_a_byte_out_of_range_is_never_counted(byte):
    mechanisms = QUESTIONNAIRES[4]
    packed = packed_reports(mechanisms, 50)
    limits = [limit for mechanism in mechanisms for limit in ranges(mechanism)]
    if limits[byte] == 256:
        return
    packed[17, byte] = limits[byte]
    with pytest.raises(ReportsCorrupt):
        count_packed(mechanisms, packed)


def test_rows_of_another_width_are_refused():
    with pytest.raises(ReportsCorrupt):
        count(DRAWN, np.zeros((4, 3), dtype=np.uint8))
