"""Questions that ask who somebody is: recognised by their words, sentence by sentence, in both languages."""

import re
from collections.abc import Iterable, Iterator, Mapping

# Whoever is asked about; somebody else who is named cannot deny anything either.
_WHOSE = r"\b(?:your|respondent'?s?|student'?s?|parents?'?|mother'?s?|father'?s?)\s+(?:\w+\s+)?"
_PEOPLE = (
    r"(?:본인|귀하|당신|여러분|응답자|학생|자녀|아이|부모님?|어머니|아버지|보호자|배우자|담임|선생님|교수님?|"
    r"친구|상사|동료|가해자|피해자)"
)
_OTHER_NAME = r"(?:이름|성명|성함|실명|본명)"
_NUMBER = r"\s*(?:numbers?|nos?\b\.?|#)"
# Words that mean the thing itself wherever a sentence asks for something.
_WORDS: Mapping[str, tuple[str, ...]] = {
    "asks-name": (
        _WHOSE + r"names?\b",
        r"\b(?:full|first|last|family|given|maiden|real|legal)\s+names?\b|\bsurnames?\b",
        r"\bnames? of (?:your|the) (?:boss|manager|teacher|supervisor|colleague|classmate|friend|doctor)",
        r"\bwho are you\b",
        rf"(?<!의 ){_OTHER_NAME}(?![가-힣]*[난표제])|{_PEOPLE}의?\s*{_OTHER_NAME}",
    ),
    "asks-phone": (
        rf"\b(?:tele)?phone{_NUMBER}|\b(?:mobile|cell(?:ular)?|contact){_NUMBER}",
        r"(?:전화|휴대\s*폰|휴대\s*전화|핸드폰|폰)\s*번호|연락처|(?<![가-힣])전번",
    ),
    "asks-email": (
        r"\be-?mail\s*(?:address(?:es)?|id)",
        _WHOSE + r"e-?mail\b",
        r"이\s?메일|전자\s*우편|메일\s*주소",
    ),
    "asks-address": (
        r"\b(?:home|street|postal|mailing|residential)\s+address\b",
        _WHOSE + r"address\b",
        r"\bwhere exactly do you live\b|\b(?:zip|postal)\s*codes?\b",
        r"(?:집|거주지|자택|우편|상세|도로명)\s*주소|우편\s*번호",
        r"(?<!메일 )(?<!메일)(?<!사이트 )(?<!사이트)(?<!웹 )(?<!웹)(?<!홈페이지 )주소(?:를|는|가|란)",
    ),
    "asks-resident-number": (
        r"주민\s*(?:등록)?\s*번호|(?:민증|주민등록증)\s*번호",
        rf"\bresident\s+registration{_NUMBER}",
    ),
    "asks-id-number": (
        r"(?:외국인\s*등록|여권|운전\s*면허(?:증)?|신분증)\s*번호",
        rf"\b(?:social\s+security|passport|(?:driver'?s?|driving)\s+licen[cs]e){_NUMBER}|\bSSN\b",
        rf"\bnational\s+id(?:entity|entification)?\b|\bid(?:entity|entification)?(?:\s*card)?{_NUMBER}",
    ),
    "asks-student-number": (
        r"\b(?:student|staff|employee|personnel|member(?:ship)?)\s*(?:ids?\b|numbers?|no\b\.?)",
        r"(?<![가-힣])(?:학번|사번|군번)|수험\s*번호|회원\s*번호|학생증\s*번호",
    ),
    "asks-birth-date": (r"\b(?:date of birth|birth\s*dates?|birthday)\b", r"생년월일|생일"),
    "asks-account": (
        rf"\b(?:bank\s+)?account{_NUMBER}|\b(?:credit\s+|debit\s+|bank\s+)?card{_NUMBER}",
        r"\b(?:kakao(?:talk)?|instagram|telegram|facebook|twitter|line|wechat|user)\s*(?:ids?\b|handles?|accounts?|names?)",
        r"(?:계좌|통장|카드)\s*번호|(?:카톡|카카오톡?|인스타(?:그램)?|텔레그램|라인|페이스북|트위터)\s*(?:아이디|계정)",
    ),
}
# Words that ask only when they are all there is: "Phone:", "Your phone?", "주소".
_LABELS: Mapping[str, str] = {
    "asks-name": rf"names?|nicknames?|(?:{_PEOPLE}의?\s*)?{_OTHER_NAME}",
    "asks-phone": (
        r"(?:(?:mobile|cell|home|work)\s*)?(?:tele)?phones?|mobile|cell|tel|전화|휴대\s*(?:폰|전화)|핸드폰"
    ),
    "asks-email": r"e-?mails?|메일",
    "asks-address": r"address(?:es)?|주소",
    "asks-birth-date": r"dob",
}
# What shall be typed or chosen, shown by an example such as 010-1234-5678.
_EXAMPLES: Mapping[str, str] = {
    "asks-phone": (
        r"\b01[016789][- .]?[\dxX*○]{3,4}[- .]?[\dxX*○]{4}\b"
        r"|\(\d{3}\)\s*\d{3}-\d{4}|\+\d{1,3}[- ]\d{1,4}[- ]\d{3,4}[- ]\d{3,4}"
    ),
    "asks-email": r"[\w.+-]+@[\w-]+\.\w{2,}",
    "asks-resident-number": r"\b\d{6}\s?-\s?[1-4][\dxX*○]{6}",
    "asks-id-number": r"\b\d{6}\s?-\s?[5-8][\dxX*○]{6}|\b\d{3}-\d{2}-\d{4}\b",
    "asks-birth-date": r"\b(?:yyyy|19\d\d|20\d\d)[-./](?:mm|\d\d)[-./](?:dd|\d\d)\b",
}
# "What is your", "please enter", "귀하의 …을 적어 주십시오": what stands around a label.
_BEFORE = (
    r"(?:please\s+)?(?:(?:enter|give|type|write|state|tell us|what(?:'s| is| are))\s+)?(?:your\s+|the\s+)?"
)
_BEFORE += rf"(?:{_PEOPLE}의\s*)?"
_AFTER = r"(?:\s*[,(]?\s*(?:please|required|필수)\)?)?"
# A sentence about what people do or know asks for nothing, unless it says so.
_ABOUT = r"^\W*(?:do|did|does|have|has|had|are|were|was|is|how (?:many|often|much|long|old)|should|when)\b"
_ABOUT_KOREAN = r"(?:니까|나요|가요|까요|는가|은가|어요|아요|해요|니다|[가-힣]다)\W*$"
_REQUEST = r"\b(?:please|enter|below|here|(?:give|tell|send)\s+us)\b"
_REQUEST += r"|무엇|뭐|어떻게\s*되|누구|몇\s*번입|어디"
_REQUEST += r"|적어|적으|입력|기입|기재|남겨|남기|써\s*주|쓰십|쓰세|작성|말씀|제출"
_REQUEST += r"|(?:알려|말해|가르쳐)\s*(?:주[십세시]|줘)"

