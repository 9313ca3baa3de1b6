"""The sources of a bundle: they are those that the statement cites, and have what it cites where it says so."""

from collections.abc import Mapping
from typing import Any

from a2ap.bundle_members import read_base64, read_objects, read_text
from a2ap.canonical import sha256_digest
from a2ap.errors import BundleError
from a2ap.evidence import EvidenceSegment
from a2ap.statement import ProvenanceStatement


def verify_sources(
    document: Mapping[str, Any], statement: ProvenanceStatement, proved: list[str], not_proved: list[str]
) -> Mapping[str, bytes]:
    """Return the sources by their hash; raises where they, or what is cited of them, are not what it says."""
    sources: dict[str, bytes] = {}
    reasons: dict[str, str] = {}
    for position, item in enumerate(read_objects(document, "sources")):
        name, text = read_text(item, "documentHash"), item.get("content")
        if text is None:
            reasons[name] = read_text(item, "withheld")
            continue
        sources[name] = read_base64(text, f"sources[{position}].content")
        if sha256_digest(sources[name]) != name:
            raise BundleError(f"sources[{position}]: the bytes of {name} have the hash {sha256_digest(sources[name])}")
    cited = {segment.document_hash for segment in statement.evidence}
    if extra := sorted(sources.keys() - cited):
        raise BundleError(f"sources: the statement does not cite {extra[0]}")
    for position, segment in enumerate(statement.evidence):
        where = f"evidence[{position}]"
        content = sources.get(segment.document_hash or "")
        if content is None:
            reason = reasons.get(segment.document_hash or "", "the bundle has not its bytes")
            not_proved.append(f"that {where} says what it quotes: {reason}")
            continue
        _verify_segment(segment, content, where)
        proved.append(f"{where} is bytes {segment.byte_range.start} to {segment.byte_range.end} of the source it names")
        if segment.content_hash is None:
            not_proved.append(f"that {where} is meant as those bytes: it has no contentHash")
    return sources


def _verify_segment(segment: EvidenceSegment, content: bytes, where: str) -> None:
    start, end = segment.byte_range.start, segment.byte_range.end
    if end > len(content):
        raise BundleError(f"{where}: it cites bytes {start} to {end} of a source of {len(content)}")
    found = sha256_digest(content[start:end])
    if segment.content_hash is not None and segment.content_hash != found:
        raise BundleError(f"{where}: the bytes that it cites have the hash {found}, not {segment.content_hash}")
