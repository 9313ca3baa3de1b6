"""The sources of a bundle: they are those that the statement cites, and have the cited bytes at the cited place.

Of a source that is too long for a bundle, the bundle has the cited passages. Their hashes prove the cited bytes and
not their place, for which the whole source is needed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from a2ap.bundle.members import Place, read_base64, read_objects, read_text
from a2ap.canonical import sha256_digest
from a2ap.errors import BundleError
from a2ap.messages.evidence import ByteRange, EvidenceSegment, read_byte_range
from a2ap.messages.statement import ProvenanceStatement


@dataclass(frozen=True, slots=True)
class _Bundled:
    """A source as a bundle has it: its bytes, or the reason for their absence and the cited passages."""

    content: bytes | None
    reason: str
    passages: Mapping[ByteRange, bytes]


_ABSENT = _Bundled(None, "the bundle has not its bytes", {})


def verify_sources(
    document: Mapping[str, Any], statement: ProvenanceStatement, proved: list[str], not_proved: list[str]
) -> Mapping[str, bytes]:
    """Return the sources by their hash; raises if a source or a passage does not match its hash or is not cited."""
    bundled: dict[str, _Bundled] = {}
    for position, item in enumerate(read_objects(document, "sources")):
        name = read_text(item, "documentHash")
        if name in bundled:
            raise BundleError(f"sources[{position}]: {name} is there twice")
        bundled[name] = _read_source(item, f"sources[{position}]")
    _check_cited(bundled, statement)
    for position, segment in enumerate(statement.evidence):
        where, source = f"evidence[{position}]", bundled.get(segment.document_hash or "", _ABSENT)
        passage = source.passages.get(segment.byte_range)
        if source.content is not None:
            _verify_segment(segment, source.content, where)
            proved.append(
                f"{where} is bytes {segment.byte_range.start} to {segment.byte_range.end} of the source it names"
            )
            if segment.content_hash is None:
                not_proved.append(f"that {where} is meant as those bytes: it has no contentHash")
        elif passage is None or segment.content_hash is None:
            not_proved.append(f"that {where} contains the words that it quotes: {source.reason}")
        else:
            _verify_passage(segment, passage, where)
            proved.append(f"{where} is meant as the {len(passage)} bytes in here")
            not_proved.append(f"that {where} stands in the source it names: {source.reason}")
    return {name: one.content for name, one in bundled.items() if one.content is not None}


def _read_source(item: Mapping[str, Any], where: str) -> _Bundled:
    name, text = read_text(item, "documentHash"), item.get("content")
    if text is None:
        return _Bundled(None, read_text(item, "withheld"), _read_passages(item, where))
    content = read_base64(text, f"{where}.content")
    if sha256_digest(content) != name:
        raise BundleError(f"{where}: the bytes of {name} have the hash {sha256_digest(content)}")
    if item.get("passages") is not None:
        raise BundleError(f"{where}: it has its bytes and passages as well")
    return _Bundled(content, "", {})


def _read_passages(item: Mapping[str, Any], where: str) -> dict[ByteRange, bytes]:
    if item.get("passages") is None:
        return {}
    passages: dict[ByteRange, bytes] = {}
    for position, passage in enumerate(read_objects(item, "passages")):
        place = f"{where}.passages[{position}]"
        with Place(place):
            byte_range = read_byte_range(passage, "")
        content = read_base64(passage.get("content"), f"{place}.content")
        if len(content) != byte_range.end - byte_range.start:
            raise BundleError(
                f"{place}: bytes {byte_range.start} to {byte_range.end} of a source are not {len(content)}"
            )
        if byte_range in passages:
            raise BundleError(f"{place}: bytes {byte_range.start} to {byte_range.end} are there twice")
        passages[byte_range] = content
    return passages


def _check_cited(bundled: Mapping[str, _Bundled], statement: ProvenanceStatement) -> None:
    """Check that the bundle has no source and no passage that the statement does not cite."""
    cited = {(segment.document_hash, segment.byte_range) for segment in statement.evidence}
    names = {name for name, _ in cited}
    for name in sorted(bundled):
        if name not in names and (bundled[name].content is not None or bundled[name].passages):
            raise BundleError(f"sources: the statement does not cite {name}")
        for one in bundled[name].passages:
            if (name, one) not in cited:
                raise BundleError(f"sources: the statement does not cite bytes {one.start} to {one.end} of {name}")


def _verify_segment(segment: EvidenceSegment, content: bytes, where: str) -> None:
    start, end = segment.byte_range.start, segment.byte_range.end
    if end > len(content):
        raise BundleError(f"{where}: it cites bytes {start} to {end} of a source of {len(content)}")
    if segment.content_hash is not None:
        _verify_passage(segment, content[start:end], where)


def _verify_passage(segment: EvidenceSegment, passage: bytes, where: str) -> None:
    found = sha256_digest(passage)
    if segment.content_hash != found:
        raise BundleError(f"{where}: the bytes that it cites have the hash {found}, not {segment.content_hash}")
