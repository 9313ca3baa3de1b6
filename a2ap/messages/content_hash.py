"""The content hash of a claim: the hash of its text and of the bytes that it cites.

Our rule, `jcs-1`: SHA-256 of the RFC 8785 bytes of `{"claim": text, "evidence": [{"byteRange", "chunkId",
"contentHash"}, …]}`, segments in document order, `contentHash` left out if a segment has none. A2AP §4.1
hashes the claim and the `repr` of a Python list of chunk ids; such a hash is recognised, with or without
`sha256:` before it, and reported under the name of its rule.
"""

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from json.encoder import encode_basestring as _text

from a2ap.canonical import sha256_digest
from a2ap.errors import ContentHashError
from a2ap.messages.evidence import EvidenceSegment


class ContentHashRule(StrEnum):
    """The rules under which a content hash is recognised."""

    JCS = "jcs-1"
    PYTHON_REPR = "a2ap-0.1-python-repr"


def compute_content_hash(claim: str, evidence: Sequence[EvidenceSegment]) -> str:
    """Return `sha256:…` of a claim's text and its evidence under our rule, `jcs-1`."""
    # Every statement that is read comes by here, so the canonical form is written and not made of a value.
    pointers = ",".join([_pointer(segment) for segment in evidence])
    return sha256_digest(f'{{"claim":{_text(claim)},"evidence":[{pointers}]}}'.encode())


def compute_python_repr_hash(claim: str, chunk_ids: Sequence[str]) -> str:
    """Return the 64 hexadecimal digits that A2AP §4.1 computes in Python."""
    return hashlib.sha256(f"{claim}|{list(chunk_ids)}".encode()).hexdigest()


def recognise_content_hash(
    content_hash: str, claim: str, evidence: Sequence[EvidenceSegment], path: str = "claim.contentHash"
) -> ContentHashRule:
    """Return the rule under which this is the content hash; raises `ContentHashError` if there is none."""
    computed = compute_content_hash(claim, evidence)
    if content_hash == computed:
        return ContentHashRule.JCS
    chunk_ids = [segment.chunk_id for segment in evidence]
    if content_hash.removeprefix("sha256:") == compute_python_repr_hash(claim, chunk_ids):
        return ContentHashRule.PYTHON_REPR
    raise ContentHashError(path, f"is {content_hash[:80]!r}; this claim and evidence give {computed}")


def _pointer(segment: EvidenceSegment) -> str:
    # The evidence pointer of A2AP §6.2: nothing of the text itself.
    start, end = segment.byte_range.start, segment.byte_range.end
    content = "" if segment.content_hash is None else f',"contentHash":{_text(segment.content_hash)}'
    return f'{{"byteRange":{{"end":{end:d},"start":{start:d}}},"chunkId":{_text(segment.chunk_id)}{content}}}'
