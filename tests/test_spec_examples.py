"""The specification's own messages (A2AP §2.1 to §2.3), verbatim but for what is elided there."""

import pytest
from builders import agent_key
from vectors_file import VECTORS

from a2ap.errors import ContentHashError, FieldError
from a2ap.json_text import read_json
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.content_hash import ContentHashRule, compute_content_hash, compute_python_repr_hash
from a2ap.messages.context import ContextForm
from a2ap.messages.evidence import ByteRange, CueRange, EvidenceSegment
from a2ap.messages.finding import FindingStatus
from a2ap.messages.message import Message, read_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import Verdict, VerificationResponse
from a2ap.signing.signature import read_signature, sign_message, signed_bytes, verify_signature
from a2ap.times import parse_instant

# What is elided in the text, and what stands for it here.
STATEMENT_ID = "urn:uuid:550e8400-e29b-41d4-a716-446655440000"
SIGNATURE = "QUJD" * 21 + "QQ=="
CLAIM = "YouTube video XYZ discusses climate policy reforms"
SEGMENT = EvidenceSegment(
    source_document="urn:doc:youtube:XYZ",
    document_hash=None,
    chunk_id="urn:chunk:abc-def-123",
    content_hash=None,
    byte_range=ByteRange(1024, 1536),
    timestamp=CueRange("00:02:15", "00:02:47", 135_000, 167_000),
    quote=None,
    relevance_score=0.88,
)
OUR_HASH = compute_content_hash(CLAIM, [SEGMENT])


def verbatim(name: str) -> bytes:
    return (VECTORS / name).read_bytes()


def filled(name: str, content_hash: str = OUR_HASH) -> bytes:
    return (
        verbatim(name)
        .replace(b'"urn:uuid:..."', f'"{STATEMENT_ID[:-1]}1"'.encode())
        .replace(b"sha256:abc123...", content_hash.encode())
        .replace(b"base64EncodedSignature==", SIGNATURE.encode())
    )


def read(name: str, content_hash: str = OUR_HASH) -> Message:
    return read_message(filled(name, content_hash))


def test_the_statement_of_2_1_is_read() -> None:
    statement = read("a2ap_2_1_provenance_statement.json")
    assert isinstance(statement, ProvenanceStatement)
    assert statement.envelope.id == STATEMENT_ID
    assert statement.envelope.context is ContextForm.INLINE
    assert statement.envelope.time == parse_instant("2025-10-14T10:30:00Z")
    assert statement.agent == AgentDescription(
        "urn:agent:claude-4.5-sonnet-20241022",
        "Claude 4.5 Sonnet",
        "20241022",
        "Anthropic",
        ("reasoning", "code-generation", "provenance-tracking"),
    )
    assert (statement.claim.text, statement.claim.confidence) == (CLAIM, 0.92)
    assert statement.claim.generation_method == "semantic-analysis"
    assert statement.claim.content_hash_rule is ContentHashRule.JCS
    (segment,) = statement.evidence
    assert segment.byte_range == SEGMENT.byte_range
    assert segment.timestamp == SEGMENT.timestamp
    assert segment.quote_text == "The new policy framework establishes..."
    assert (segment.source_document, segment.chunk_id) == (SEGMENT.source_document, SEGMENT.chunk_id)
    assert segment.relevance_score == 0.88
    assert statement.envelope.signature is not None
    assert statement.envelope.signature.public_key == "agent:claude-4.5:pubkey"


def test_the_statement_of_2_1_is_read_with_the_hash_of_4_1() -> None:
    digest = compute_python_repr_hash(CLAIM, [SEGMENT.chunk_id])
    statement = read("a2ap_2_1_provenance_statement.json", f"sha256:{digest}")
    assert isinstance(statement, ProvenanceStatement)
    assert statement.claim.content_hash_rule is ContentHashRule.PYTHON_REPR


def test_the_request_of_2_2_is_read() -> None:
    request = read("a2ap_2_2_verification_request.json")
    assert isinstance(request, VerificationRequest)
    assert request.envelope.agent_id == "urn:agent:gpt-5"
    assert request.envelope.signature is None
    assert request.envelope.context is ContextForm.URL
    assert (request.target_statement, request.target_hash) == (STATEMENT_ID, None)
    assert request.criteria == ("source-accuracy", "logical-consistency", "evidence-sufficiency")


def test_the_response_of_2_3_is_read() -> None:
    response = read("a2ap_2_3_verification_response.json")
    assert isinstance(response, VerificationResponse)
    assert response.envelope.agent_id == "urn:agent:claude-4.5-sonnet-20241022"
    assert (response.verdict, response.confidence) == (Verdict.VALIDATED, 0.89)
    assert (response.target_statement, response.target_hash) == (STATEMENT_ID, None)
    assert [(finding.criterion, finding.status, finding.confidence) for finding in response.findings] == [
        ("source-accuracy", FindingStatus.PASS, 0.95),
        ("logical-consistency", FindingStatus.PASS, 0.87),
    ]


@pytest.mark.parametrize("name", ["a2ap_2_1_provenance_statement.json", "a2ap_2_3_verification_response.json"])
def test_the_examples_can_be_signed_and_verified(name: str) -> None:
    signed = sign_message(read_json(filled(name)), agent_key(1), "agent:claude-4.5:pubkey")
    signature = sign_message(signed, agent_key(1), "agent:claude-4.5:pubkey")["signature"]
    assert signature == signed["signature"]
    envelope = read(name).envelope
    assert envelope.signed_bytes == signed_bytes(signed)
    assert envelope.signature is not None
    verify_signature(read_signature(signature), envelope.signed_bytes, agent_key(1).public_key)


def test_what_is_elided_is_not_taken_for_real() -> None:
    with pytest.raises(ContentHashError):
        read("a2ap_2_1_provenance_statement.json", "sha256:abc123...")
    with pytest.raises(FieldError, match=r"@id is 'urn:uuid:\.\.\.'"):
        read_message(verbatim("a2ap_2_2_verification_request.json"))
