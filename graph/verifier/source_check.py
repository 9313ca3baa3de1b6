"""Checks source accuracy: whether the cited bytes exist, match the statement, and are spoken at the stated time.

Three criteria, each over all segments of the evidence. `quote-exactness`: the quote stands unchanged in the cited
bytes, or in the text they show if that differs, as with HTML and PDF. `timestamp-match`: the stated times are those of
the captions in whole seconds; wider ones are undecided, others fail. `source-accuracy`: both, and range and hash. One
FAIL makes a criterion FAIL; a segment that cannot be compared leaves it undecided. A statement may cite the same large
source again and again: segments beyond `MOST_COMPARED` bytes in total are not compared.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.statement import ProvenanceStatement
from a2ap.times import format_cue_end, format_cue_start
from a2ap.verifier.findings import ACCURACY
from graph.evidence.quotes import compare_quote
from graph.evidence.shown_text import Shown, as_shown
from graph.evidence.source_text import SourceText, read_shown
from graph.transcripts.transcript import Transcript
from graph.verifier.material import Source

QUOTE, TIME = "quote-exactness", "timestamp-match"
CRITERIA = (ACCURACY, QUOTE, TIME)
_CONFIDENCE = 0.99
_MOST_TOLD = 10
MOST_COMPARED = 2**28
"""Maximum number of cited bytes of one statement that are compared."""

_PASS, _FAIL, _OPEN = FindingStatus.PASS, FindingStatus.FAIL, FindingStatus.INCONCLUSIVE


class _Remark(NamedTuple):
    """A remark on one criterion of one segment."""

    criterion: str
    status: FindingStatus
    told: str


def check_source(statement: ProvenanceStatement, transcript: Transcript) -> Finding:
    """Answer source accuracy from one source."""
    return check_sources(statement, {transcript.document_hash: Source(transcript.data, transcript)})[0]


def check_sources(statement: ProvenanceStatement, sources: Mapping[str, Source]) -> tuple[Finding, ...]:
    """Compare every evidence segment with the bytes of its source; one finding for each of the three criteria."""
    remarks: list[_Remark] = []
    compared = 0
    shown = {name: SourceText(source.data, None, read_shown(source.data)) for name, source in sources.items()}
    for number, segment in enumerate(statement.evidence):
        source = sources.get(segment.document_hash or "")
        place = f"evidence[{number}]"
        if source is None:
            told = f"{place} cites {segment.document_hash or 'no hash'}, which was not read"
            remarks += [_Remark(criterion, _OPEN, told) for criterion in CRITERIA]
            continue
        compared += max(min(segment.byte_range.end, len(source.data)) - segment.byte_range.start, 0)
        if compared > MOST_COMPARED:
            told = f"{place} was not compared: with it, more than {MOST_COMPARED} bytes are cited"
            remarks += [_Remark(criterion, _OPEN, told) for criterion in CRITERIA]
        else:
            shows = shown[segment.document_hash or ""].shows(segment.byte_range, segment.page)
            found = _compare(segment, source, shows)
            remarks += [_Remark(name, status, f"{place} {told}") for name, status, told in found]
    return tuple(_finding(criterion, remarks, len(statement.evidence)) for criterion in CRITERIA)


def _finding(criterion: str, remarks: list[_Remark], count: int) -> Finding:
    # Every comparison bears on the accuracy of the source.
    mine = [remark for remark in remarks if criterion in (ACCURACY, remark.criterion)]
    for status in (_FAIL, _OPEN):
        told = list(dict.fromkeys(remark.told for remark in mine if remark.status is status))
        if told:
            more = [f"and {len(told) - _MOST_TOLD} more"] if len(told) > _MOST_TOLD else []
            return Finding(criterion, status, "; ".join([*told[:_MOST_TOLD], *more]), _CONFIDENCE * (status is _FAIL))
    if not mine:
        return Finding(criterion, _OPEN, "the evidence does not state it", 0.0)
    read = f"{count} cited passage{'s' if count != 1 else ''} re-read"
    agree = {ACCURACY: "bytes, hashes, quotes and cue times", QUOTE: "quotes", TIME: "cue times"}[criterion]
    return Finding(criterion, _PASS, f"{read}: {agree} agree", _CONFIDENCE)


def _compare(segment: EvidenceSegment, source: Source, shown: Shown | None) -> Iterator[_Remark]:
    start, end = segment.byte_range.start, segment.byte_range.end
    if end > len(source.data):
        yield _Remark(ACCURACY, _FAIL, f"ends at byte {end} of {len(source.data)}")
        return
    content = source.data[start:end]
    text = _text(content)
    if text is None and source.transcript is not None:
        yield _Remark(ACCURACY, _FAIL, f"cuts a character in two at {start} or {end}")
        return
    if segment.content_hash is not None:
        holds = segment.content_hash == sha256_digest(content)
        yield _Remark(ACCURACY, _PASS if holds else _FAIL, "has a contentHash that is not that of the cited bytes")
    yield from _compare_quote(segment, content, shown)
    if segment.content_hash is None and segment.quote_text is None:
        yield _Remark(ACCURACY, _OPEN, "states neither contentHash nor quoteText")
    if source.transcript is not None:
        yield from _compare_time(segment, source.transcript)


def _compare_quote(segment: EvidenceSegment, content: bytes, shown: Shown | None) -> Iterator[_Remark]:
    if segment.quote is None:
        return
    # A2AP §2.1's own quote ends in three dots, which mark an omission.
    said = (segment.quote_text or "").removesuffix("...").removesuffix("…")
    words = said.encode(errors="surrogatepass")
    if not words or (shown is not None and not as_shown(said)):
        yield _Remark(QUOTE, _OPEN, "has a quote that is withheld or empty")
    elif shown is not None:
        compared = compare_quote(said, shown, content)
        yield _Remark(QUOTE, compared.status, f"has a quote that {compared.told}")
    else:
        yield _Remark(QUOTE, _PASS if words in content else _FAIL, "quotes other words than the cited bytes hold")


def _compare_time(segment: EvidenceSegment, transcript: Transcript) -> Iterator[_Remark]:
    cues = transcript.cues_in(segment.byte_range.start, segment.byte_range.end)
    if not cues:
        yield _Remark(ACCURACY, _FAIL, "cites bytes in which nobody speaks")
        return
    if segment.timestamp is None:
        return
    starts = [cue.start_ms for cue in cues if cue.start_ms is not None]
    ends = [cue.end_ms for cue in cues if cue.end_ms is not None]
    if not starts or not ends:
        yield _Remark(TIME, _OPEN, "states a time, and the source has none")
        return
    start, end = min(starts), max(ends)
    stated = segment.timestamp.start_ms // 1000, -(-segment.timestamp.end_ms // 1000)
    real = start // 1000, -(-end // 1000)
    told = f"states {format_cue_start(segment.timestamp.start_ms)} to {format_cue_end(segment.timestamp.end_ms)}"
    told += f"; the words are spoken from {format_cue_start(start)} to {format_cue_end(end)}"
    if stated == real:
        yield _Remark(TIME, _PASS, told)
    else:
        yield _Remark(TIME, _OPEN if stated[0] <= real[0] and real[1] <= stated[1] else _FAIL, told)


def _text(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
