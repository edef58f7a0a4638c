"""Mutations of the Python product: each is one slip that would break the promise or the other language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutation:
    """One piece of source text and what a slip would make of it."""

    slip: str
    module: str
    old: str
    new: str


LIE = "other = below(self.choices - 1, bits)"
HONEST = "honest = bernoulli(self.num, bits, self.digits)"
FEW = "while (v := bits.word(b)) >= n:\n        pass\n    return v"
KEEP = "bits.word(width) < num"


def _of(module: str, *slips: tuple[str, str, str]) -> tuple[Mutation, ...]:
    return tuple(Mutation(slip, module, old, new) for slip, old, new in slips)


BITS = _of(
    "privacy.bits",
    ("bits are read least significant first", "self._all >> (remaining - b)", "self._all >> (self.used - b)"),
    ("bytes are read last first", 'from_bytes(data, "big")', 'from_bytes(data, "little")'),
    (
        "a word is used again",
        "        self.used += b\n        return (self._all",
        "        return (self._all",
    ),
    ("exhausted bits are made up", "raise RandomnessExhausted(requested=b, remaining=remaining)", "return 0"),
    ("the last bit is never read", "if b > remaining:", "if b >= remaining > 0:"),
    ("secure bits are zeros", "fresh = os.urandom(CHUNK)", "fresh = bytes(CHUNK)"),
    (
        "secure bits are one byte again and again",
        "fresh = os.urandom(CHUNK)",
        "fresh = os.urandom(1) * CHUNK",
    ),
    (
        "secure words have a bit less",
        "return value\n\n    def _refill",
        "return value >> 1\n\n    def _refill",
    ),
    ("secure bits are used again", "self._left -= b\n        value", "value"),
)

SAMPLING = _of(
    "privacy.sampling",
    ("<= for <", KEEP, "bits.word(width) <= num"),
    ("the wheel is turned round", KEEP, "bits.word(width) >= num"),
    ("kept 1 % too often", KEEP, "bits.word(width) < num + num // 100"),
    ("kept 1 % too rarely", KEEP, "bits.word(width) < num - num // 100"),
    (
        "kept with a probability of two decimals",
        KEEP,
        "bits.word(width) / 2**width < round(num / 2**width, 2)",
    ),
    ("the draw has one bit less", KEEP, "bits.word(width - 1) < num >> 1"),
    ("a remainder for what is too large", FEW, "return bits.word(b) % n"),
    ("the largest for what is too large", FEW, "return min(bits.word(b), n - 1)"),
    ("n itself is below n", ">= n:", "> n:"),
    ("n − 1 is never drawn", ">= n:", ">= max(1, n - 1):"),
    ("a bit more than is needed", "b = (n - 1).bit_length()", "b = n.bit_length()"),
    ("one of one reads a bit", "b = (n - 1).bit_length()", "b = max(1, (n - 1).bit_length())"),
    ("a second try returns the first word's rest", ">= n:\n        pass", ">= n:\n        return v - n"),
    ("weights end one early", "if end > u", "if end >= u"),
    ("certain outcomes are drawn", "if not 0 < num < 1 << width:", "if not 0 <= num <= 1 << width:"),
)

SPINNER = _of(
    "privacy.mechanisms.spinner",
    ("the other is drawn only for a lie", LIE, "other = 0 if honest else below(self.choices - 1, bits)"),
    ("the other is drawn first", f"{HONEST}\n        {LIE}", f"{LIE}\n        {HONEST}"),
    (
        "the last answer is never randomised",
        "truth if honest else",
        "truth if honest or truth == self.choices - 1 else",
    ),
    ("yes is kept more often", "bernoulli(self.num, bits", "bernoulli(self.num + (truth == 0), bits"),
    (
        "no is kept 1 % less often",
        "bernoulli(self.num, bits",
        "bernoulli(self.num - (truth == 1) * self.num // 100, bits",
    ),
    ("a lie may be the truth", "(other >= truth)", "(other > truth)"),
    (
        "a lie is never the last answer",
        "other + (other >= truth)",
        "(other + (other >= truth)) % (self.choices - 1)",
    ),
    ("a lie is the next answer", "other + (other >= truth)", "(truth + 1) % self.choices"),
    (
        "a lie is told from the wheel's own word",
        LIE,
        "below(self.choices - 1, bits)\n        other = honest % (self.choices - 1)",
    ),
    (
        "the matrix is one step of the wheel off",
        "p = Fraction(self.num, 1 <<",
        "p = Fraction(self.num - 1, 1 <<",
    ),
    ("a wheel that favours nothing is taken", "if not favours_truth(", "if False and not favours_truth("),
)

COINS = _of(
    "privacy.mechanisms.spinner_coin",
    (
        "the coin is tossed only for a lie",
        "anyone = below(choices, bits)",
        "anyone = 0 if honest else below(choices, bits)",
    ),
    ("the last answer is never forced", "below(choices, bits)", "below(max(1, choices - 1), bits)"),
    (
        "the forced answer is never the truth",
        "else anyone",
        "else anyone if anyone != truth else (anyone + 1) % choices",
    ),
    (
        "the last answer is never forced away",
        "truth if honest else",
        "truth if honest or truth == choices - 1 else",
    ),
) + _of(
    "privacy.mechanisms.coin",
    ("one toss too many", "self.num, self.tosses, bits", "self.num, self.tosses + 1, bits"),
    (
        "one more outcome means the truth",
        "truth_or_any(truth, self.choices, self.num,",
        "truth_or_any(truth, self.choices, min(self.num + 1, (1 << self.tosses) - 1),",
    ),
)

BOXES = _of(
    "privacy.mechanisms.one_box",
    (
        "a ticked box is drawn",
        "box = below(self.boxes, bits)",
        "box = below(self.boxes, bits)\n        box = truth.index(0) if 0 in truth else box",
    ),
    (
        "the next box is answered",
        "return box, self.spinner.report(truth[box], bits)",
        "return box, self.spinner.report(truth[(box + 1) % self.boxes], bits)",
    ),
    (
        "the box's answer is not randomised",
        "self.spinner.report(truth[box], bits)",
        "(self.spinner.report(truth[box], bits), truth[box])[1]",
    ),
    ("the box that does not exist is read", 'answer_checked(data[0], self.boxes, "box")', "data[0]"),
) + _of(
    "privacy.mechanisms.every_box",
    (
        "one wheel for all boxes",
        "tuple(spinner.report(answer, bits) for answer in truth)",
        "(spinner.report(truth[0], bits),) + tuple(truth[1:])",
    ),
    (
        "boxes that are not ticked tell the truth",
        "spinner.report(answer, bits) for",
        "(answer if answer == 1 else spinner.report(answer, bits)) for",
    ),
    ("the boxes are drawn from the last on", "for answer in truth)", "for answer in reversed(truth))[::-1]"),
    ("only one box is charged", "[self.spinner.epsilon] * self.boxes", "[self.spinner.epsilon]"),
)

MONEY = (
    _of(
        "privacy.budget",
        ("rounded to the nearest", "(floor(rising(bound))", "(round(rising(bound))"),
        ("rounded toward the truth", "(floor(rising(bound))", "(1 + floor(rising(bound))"),
        ("the spinner's wheel has an answer too many", "power / (power + k - 1)", "power / (power + k)"),
        ("the coin's wheel is the spinner's", "(power - 1) / (power + k - 1)", "power / (power + k - 1)"),
        ("no outcome need mean the truth", "if num == 0:", "if num < 0:"),
        ("no more than the others is enough", "num * choices > 1 << width", "num * choices >= 1 << width"),
        ("each box has the whole", "10_000 * value / parts", "10_000 * value"),
        ("a text is read up to a newline", "_DECIMAL.fullmatch(text)", "_DECIMAL.match(text)"),
        ("there is no largest ε", "lower < LEAST or upper > LARGEST:", "lower < LEAST:"),
    )
    + _of(
        "privacy.accounting",
        (
            "published ε is rounded down",
            "return lower\n        # Ends: the log",
            "return lower - 1\n        # Ends: the log",
        ),
        ("an infinite ε is nothing", "raise EpsilonInfinite", 'return "0.0000"'),
    )
    + _of(
        "privacy.channel",
        ("a report that proves a truth is passed over", "if any(row)]", "if all(row)]"),
        ("ε is the least ratio", "return max(Fraction(most", "return min(Fraction(most"),
    )
)

MUTATIONS = BITS + SAMPLING + SPINNER + COINS + BOXES + MONEY
