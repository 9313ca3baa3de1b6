"""Checks the frame of a claim against the source: the speaker, the time, and the item of the agenda."""

import re
from collections.abc import Iterator
from enum import StrEnum

from a2ap.messages.statement import ProvenanceStatement
from graph.transcripts.sentences import Sentence
from graph.transcripts.transcript import Transcript
from graph.verifier.claim_form import ClaimForm
from graph.verifier.verbatim import holds_words, is_cited
from graph.verifier.words import exact_text, words_of


class Held(StrEnum):
    """Whether the source bears out the frame of a claim."""

    YES = "yes"
    NO = "no"
    OPEN = "open"


def check_frame(
    form: ClaimForm, spoken: tuple[Sentence, ...], statement: ProvenanceStatement, transcript: Transcript
) -> tuple[Held, str]:
    """Return whether the frame of a claim holds for the sentences that its words stand in, and the reason."""
    if form.strange:
        return Held.OPEN, f"the meaning of {form.frame!r} for the quoted words is not known"
    problems = [*_check_time(form, spoken), *_check_speaker(form, spoken, statement, transcript)]
    for held in (Held.NO, Held.OPEN):
        told = [why for outcome, why in problems if outcome is held]
        if told:
            return held, "; ".join(told)
    return Held.YES, "spoken by the one named" if form.frame else "spoken in the source"


def _check_time(form: ClaimForm, spoken: tuple[Sentence, ...]) -> Iterator[tuple[Held, str]]:
    if form.time_ms is None:
        return
    start, end = spoken[0].start_ms, spoken[-1].end_ms
    if start is None or end is None:
        yield Held.OPEN, "the source has no times"
    elif not start // 1000 * 1000 <= form.time_ms <= end:
        yield Held.NO, f"the words are spoken from {start // 1000} s on, and not when the claim says"


def _check_speaker(
    form: ClaimForm, spoken: tuple[Sentence, ...], statement: ProvenanceStatement, transcript: Transcript
) -> Iterator[tuple[Held, str]]:
    names = {_name(name) for name in frozenset.intersection(*(transcript.names_of(one) for one in spoken))}
    frame = _name(form.frame or "")
    # A name may hold a comma, and so may the title of an item: the longest name that the frame ends in.
    ends = (frame,) if form.item is None else (frame, *_ends(frame))
    name = max(names.intersection(_name(end) for end in ends), key=len, default="")
    if frame and not name:
        yield _other_speaker(form, spoken[0].speaker, names)
    elif name:
        yield from _check_introduction(name, spoken, statement, transcript)
    if form.item is not None:
        title = frame.removesuffix(name).removesuffix("the ").strip(" ,") if name else ""
        yield from _check_item(form.item, title, spoken, statement, transcript)


def _other_speaker(form: ClaimForm, label: str | None, names: set[str]) -> tuple[Held, str]:
    claimed = set(words_of(_name((form.frame or "").rpartition(", ")[2])))
    if claimed and any(claimed < set(words_of(name)) for name in names):
        return Held.OPEN, f"the words are spoken by {label or 'somebody not named'}, which may be the claimed speaker"
    return Held.NO, f"the words are spoken by {label or 'somebody not named'}, not as claimed"


def _check_introduction(
    name: str, spoken: tuple[Sentence, ...], statement: ProvenanceStatement, transcript: Transcript
) -> Iterator[tuple[Held, str]]:
    introduction = transcript.introductions.get(spoken[0].position)
    if introduction is None or name != _name(introduction.name):
        return
    if introduction.sentence not in spoken and not is_cited(introduction.sentence, statement.evidence, transcript):
        yield Held.NO, f"nothing in the evidence says that the speaker is {introduction.name}"


def _check_item(
    number: int, title: str, spoken: tuple[Sentence, ...], statement: ProvenanceStatement, transcript: Transcript
) -> Iterator[tuple[Held, str]]:
    item = next((item for item in transcript.agenda if item.number == number), None)
    if item is None:
        yield Held.NO, f"nobody calls item {number}"
        return
    if not item.sentences[0].position <= spoken[0].position <= spoken[-1].position <= item.sentences[-1].position:
        yield Held.NO, f"the words are not spoken on item {number}"
    if item.call not in spoken and not is_cited(item.call, statement.evidence, transcript):
        yield Held.NO, f"the evidence does not hold the call of item {number}"
    if title and not holds_words(exact_text(item.call.text).lower(), title):
        yield Held.NO, f"item {number} is not called as the claim calls it"


def _ends(frame: str) -> list[str]:
    """Return the text behind each comma."""
    parts = frame.split(", ")
    return [", ".join(parts[first:]) for first in range(1, len(parts))]


def _name(text: str) -> str:
    return re.sub(r"^the ", "", exact_text(text).lower())
