"""The podcast: one spoken paragraph for each agenda item, every sentence linked to its statement and to its cue."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graph.demo.claim_words import take_apart
from graph.demo.claims import DraftClaim
from graph.demo.generator import TopicClaims
from graph.demo.links import moment, passage_address, statement_address

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")
_VERBS = ("said", "added", "went on", "also said")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Spoken:
    """The statement made from a claim, and whether it is verified; only verified ones are spoken."""

    statement_id: str
    verified: bool


@dataclass(frozen=True, slots=True)
class Recording:
    """The subject of the podcast: title and hash of the captions, the recording if any, and the platform's address."""

    title: str
    document_hash: str
    media: str | None
    base_url: str


def write_podcast(recording: Recording, topics: Sequence[TopicClaims], statements: Mapping[str, Spoken]) -> str:
    """Return the podcast as Markdown; `statements` has the statement of each claim, by the claim's text."""
    lines = [f"# {_escape(recording.title)}", ""]
    for topic in topics:
        spoken = [claim for claim in topic.claims if claim.text in statements and statements[claim.text].verified]
        if not spoken:
            continue
        linked = [
            f"[{_escape(sentence)}]({statement_address(recording.base_url, statements[claim.text].statement_id)})"
            f" {_cue_link(claim, recording)}"
            for claim, sentence in zip(spoken, _sentences(spoken), strict=True)
        ]
        lines += [f"## {_escape(topic.heading)}", "", " ".join(linked), ""]
    return "\n".join(lines)


def _sentences(claims: Sequence[DraftClaim]) -> Iterator[str]:
    """Yield claims as spoken sentences; the heading has named the item."""
    before: str | None = None
    row = 0
    for claim in claims:
        quote = take_apart(claim.text).quote
        if claim.speaker is None or quote is None:
            before = None
            yield claim.text
            continue
        row = row + 1 if claim.speaker == before else 0
        before = claim.speaker
        yield f"{claim.speaker[:1].upper()}{claim.speaker[1:]} {_VERBS[row % len(_VERBS)]}: “{quote}”"


def _cue_link(claim: DraftClaim, recording: Recording) -> str:
    cue = claim.citations[0].cue
    if recording.media is not None and cue.start_ms is not None:
        return f"([{_clock(cue.start_ms)}]({moment(recording.media, cue.start_ms)}))"
    text = _clock(cue.start_ms) if cue.start_ms is not None else f"bytes {cue.start}–{cue.end}"
    return f"([{text}]({passage_address(recording.base_url, recording.document_hash, cue.start, cue.end)}))"


def _clock(milliseconds: int) -> str:
    seconds = milliseconds // 1000
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _escape(text: str) -> str:
    """Return an untrusted text as Markdown that shows it literally."""
    return _MARKDOWN.sub(r"\\\1", _CONTROL.sub(" ", text))
