"""A university whose students keep what its schema declares: at most six enrolments, twenty in a section."""

from collections.abc import Iterator
from random import Random
from typing import Any

Rows = list[dict[str, Any]]
STUDENTS, FACULTY, COURSES, SECTIONS = 200, 25, 35, 60


def university(seed: int = 4) -> dict[str, Rows]:
    """Return the rows of every relation; numbers in units, the same for the same seed."""
    draw = Random(seed)
    students: Rows = [{"u_uid": at, "u_name": f"student {at}", "u_major": "maths"} for at in range(STUDENTS)]
    paid = draw.sample(range(STUDENTS), STUDENTS // 4)
    return {
        "student": students,
        "faculty": [{"f_fid": at, "f_name": f"member {at}", "f_salary": 5_000_000} for at in range(FACULTY)],
        "course": [{"c_cid": at, "c_title": f"course {at}", "c_credits": 3} for at in range(COURSES)],
        # At most three sections of a member, two of a course.
        "section": [{"s_sid": at, "s_fid": at % FACULTY, "s_cid": at % COURSES} for at in range(SECTIONS)],
        "enrollment": list(_enrolled(draw, "")),
        "enrollment2": list(_enrolled(draw, "2")),
        "scholarship": [{"sc_scid": at, "sc_uid": uid, "sc_amount": 50_000} for at, uid in enumerate(paid)],
    }


def _enrolled(draw: Random, which: str) -> Iterator[dict[str, Any]]:
    number, left = 0, dict.fromkeys(range(SECTIONS), 20)
    for student in range(STUDENTS):
        # Five, or six, or four: a thousand in all at most, as the keys go to 1000.
        free = [section for section, places in left.items() if places]
        for section in draw.sample(free, min(len(free), draw.choice([4, 5, 5, 5, 6]))):
            left[section] -= 1
            known = draw.random() < 0.9
            yield {
                f"e_eid{which}": number,
                f"e_sid{which}": section,
                f"e_uid{which}": student,
                f"e_grade{which}": draw.randint(5000, 10_000) if known else None,
                f"e_review{which}": draw.randint(1, 5) if known else None,
            }
            number += 1
