"""What the note codes of results say: one text for pages and downloads."""

from collections.abc import Iterable

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

# Beside a whole document.
DOCUMENT_NOTES = {
    "open-survey": _(
        "Open survey: anyone can answer more than once. How far one false report moves a share is told beside it "
        "(column one_liar)."
    ),
    "simulated": _("Simulated: nobody was asked."),
    "fewer-than-minimum": _("With fewer than {minimum} answers the results page would show nothing."),
    "one-batch": _(
        "Fewer than {pool} people answered: their reports were not mixed in several batches but as one, at closing."
    ),
    "perhaps-one-batch": _(
        "If fewer than {pool} people answered in all, their reports were not mixed in several batches but as one, "
        "at closing."
    ),
    "population-exceeded": _(
        "There are more answers than people who can answer: some answered more than once, or the number of people is "
        "wrong. Intervals are therefore not narrowed for a finite population."
    ),
    "questions-withheld": _(
        "Some questions that several versions ask alike are not joined here: joined, they would stand for fewer than "
        "{minimum} answers or reveal so few by subtraction."
    ),
}
# Beside a question or a box.
PART_NOTES = {
    "negative-estimate": _(
        "An estimate is below zero: so few people gave this answer that chance alone made fewer reports of it than "
        "expected. Read it as “close to zero”; the interval says how close."
    ),
    "estimate-above-one": _(
        "An estimate is above 100 %: nearly everybody gave this answer, and chance added reports of it. Read it as "
        "“close to everybody”."
    ),
    "too-few-asked": _("Too few people were asked to say what they answered among themselves."),
    "no-reports": _("Nobody has reported anything here, so nothing can be said."),
    "pooled-versions": _(
        "Answers to several versions are joined, each under the odds that it was given with."
    ),
    "box-withheld": _(
        "Withheld: fewer than {minimum} reports fell on this box, or on boxes whose number would follow by "
        "subtraction."
    ),
}
NOTES = {**DOCUMENT_NOTES, **PART_NOTES}


def note_text(code: str) -> str:
    """Return what a code says in the language of the moment."""
    return str(NOTES[code]).format(minimum=settings.MINIMUM_N, pool=2 * settings.POOL_SIZE)


def notes_in(language: str, codes: Iterable[str]) -> str:
    """Return what codes say in a language, one after the other."""
    with override(language):
        return " ".join(map(note_text, codes))
