"""Content hashes: ours, and the one of A2AP §4.1 under its own name."""

from dataclasses import replace

import pytest
from builders import CLAIM, segment, sign, statement_message
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT
from vectors_file import load_vectors

from a2ap.canonical import canonicalize, sha256_digest
from a2ap.errors import ContentHashError
from a2ap.messages.content_hash import (
    ContentHashRule,
    compute_content_hash,
    compute_python_repr_hash,
    recognise_content_hash,
)
from a2ap.messages.evidence import EvidenceSegment, build_segment, read_segment
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement

VECTORS = load_vectors("a2ap_identifiers.json")["content_hashes"]


def evidence(*wires: dict[str, object]) -> list[EvidenceSegment]:
    return [read_segment(wire, f"evidence[{index}]", {}) for index, wire in enumerate(wires)]


@pytest.mark.parametrize("vector", VECTORS)
def test_the_hash_of_the_specification_is_computed_as_there(vector: dict[str, object]) -> None:
    chunks = vector["evidence_chunks"]
    assert isinstance(chunks, list)
    assert compute_python_repr_hash(str(vector["claim"]), chunks) == vector["sha256"]


def test_our_hash_is_that_of_the_canonical_claim_and_evidence_pointers() -> None:
    wire = build_segment("urn:doc:d", 5, 9, content_hash="sha256:" + "c" * 64, chunk_id="urn:chunk:k", quote="text")
    canonical = (
        '{"claim":"c","evidence":[{"byteRange":{"end":9,"start":5},"chunkId":"urn:chunk:k",'
        f'"contentHash":"sha256:{"c" * 64}"}}]}}'
    )
    assert compute_content_hash("c", evidence(wire)) == sha256_digest(canonical.encode())


def test_a_segment_without_a_content_hash_has_none_in_the_pointer() -> None:
    wire = build_segment("urn:doc:d", 5, 9, chunk_id="urn:chunk:k")
    canonical = '{"claim":"c","evidence":[{"byteRange":{"end":9,"start":5},"chunkId":"urn:chunk:k"}]}'
    assert compute_content_hash("c", evidence(wire)) == sha256_digest(canonical.encode())


def test_the_hash_depends_on_the_claim_the_chunk_the_range_the_bytes_and_the_order() -> None:
    first = build_segment("urn:doc:d", 0, 4, content_hash="sha256:" + "a" * 64)
    second = build_segment("urn:doc:d", 4, 8)
    hashes = {
        compute_content_hash("c", evidence(first, second)),
        compute_content_hash("C", evidence(first, second)),
        compute_content_hash("c", evidence(second, first)),
        compute_content_hash("c", evidence(first)),
        compute_content_hash("c", evidence({**first, "chunkId": "urn:chunk:x"}, second)),
        compute_content_hash("c", evidence({**first, "contentHash": "sha256:" + "b" * 64}, second)),
        compute_content_hash("c", evidence({**first, "byteRange": {"start": 0, "end": 5}}, second)),
    }
    assert len(hashes) == 7


def test_a_quote_is_not_in_the_hash() -> None:
    assert compute_content_hash("c", evidence(segment())) == compute_content_hash("c", evidence(segment(quote_x())))


def quote_x() -> str:
    return segment()["quoteText"]  # type: ignore[no-any-return]


def statement_with(content_hash: str) -> ProvenanceStatement:
    message = statement_message()
    message["claim"]["contentHash"] = content_hash
    statement = read_message(sign(message, 1))
    assert isinstance(statement, ProvenanceStatement)
    return statement


@pytest.mark.parametrize("prefix", ["", "sha256:"])
def test_a_statement_with_the_hash_of_the_specification_says_so(prefix: str) -> None:
    content_hash = prefix + compute_python_repr_hash(CLAIM, [segment()["chunkId"]])
    claim = statement_with(content_hash).claim
    assert claim.content_hash == content_hash
    assert claim.content_hash_rule is ContentHashRule.PYTHON_REPR
    assert claim.content_hash_rule.value == "a2ap-0.1-python-repr"


def test_a_statement_with_our_hash_says_so() -> None:
    statement = read_message(sign(statement_message(), 1))
    assert isinstance(statement, ProvenanceStatement)
    assert statement.claim.content_hash_rule is ContentHashRule.JCS
    assert statement.claim.content_hash_rule.value == "jcs-1"


@pytest.mark.parametrize(
    "content_hash",
    ["sha256:" + "0" * 64, "0" * 64, "", "sha256:abc123...", compute_content_hash(CLAIM, evidence(segment()))[7:]],
)
def test_any_other_hash_is_refused(content_hash: str) -> None:
    with pytest.raises(ContentHashError, match=r"claim\.contentHash is .*; this claim and evidence give sha256:"):
        statement_with(content_hash)


def test_the_hash_of_another_claim_is_refused() -> None:
    with pytest.raises(ContentHashError):
        recognise_content_hash(compute_content_hash("a", evidence(segment())), "b", evidence(segment()))


@PATIENT
@given(
    st.text(st.characters(exclude_categories=["Cs"])), st.lists(st.tuples(st.text('a"\\/é\n\x7f\u2028'), st.booleans()))
)
def test_our_hash_is_of_the_rfc_8785_bytes_whatever_the_claim_says(claim: str, named: list[tuple[str, bool]]) -> None:
    segments = [
        replace(*evidence(build_segment("urn:doc:d", 5, 9)), chunk_id=name, content_hash="sha256:x" if hashed else None)
        for name, hashed in named
    ]
    pointers = [
        {"chunkId": name, "byteRange": {"start": 5, "end": 9}} | ({"contentHash": "sha256:x"} if hashed else {})
        for name, hashed in named
    ]
    assert compute_content_hash(claim, segments) == sha256_digest(canonicalize({"claim": claim, "evidence": pointers}))


def test_a_claim_with_half_a_character_has_no_hash() -> None:
    with pytest.raises(ValueError, match="surrogates not allowed"):
        compute_content_hash("\ud800", [])
