"""The known answers that the device is held to are those of the server as it is now."""

import json
from pathlib import Path

from tests.surveys.wire import known

ROOT = Path(__file__).parents[3]


def test_the_devices_known_answers_are_the_servers() -> None:
    assert known.FILE.read_text("utf-8") == known.contents()


def test_both_sides_have_the_same_fingerprint_words() -> None:
    device = ROOT / "frontend" / "src" / "wire" / "words.json"
    server = ROOT / "surveys" / "wire" / "words.json"
    assert device.read_bytes() == server.read_bytes()
    for words in json.loads(device.read_text("utf-8")).values():
        assert len(set(words)) == 256
