"""The refusals of the mathematics: each carries its facts and a code that both languages share."""

from typing import ClassVar


class PrivacyError(ValueError):
    """Something that would break a promise, or has no meaning, was refused."""

    code: ClassVar[str] = "privacy"


class RandomnessError(PrivacyError):
    """There were not enough secure random bits; nothing may be sent."""

    code = "randomness"


class RandomnessExhausted(RandomnessError):
    """A finite bit source was asked for more bits than it has left."""

    code = "randomness-exhausted"

    def __init__(self, requested: int, remaining: int) -> None:
        super().__init__(f"{requested} random bits were requested, {remaining} remain")
        self.requested = requested
        self.remaining = remaining


class RandomnessUnavailable(RandomnessError):
    """This machine has no secure source of random bits."""

    code = "randomness-unavailable"

    def __init__(self) -> None:
        super().__init__("no secure source of random bits is available")


class EpsilonInvalid(PrivacyError):
    """A text does not name an ε that can be configured."""

    code = "epsilon-invalid"

    def __init__(self, text: object, why: str) -> None:
        super().__init__(f"ε {text!r:.40}: {why}")
        self.text = text


class EpsilonMalformed(EpsilonInvalid):
    """The text is neither a decimal with at most four places nor ln(N)."""

    code = "epsilon-malformed"

    def __init__(self, text: object) -> None:
        super().__init__(text, "expected a decimal such as 1.5 (at most four places) or ln(N)")


class EpsilonOutOfRange(EpsilonInvalid):
    """The ε is a number, but not one between the least and the largest that are allowed."""

    code = "epsilon-out-of-range"

    def __init__(self, text: object) -> None:
        super().__init__(text, "must lie between 0.01 and 16")


class EpsilonInfinite(PrivacyError):
    """Some report is possible under one truth and impossible under another: nothing is deniable."""

    code = "epsilon-infinite"

    def __init__(self) -> None:
        super().__init__("a report would prove or rule out a truth: ε is infinite")


class ValueOutOfRange(PrivacyError):
    """A whole number is not one, or lies outside its range."""

    code = "out-of-range"

    def __init__(self, value: object, least: int, most: int) -> None:
        super().__init__(f"{self.code}: {value!r:.40} is not a whole number from {least} to {most}")
        self.value = value
        self.least = least
        self.most = most


class ChoicesOutOfRange(ValueOutOfRange):
    """A question has too few or too many answers for its protocol."""

    code = "choices-out-of-range"


class BoxesOutOfRange(ValueOutOfRange):
    """A multiple choice has too few or too many boxes."""

    code = "boxes-out-of-range"


class TossesOutOfRange(ValueOutOfRange):
    """A coin protocol has too few or too many tosses."""

    code = "tosses-out-of-range"


class NumOutOfRange(ValueOutOfRange):
    """A probability's numerator would make the outcome certain or impossible."""

    code = "num-out-of-range"


class TruthOutOfRange(ValueOutOfRange):
    """A true answer is not one of the answers of its question."""

    code = "truth-out-of-range"


class TruthMalformed(PrivacyError):
    """The true answers to a multiple choice do not name each box once."""

    code = "truth-malformed"

    def __init__(self, boxes: int) -> None:
        super().__init__(f"expected one answer for each of the {boxes} boxes")
        self.boxes = boxes


class RangeEmpty(PrivacyError):
    """A uniform draw was asked for from no values at all."""

    code = "range-empty"

    def __init__(self, size: int) -> None:
        super().__init__(f"cannot draw one of {size} values")
        self.size = size


class WeightsMalformed(PrivacyError):
    """Integer weights are negative or do not add up to the power of two that they divide."""

    code = "weights-malformed"

    def __init__(self, total: int, width: int) -> None:
        super().__init__(f"weights must be whole, not negative and add up to 2**{width}: {total}")
        self.total = total
        self.width = width


class ChannelMalformed(PrivacyError):
    """A matrix is not a channel: its columns must be probability distributions."""

    code = "channel-malformed"

    def __init__(self, why: str) -> None:
        super().__init__(f"not a channel: {why}")


class TruthNotFavoured(PrivacyError):
    """The truth would be reported no more often than another answer (p ≤ q)."""

    code = "truth-not-favoured"

    def __init__(self, choices: int, num: int, width: int) -> None:
        super().__init__(f"{num}/2**{width} does not favour the truth among {choices} answers")
        self.choices = choices
        self.num = num
        self.width = width


class TossesTooFew(PrivacyError):
    """No outcome of so few tosses can mean "truth" at this ε (T = 0): more tosses are needed."""

    code = "tosses-too-few"

    def __init__(self, tosses: int) -> None:
        super().__init__(f"{tosses} tosses are too few for this ε: no outcome would mean the truth")
        self.tosses = tosses


class MechanismUnknown(PrivacyError):
    """No mechanism of this name exists."""

    code = "mechanism-unknown"

    def __init__(self, name: object) -> None:
        super().__init__(f"unknown mechanism {name!r:.40}")
        self.name = name


class MechanismMalformed(PrivacyError):
    """A mechanism's description has a missing, superfluous or wrongly typed field."""

    code = "mechanism-malformed"

    def __init__(self, field: str) -> None:
        super().__init__(f"malformed mechanism: {field}")
        self.field = field


class ReportInvalid(PrivacyError):
    """Bytes are not a report of this mechanism."""

    code = "report-invalid"


class ReportWrongLength(ReportInvalid):
    """A report has more or fewer bytes than its mechanism fixes."""

    code = "report-wrong-length"

    def __init__(self, length: int, expected: int) -> None:
        super().__init__(f"a report of {length} bytes where {expected} were expected")
        self.length = length
        self.expected = expected


class ReportOutOfRange(ReportInvalid):
    """A byte of a report names an answer or a box that does not exist."""

    code = "report-out-of-range"

    def __init__(self, what: str, value: int, count: int) -> None:
        super().__init__(f"{what} {value} does not exist: there are {count}")
        self.what = what
        self.value = value
        self.count = count
