"""The agenda of a meeting, found by the calls of its items: "Item 3 is the public hearing on …"."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from graph.transcripts.sentences import Sentence


@dataclass(frozen=True, slots=True)
class AgendaItem:
    """One item: its number and title as called, the sentence that calls it, and all sentences until the next one."""

    number: int
    title: str
    call: Sentence
    sentences: tuple[Sentence, ...]


_NUMBER_WORDS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty
"""
_NUMBERS = {word: number for number, word in enumerate(_NUMBER_WORDS.split(), start=1)}
_CALL = re.compile(
    rf"^.{{0,60}}?\b(?:agenda )?item (?:number |no\. ?)?(\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len)[::-1])})\b"
    r"[\s,:;.–—-]*(?:(?:is|are|will be|concerns)\b\s*)?(.*)$",
    re.IGNORECASE,
)
_TITLE_ENDS = re.compile(r"[.;:?!]|, (?:and|which|who|where|with|please)\b")
_MIN_ITEMS = 3
_MAX_TITLE_WORDS = 16


def find_agenda(sentences: Sequence[Sentence]) -> tuple[AgendaItem, ...]:
    """Find the items that were called one after the other; empty if fewer than three were.

    A mention of an item is its call if the numbers rise from call to call and the speaker is the one with most
    mentions.
    """
    mentions = [(index, *call) for index, sentence in enumerate(sentences) if (call := _call_of(sentence.text))]
    if not mentions:
        return ()
    voices = Counter(sentences[index].speaker for index, _, _ in mentions)
    chair = voices.most_common(1)[0][0]
    calls = _longest_rise([mention for mention in mentions if sentences[mention[0]].speaker == chair])
    if len(calls) < _MIN_ITEMS:
        return ()
    ends = [index for index, _, _ in calls[1:]] + [len(sentences)]
    return tuple(
        AgendaItem(number, title, sentences[index], tuple(sentences[index:end]))
        for (index, number, title), end in zip(calls, ends, strict=True)
    )


def _call_of(text: str) -> tuple[int, str] | None:
    match = _CALL.match(text)
    if match is None:
        return None
    number, rest = match.groups()
    title = " ".join(_TITLE_ENDS.split(rest, maxsplit=1)[0].split()[:_MAX_TITLE_WORDS])
    return (_NUMBERS.get(number.lower()) or int(number), title) if title else None


def _longest_rise(mentions: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Pick the longest run of mentions whose item numbers rise (patience sorting)."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, (_, number, _) in enumerate(mentions):
        pile = bisect_left(tops, number)
        before.append(ends[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [number]
        ends[pile : pile + 1] = [place]
    rise: list[tuple[int, int, str]] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        rise.append(mentions[place])
        place = before[place]
    return rise[::-1]