_I = re.IGNORECASE
WORDS = {code: re.compile("|".join(parts), _I) for code, parts in _WORDS.items()}
LABELS = {code: re.compile(rf"\W*{_BEFORE}(?:{part}){_AFTER}\W*", _I) for code, part in _LABELS.items()}
EXAMPLES = {code: re.compile(part, _I) for code, part in _EXAMPLES.items()}
CODES = tuple(dict.fromkeys((*_WORDS, *_LABELS, *_EXAMPLES)))
_SENTENCE = re.compile(r"(?<=[.?!。？！])\s+|[\r\n]+")
_IS_ABOUT, _IS_REQUEST = re.compile(f"{_ABOUT}|{_ABOUT_KOREAN}", _I), re.compile(_REQUEST, _I)


def asked_for(text: str) -> Iterator[str]:
    """Give the code of everything identifying that a question's text asks for."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    for code in CODES:
        if _shown(code, text) or any(_asks(code, sentence) for sentence in sentences):
            yield code


def shown_in(texts: Iterable[str]) -> Iterator[str]:
    """Give the code of every identifying example in answers; the word alone, "by e-mail", asks for nothing."""
    for text in texts:
        yield from (code for code in CODES if _shown(code, text))


def _shown(code: str, text: str) -> bool:
    return code in EXAMPLES and EXAMPLES[code].search(text) is not None


def _asks(code: str, sentence: str) -> bool:
    if code in LABELS and LABELS[code].fullmatch(sentence):
        return True
    about = _IS_ABOUT.search(sentence) and not _IS_REQUEST.search(sentence)
    return not about and code in WORDS and WORDS[code].search(sentence) is not None
