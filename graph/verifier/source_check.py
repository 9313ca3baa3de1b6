"""Source accuracy: are the cited bytes there, are they what the statement says, and are they spoken when it says?"""

from collections.abc import Iterator

from a2ap.canonical import sha256_digest
from a2ap.evidence import EvidenceSegment
from a2ap.statement import ProvenanceStatement
from a2ap.times import format_cue_end, format_cue_start
from a2ap.verification_response import Finding, FindingStatus
from graph.transcripts.transcript import Transcript

CRITERION = "source-accuracy"
_CONFIDENCE = 0.99


def check_source(statement: ProvenanceStatement, transcript: Transcript) -> Finding:
    """Compare every evidence segment with the bytes of the source, re-read by the verifier."""
    accuse: list[str] = []
    missing: list[str] = []
    for number, segment in enumerate(statement.evidence):
        place = f"evidence[{number}]"
        if segment.document_hash != transcript.document_hash:
            missing.append(f"{place} cites {segment.document_hash or 'no hash'}, which was not read")
        else:
            accuse += [f"{place} {problem}" for problem in _problems(segment, transcript)]
    if accuse:
        return Finding(CRITERION, FindingStatus.FAIL, "; ".join(accuse), _CONFIDENCE)
    if missing:
        return Finding(CRITERION, FindingStatus.INCONCLUSIVE, "; ".join(missing), 0.0)
    count = len(statement.evidence)
    read = f"{count} cited passage{'s' if count != 1 else ''} re-read in {transcript.document_hash[:19]}…"
    return Finding(CRITERION, FindingStatus.PASS, f"{read}: bytes, hashes, quotes and cue times agree", _CONFIDENCE)


def _problems(segment: EvidenceSegment, transcript: Transcript) -> Iterator[str]:
    start, end = segment.byte_range.start, segment.byte_range.end
    if end > len(transcript.data):
        yield f"ends at byte {end} of {len(transcript.data)}"
        return
    content = transcript.data[start:end]
    try:
        text = content.decode()
    except UnicodeDecodeError:
        yield f"cuts a character in two at {start} or {end}"
        return
    if segment.content_hash is not None and segment.content_hash != sha256_digest(content):
        yield "has a contentHash that is not that of the cited bytes"
    if segment.quote_text is not None and segment.quote_text != text:
        yield "quotes other words than the cited bytes hold"
    yield from _problems_of_time(segment, transcript)


def _problems_of_time(segment: EvidenceSegment, transcript: Transcript) -> Iterator[str]:
    cues = transcript.cues_in(segment.byte_range.start, segment.byte_range.end)
    if not cues:
        yield "cites bytes in which nobody speaks"
        return
    starts = [cue.start_ms for cue in cues if cue.start_ms is not None]
    ends = [cue.end_ms for cue in cues if cue.end_ms is not None]
    if not starts or not ends:
        if segment.timestamp is not None:
            yield "states a time, and the source has none"
        return
    start, end = format_cue_start(min(starts)), format_cue_end(max(ends))
    if segment.timestamp is None:
        yield f"states no time; the words are spoken from {start} to {end}"
        return
    stated = format_cue_start(segment.timestamp.start_ms), format_cue_end(segment.timestamp.end_ms)
    if stated != (start, end):
        yield f"states {stated[0]} to {stated[1]}; the words are spoken from {start} to {end}"
