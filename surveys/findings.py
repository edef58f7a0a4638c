"""What a designer is told beside a field: one message for each code of a finding."""

from django.utils.translation import gettext_lazy as _

from surveys.errors import Finding

# What keeps a survey from being saved or published.
REFUSALS = {
    "required": _("This is needed."),
    "slug-malformed": _("Use small letters, digits and hyphens, at most 60; begin with a letter or digit."),
    "slug-reserved": _("“new” cannot be an address: /surveys/new is the page on which surveys are made."),
    "slug-taken": _("Another survey has this address."),
    "slug-retired": _(
        "A survey that was deleted had this address. It is never used again: a report drawn for that survey "
        "could be counted in another."
    ),
    "slug-fixed": _("The address of a survey that was published cannot change."),
    "title-missing": _("Give a title in at least one language."),
    "text-missing": _("Give a text in at least one language."),
    "too-long": _("At most %(most)s characters."),
    "unprintable": _("There is a character in it that cannot be shown. Type the text anew."),
    "time-invalid": _("Give a time between the years %(least)s and %(most)s."),
    "number-invalid": _("Give a whole number from %(least)s to %(most)s."),
    "kind-unknown": _("There is no such kind of question."),
    "protocol-unknown": _("There is no such protocol."),
    "protocol-misfit": _("This protocol does not fit this kind of question."),
    "choices-malformed": _("Each answer needs an id and a text in at least one language."),
    "choices-count": _("Give from %(least)s to %(most)s answers; there are %(count)s."),
    "choice-too-long": _("Answer %(number)s: at most %(most)s characters."),
    "choice-unprintable": _(
        "Answer %(number)s: there is a character in it that cannot be shown. Type the text anew."
    ),
    "choice-id-repeated": _("Two answers have the id “%(id)s”."),
    "choice-id-malformed": _("“%(id)s” cannot be an id: use letters, digits and hyphens, at most 20."),
    "condition-empty": _("Tick at least one answer, or show the question to everybody."),
    "condition-malformed": _("The condition cannot be read."),
    "condition-not-earlier": _("“%(question)s” is not an earlier question."),
    "condition-no-choice": _("“%(question)s” has no answer “%(choice)s”."),
    "epsilon-malformed": _("Write ε as a number with at most four decimals, such as 1.5, or as ln(3)."),
    "epsilon-out-of-range": _("ε must lie between 0.01 and 16."),
    "epsilon-share-too-small": _(
        "Each box is answered at ε divided by the number of boxes, %(boxes)s, and that must be at least 0.01: "
        "raise ε to at least %(least)s."
    ),
    "epsilon-infinite": _("A report would prove or rule out an answer: ε would be infinite."),
    "tosses-needed": _("Say how many coins are tossed, from 1 to 32."),
    "tosses-too-few": _("So few tosses cannot reach such a small ε: toss more coins."),
    "truth-not-favoured": _("At this ε no answer would be reported more often when it is true: raise ε."),
    "mechanism-refused": _("These settings cannot be randomised: %(why)s"),
    "epsilon-total": _(
        "All questions together cost ε %(total)s; the ceiling is %(ceiling)s. To allow it, raise the ceiling to at "
        "least %(total)s."
    ),
    "ceiling-out-of-range": _("The ceiling must lie between 0.01 and 64: more is never asked on a device."),
    "closing-missing": _(
        "Say when the survey closes: at a time, at a number of answers, or at whichever is first."
    ),
    "closing-past": _("The closing time must lie in the future."),
    "not-a-researcher": _("This account is no researcher."),
    "amount-invalid": _(
        "It must lie between %(least)s and %(most)s millionths of ε: what is spent stays spent."
    ),
    "name-malformed": _(
        "Use small letters, digits, hyphens and underscores, at most 60; begin with a letter."
    ),
    "name-taken": _("This name is taken."),
    "source-kind-unknown": _("There is no such kind of source."),
    "connection-unknown": _("The settings name no such connection; those that there are: %(known)s."),
    "connection-other": _("The connection leads to another kind of database."),
    "connection-taken": _(
        "A source with this database is registered already: a second one would have a budget of its own for the "
        "same people."
    ),
    "checks-used": _(
        "The %(most)s checks of today that told something are used up: each tells an exact fact about the data, "
        "without noise. If the data changed, close the source; check it again tomorrow, or let an operator run "
        "manage.py check_source."
    ),
    "source-opened": _(
        "This source passed a check or was asked already: what it declares stays, and so does its budget."
    ),
    "source-told": _(
        "Checks of this source told something about its data already. Declared anew again and again, they would tell "
        "exact values: an operator can do it, with manage.py register_source --again."
    ),
    "source-asked": _("This source was asked already: what it declares stays, and so does its budget."),
    "domain-narrowed": _(
        "A value that was declared stays: whether it can go would tell whether somebody has it."
    ),
    "organisation-kind-unknown": _("There is no such kind of organisation."),
    "date-past": _("Give a day that is not past."),
    "domain-malformed": _(
        "Give the possible values of each trait once each, at most 200 of at most 80 characters."
    ),
    "changed-meanwhile": _(
        "The questionnaire was changed after this page was shown: nothing was published. Look at it again."
    ),
    "target-lowered": _(
        "A published target can only rise or be taken away: a lower one would tell how many have answered."
    ),
    "nothing-asked": _("There is no question to answer yet."),
    "ids-repeated": _("Two questions have the same id."),
}
# What a designer should think about; it does not stop a publication.
WARNINGS = {
    "asks-name": _("This seems to ask for a name. Whoever is named cannot deny an answer."),
    "asks-phone": _("This seems to ask for a phone number. It tells who answered."),
    "asks-email": _("This seems to ask for an e-mail address. It tells who answered."),
    "asks-address": _("This seems to ask for a postal address. It tells who answered."),
    "asks-resident-number": _(
        "This seems to ask for a resident registration number. Without a basis in law it must not be collected."
    ),
    "asks-id-number": _("This seems to ask for the number of an identity document. It tells who answered."),
    "asks-student-number": _("This seems to ask for a student or staff number. It tells who answered."),
    "asks-account": _(
        "This seems to ask for a bank account, a card or an account online. It tells who answered."
    ),
    "asks-birth-date": _(
        "This seems to ask for a full date of birth. With other answers it tells who answered."
    ),
    "branch-lengths": _(
        "Some answers show up to %(difference)s questions more than others: the time taken tells which."
    ),
    "choices-equal": _("Two answers have the same text."),
    "epsilon-high": _("ε above 3: an answer is hardly deniable (odds of more than 20 to 1)."),
    "epsilon-total-high": _(
        "All questions together cost ε %(total)s. Above 8, a whole report is hardly deniable."
    ),
    "target-too-small": _("Results of fewer than %(minimum)s answers are never shown."),
    "version-may-cost": _(
        "You change a survey that people answered. Results of a version with fewer than %(minimum)s answers are "
        "withheld for ever, and so may be results of other versions that would reveal them by subtraction. Change as "
        "little as possible, and only when enough people answered."
    ),
    "one-language": _("Only one language is filled in: the other repeats it."),
}
MESSAGES = {**REFUSALS, **WARNINGS}


def message_of(finding: Finding) -> str:
    """Return the finding's message in the language of the moment."""
    return str(MESSAGES[finding.code]) % finding.facts()
