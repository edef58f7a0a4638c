"""What makes a query slightly wrong: words gone, doubled or exchanged, and values that are none."""

import re
from random import Random

WRONG_VALUES = [
    "nothing",
    "1 / 0",
    "CAST('x' AS INTEGER)",
    "pg_sleep(1)",
    "random()",
    "9223372036854775808",
    "1e400",
    "ABS(-9223372036854775808)",
    "CURRENT_DATE",
    "'2020-99-99'",
    "(SELECT 1)",
    "?",
    "$1",
    "x'00'",
    "ROW_NUMBER() OVER ()",
    "information_schema.tables",
    "'",
    "\u202e",
    "DATE '0000-00-00'",
]
_MORE = [
    "DISTINCT",
    "ALL",
    "LATERAL",
    "RECURSIVE",
    "OVER",
    "LIMIT",
    "OFFSET",
    "UNION",
    "EXCEPT",
    "*",
    ";",
    "--",
]
_WORD = re.compile(r"'[^']*'|\w+|\s+|[^\w\s]")


def damaged(text: str, dice: Random) -> str:
    """Return a text with one to three words gone, doubled, exchanged, misspelt or replaced."""
    words = list(_WORD.findall(text))
    for _ in range(dice.randint(1, 3)):
        at, other = dice.randrange(len(words)), dice.randrange(len(words))
        deed = dice.randrange(6)
        if deed == 0:
            words[at] = ""
        elif deed == 1:
            words[at] *= 2
        elif deed == 2:
            words[at], words[other] = words[other], words[at]
        elif deed == 3:
            words[at] = words[at][:-1]
        elif deed == 4:
            words[at] = f" {dice.choice([*WRONG_VALUES, *_MORE])} "
        else:
            words[at] = words[other]
    return "".join(words)
