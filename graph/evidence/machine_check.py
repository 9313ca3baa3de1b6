"""The machine's check of a statement: do the cited bytes exist, and do they match the statement?

Four criteria, each over all segments of the evidence (docs/decisions/0036):

- `byte-range`: the range lies within the source and cuts no UTF-8 character in two;
- `content-hash`: the cited bytes have the hash that the segment states;
- `quote-exactness`: the bytes of the quote occur, unaltered, within the cited bytes; if these show another text, as
  those of HTML and PDF do, the quote occurs within that text, by the rule that the finding names (docs/decisions/0037);
- `timestamp-match`: the captions that the cited bytes belong to lie within the stated times, in whole seconds.

One FAIL makes the check FAIL. It is PASS if every segment's range holds and its hash or its quote holds, and
INCONCLUSIVE otherwise: a source that is not held, or no `documentHash`, or neither hash nor quote to compare, or a
quote that a reader may not be able to see, for which no hash makes up. A PASS proves the quote, never the claim. No
I/O: the caller passes the cited bytes, taken from a source of the right hash.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import ByteRange, CueRange, EvidenceSegment
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_response import Verdict
from graph.evidence.cited_bytes import CitedBytes, edges_cut
from graph.evidence.quotes import compare_quote
from graph.evidence.shown_text import Shown, as_shown

MACHINE_CRITERIA = ("byte-range", "content-hash", "quote-exactness", "timestamp-match")
MAX_SENTENCES = 10

_BYTE_RANGE, _CONTENT_HASH, _QUOTE, _TIMESTAMP = MACHINE_CRITERIA
_PASS, _FAIL, _INCONCLUSIVE = FindingStatus.PASS, FindingStatus.FAIL, FindingStatus.INCONCLUSIVE


class CheckStatus(StrEnum):
    """The outcome of the machine's check; only PASS opens the gate, and only FAIL is a label."""

    PASS = "PASS"
    FAIL = "FAIL"
    INCONCLUSIVE = "INCONCLUSIVE"


@dataclass(frozen=True, slots=True)
class MachineCheck:
    """The outcome, one finding per criterion, and the sentence that explains any outcome but PASS."""

    status: CheckStatus
    findings: tuple[Finding, ...]
    reason: str

    @property
    def verdict(self) -> Verdict:
        """The verdict under which the machine signs this outcome."""
        return _VERDICTS[self.status]


_VERDICTS = {
    CheckStatus.PASS: Verdict.VALIDATED,
    CheckStatus.FAIL: Verdict.CHALLENGED,
    CheckStatus.INCONCLUSIVE: Verdict.INSUFFICIENT_EVIDENCE,
}


class _Remark(NamedTuple):
    """A finding on one criterion of one segment."""

    criterion: str
    status: FindingStatus
    sentence: str
    keeps_open: bool = False


def check_evidence(statement: ProvenanceStatement, cited: Sequence[CitedBytes | None]) -> MachineCheck:
    """Compare the evidence of a statement with the cited bytes: one `CitedBytes` per segment, None if not held."""
    remarks: list[_Remark] = []
    lacking: list[str] = []
    for number, (segment, found) in enumerate(zip(statement.evidence, cited, strict=True)):
        own = _check_segment(segment, found, f"evidence[{number}]")
        remarks += own
        lacking += _name_what_lacks(own, f"evidence[{number}]")
    if failed := [remark.sentence for remark in remarks if remark.status is _FAIL]:
        status, sentences = CheckStatus.FAIL, failed
    elif lacking or not statement.evidence:
        status, sentences = CheckStatus.INCONCLUSIVE, lacking or ["the statement has no evidence"]
    else:
        status, sentences = CheckStatus.PASS, []
    findings = tuple(_finding(criterion, remarks) for criterion in MACHINE_CRITERIA)
    return MachineCheck(status, findings, _joined(sentences))


def _check_segment(segment: EvidenceSegment, found: CitedBytes | None, place: str) -> list[_Remark]:
    source = segment.document_hash
    if source is None:
        return _decline(segment, f"{place} names no documentHash")
    if found is None:
        return _decline(segment, f"{place} cites {source}, which cannot be compared here")
    in_range = _check_range(segment.byte_range, found, place, source)
    if in_range.status is _FAIL:
        return [in_range]
    if found.unread:
        return _decline(segment, f"{place} cites more than is compared of the sources of one statement")
    remarks = [in_range]
    if segment.content_hash is not None:
        remarks.append(_check_hash(segment.content_hash, found, place))
    if segment.quote is not None:
        remarks.append(_check_quote(segment.quote_text, found, place))
    if segment.timestamp is not None:
        remarks.append(_check_times(segment.timestamp, found, place))
    return remarks


