"""The Unicode normal forms of others' texts, in time linear in their length for any number of marks.

A normal form puts the marks behind a letter in order, each by comparing it with those before it: a letter with a
million of them takes a quarter of an hour. So a run of marks is broken after every thirty, by the sign that Unicode has
for that (UAX #15, D4, stream-safe text). A text without longer runs has its usual normal form. In a text with longer
runs, which no writing has, the composed and the decomposed text may come out as different words.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal

MOST_MARKS = 30
GRAPHEME_JOINER = "\u034f"

# Marks are no letters, and none has a number below this; but for two that NFKD makes of letters of half width.
_MARKS = re.compile(rf"(?:[^\w\x00-\u02ff]|[\uff9e\uff9f]){{{MOST_MARKS + 1},}}")


def normal_form(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """Return the normal form of a text, with every run of marks broken after thirty of them."""
    if not text.isascii():
        text = _MARKS.sub(lambda run: "".join(_broken(run.group())), text)
    return unicodedata.normalize(form, text)


def _broken(run: str) -> Iterator[str]:
    marks = 0
    for sign in run:
        marks = marks + 1 if _is_mark(sign) else 0
        if marks > MOST_MARKS:
            yield GRAPHEME_JOINER
            marks = 1
        yield sign


def _is_mark(sign: str) -> bool:
    """Say whether the decomposition of a sign begins with a mark, so that the sign is put in order among marks."""
    return unicodedata.combining(unicodedata.normalize("NFKD", sign)[0]) > 0
