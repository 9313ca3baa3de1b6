"""Dates and times of day in a claim, as far as it gives them: "3 May", "in 2019", "Monday", "7 pm"."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph.disputes.vocabulary import MONTHS, SHORT_MONTHS, WEEKDAYS, word_set
from graph.disputes.words import Kind, Token

_YEAR_AFTER = word_set("in since by until till of from during before after year fiscal through early late mid")
_MONTH_AFTER = word_set("in since by until till of during before after last next this through early late mid")

BEGINNINGS = frozenset({*MONTHS, *SHORT_MONTHS, *WEEKDAYS, "noon", "midnight"})
"""The words that may begin a date; no other word begins one."""


@dataclass(frozen=True, slots=True)
class Date:
    """The stated parts of a date; None for other parts. `minute` counts from midnight, `text` is as in the claim."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    minute: int | None = None
    text: str = ""

    @property
    def parts(self) -> tuple[int | None, ...]:
        """Year, month, day, weekday and minute."""
        return self.year, self.month, self.day, self.weekday, self.minute

    @property
    def whole(self) -> bool:
        """Whether it names one day of one year."""
        return None not in (self.year, self.month, self.day)


def differ(one: Date, other: Date) -> bool:
    """Return whether the two cannot be the same time: a part that both give is not the same."""
    return any(a is not None and b is not None and a != b for a, b in zip(one.parts, other.parts, strict=True))


def same_day(one: Date, other: Date) -> bool:
    """Return whether both name the same day of the same year."""
    return one.whole and other.whole and one.parts[:3] == other.parts[:3]


def read_date(tokens: Sequence[Token], start: int) -> tuple[Date, int] | None:
    """Return the date or time that begins at a token, and the place after it."""
    token = tokens[start]
    found = None
    if token.kind is Kind.ISO:
        year, month, day = map(int, token.text.split("-"))
        found = Date(year, month, day), start + 1
    elif token.kind is Kind.CLOCK:
        found = _clock(tokens, start)
    elif token.kind in (Kind.NUMBER, Kind.ORDINAL):
        found = _day_first(tokens, start) or _hour(tokens, start) or _year(tokens, start)
    elif token.word in WEEKDAYS and token.capital:
        found = Date(weekday=WEEKDAYS[token.word]), start + 1
    elif token.word in ("noon", "midnight"):
        found = Date(minute=720 if token.word == "noon" else 0), start + 1
    elif _month(token) is not None:
        found = _month_first(tokens, start)
    if found is None:
        return None
    date, end = found
    text = " ".join(one.text for one in tokens[start:end])
    return replace(date, text=text), end


def _month(token: Token) -> int | None:
    if token.kind is not Kind.WORD or not token.capital:
        return None
    return MONTHS.get(token.word, SHORT_MONTHS.get(token.word))


def _day_number(tokens: Sequence[Token], place: int) -> int | None:
    if place >= len(tokens) or tokens[place].kind not in (Kind.NUMBER, Kind.ORDINAL):
        return None
    digits = tokens[place].text.rstrip("stndrh")
    return int(digits) if digits.isdigit() and 1 <= int(digits) <= 31 else None


def _year_number(tokens: Sequence[Token], place: int) -> int | None:
    if place >= len(tokens) or tokens[place].kind is not Kind.NUMBER:
        return None
    text = tokens[place].text
    return int(text) if len(text) == 4 and text.isdigit() and 1000 <= int(text) < 2200 else None


def _year_following(tokens: Sequence[Token], place: int) -> tuple[int | None, int]:
    after_comma = place + 1 if place < len(tokens) and tokens[place].text == "," else place
    year = _year_number(tokens, after_comma)
    return (year, after_comma + 1) if year is not None else (None, place)


def _day_first(tokens: Sequence[Token], start: int) -> tuple[Date, int] | None:
    day, place = _day_number(tokens, start), start + 1
    if day is None or place >= len(tokens):
        return None
    if tokens[place].word == "of" and place + 1 < len(tokens):
        place += 1
    month = _month(tokens[place])
    if month is None:
        return None
    year, end = _year_following(tokens, place + 1)
    return Date(year, month, day), end


def _month_first(tokens: Sequence[Token], start: int) -> tuple[Date, int] | None:
    month, place = _month(tokens[start]), start + 1
    if tokens[start].word in SHORT_MONTHS and place < len(tokens) and tokens[place].text == ".":
        place += 1
    day = _day_number(tokens, place)
    if day is not None:
        year, end = _year_following(tokens, place + 1)
        return Date(year, month, day), end
    year, end = _year_following(tokens, place)
    if year is not None:
        return Date(year, month), end
    before = tokens[start - 1].word if start else ""
    # "may" and "march" are also verbs: alone a month counts if a word says that a time follows.
    return (Date(month=month), start + 1) if before in _MONTH_AFTER and tokens[start].word in MONTHS else None


def _year(tokens: Sequence[Token], start: int) -> tuple[Date, int] | None:
    year = _year_number(tokens, start)
    before = tokens[start - 1].word if start else ""
    following = tokens[start + 1] if start + 1 < len(tokens) else None
    ends = following is None or following.kind is Kind.MARK or following.word in ("and", "by", "with", "to", "for")
    return (Date(year=year), start + 1) if year is not None and before in _YEAR_AFTER and ends else None


def _clock(tokens: Sequence[Token], start: int) -> tuple[Date, int]:
    hour, minute = map(int, tokens[start].text.split(":"))
    hour, end = _with_meridiem(tokens, start + 1, hour)
    return Date(minute=60 * hour + minute), end


def _hour(tokens: Sequence[Token], start: int) -> tuple[Date, int] | None:
    following = tokens[start + 1].word if start + 1 < len(tokens) else ""
    if following not in ("am", "pm", "o'clock") or not tokens[start].text.isdigit():
        return None
    hour, end = _with_meridiem(tokens, start + 1, int(tokens[start].text))
    return Date(minute=60 * hour), end


def _with_meridiem(tokens: Sequence[Token], place: int, hour: int) -> tuple[int, int]:
    word = tokens[place].word if place < len(tokens) else ""
    if word not in ("am", "pm", "o'clock"):
        return hour, place
    if word == "o'clock":
        return hour, place + 1
    return hour % 12 + (12 if word == "pm" else 0), place + 1