def _decline(segment: EvidenceSegment, why: str) -> list[_Remark]:
    """Return an INCONCLUSIVE remark for each value that the segment states."""
    stated = (segment.byte_range, segment.content_hash, segment.quote, segment.timestamp)
    return [
        _Remark(criterion, _INCONCLUSIVE, why)
        for criterion, value in zip(MACHINE_CRITERIA, stated, strict=True)
        if value is not None
    ]


def _check_range(byte_range: ByteRange, found: CitedBytes, place: str, source: str) -> _Remark:
    if byte_range.end > found.length:
        return _Remark(_BYTE_RANGE, _FAIL, f"{place}.byteRange ends at {byte_range.end}, past the end of {source}")
    cuts = found.cuts_character
    if edges_cut(found.content) if cuts is None else cuts:
        return _Remark(_BYTE_RANGE, _FAIL, f"{place}.byteRange cuts a UTF-8 character of {source} in two")
    return _Remark(_BYTE_RANGE, _PASS, f"{place}.byteRange lies within {source}")


def _check_hash(stated: str, found: CitedBytes, place: str) -> _Remark:
    # The bytes themselves are never said: whoever may not read the source could ask for it byte by byte.
    if sha256_digest(found.content) != stated:
        return _Remark(_CONTENT_HASH, _FAIL, f"{place}.contentHash is not that of the cited bytes")
    return _Remark(_CONTENT_HASH, _PASS, f"{place}.contentHash is that of the cited bytes")


def _check_quote(quote: str | None, found: CitedBytes, place: str) -> _Remark:
    if quote is None:
        return _Remark(_QUOTE, _INCONCLUSIVE, f"{place}.quoteText is withheld")
    # A2AP §2.1's own quote ends in three dots, which mark an omission.
    said = quote.removesuffix("...").removesuffix("…")
    if not as_shown(said) if found.shown else not said:
        return _Remark(_QUOTE, _INCONCLUSIVE, f"{place}.quoteText quotes nothing")
    if found.shown is not None:
        return _check_shown(said, found.shown, found.content, place)
    if said.encode(errors="surrogatepass") not in found.content:
        return _Remark(_QUOTE, _FAIL, f"{place}.quoteText does not occur in the cited bytes")
    return _Remark(_QUOTE, _PASS, f"{place}.quoteText occurs in the cited bytes")


def _check_shown(said: str, shown: Shown, content: bytes, place: str) -> _Remark:
    compared = compare_quote(said, shown, content)
    keeps_open = compared.status is _INCONCLUSIVE
    return _Remark(_QUOTE, compared.status, f"{place}.quoteText {compared.told}", keeps_open)


def _check_times(stated: CueRange, found: CitedBytes, place: str) -> _Remark:
    if found.cue is None:
        return _Remark(
            _TIMESTAMP, _INCONCLUSIVE, f"{place}.timestamp has nothing to compare with: the cited bytes have no time"
        )
    start_ms, end_ms = found.cue
    # On the wire a start is floored and an end ceiled to whole seconds, so that the stated range holds the real one.
    if start_ms // 1000 < stated.start_ms // 1000 or -end_ms // 1000 < -stated.end_ms // 1000:
        return _Remark(_TIMESTAMP, _FAIL, f"{place}.timestamp does not hold the time of the cited bytes")
    return _Remark(_TIMESTAMP, _PASS, f"{place}.timestamp holds the time of the cited bytes")


def _name_what_lacks(remarks: Sequence[_Remark], place: str) -> list[str]:
    """Return why a segment is not proven; it is proven if its range holds, and its hash or its quote does."""
    passed = {remark.criterion for remark in remarks if remark.status is _PASS}
    if unseen := [remark.sentence for remark in remarks if remark.keeps_open]:
        return unseen
    if _BYTE_RANGE in passed and (_CONTENT_HASH in passed or _QUOTE in passed):
        return []
    open_ones = [r.sentence for r in remarks if r.status is _INCONCLUSIVE and r.criterion != _TIMESTAMP]
    return list(dict.fromkeys(open_ones)) or [f"{place} states neither contentHash nor quoteText"]


def _finding(criterion: str, remarks: Sequence[_Remark]) -> Finding:
    """Return the worst remark on a criterion as a finding; segments that do not state the criterion are ignored."""
    by_status: dict[FindingStatus, list[str]] = {}
    for remark in remarks:
        if remark.criterion == criterion:
            by_status.setdefault(remark.status, []).append(remark.sentence)
    for status in (_FAIL, _INCONCLUSIVE, _PASS):
        if status in by_status:
            return Finding(criterion, status, _joined(by_status[status]), 0.0 if status is _INCONCLUSIVE else 1.0)
    return Finding(criterion, _INCONCLUSIVE, "the evidence does not state it", 0.0)


def _joined(sentences: Sequence[str]) -> str:
    """Return the first sentences, and the number of the others: a verdict must fit into a message."""
    more = [f"and {len(sentences) - MAX_SENTENCES} more"] if len(sentences) > MAX_SENTENCES else []
    return "; ".join([*sentences[:MAX_SENTENCES], *more])
