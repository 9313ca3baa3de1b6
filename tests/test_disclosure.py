"""Texts that can be taken away without breaking the signature."""

from typing import Any

import pytest
from builders import QUOTE, agent_key, response_message, segment, sign, signed_statement, statement_message

from a2ap.canonical import sha256_digest
from a2ap.errors import DisclosureError, FieldError, MessageError
from a2ap.json_text import read_json, write_json
from a2ap.messages.evidence import build_segment
from a2ap.messages.finding import FindingStatus, build_finding
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_response import Verdict, VerificationResponse
from a2ap.signing.disclosure import make_disclosure, resolve
from a2ap.signing.signature import verify_signature

SALT = bytes(range(16))
DISCLOSURE = make_disclosure(QUOTE, SALT)


def redactable_statement() -> bytes:
    evidence = {**segment(), "quoteText": DISCLOSURE.reference}
    return signed_statement(evidence=[evidence], disclosures=[DISCLOSURE])


def read_statement(data: bytes) -> ProvenanceStatement:
    statement = read_message(data)
    assert isinstance(statement, ProvenanceStatement)
    return statement


def without_disclosures(data: bytes) -> bytes:
    return write_json({name: value for name, value in read_json(data).items() if name != "disclosures"})


def test_the_digest_is_that_of_the_canonical_salt_and_text() -> None:
    canonical = f'["AAECAwQFBgcICQoLDA0ODw==","{QUOTE}"]'
    assert DISCLOSURE.digest == sha256_digest(canonical.encode())


def test_a_disclosed_quote_is_read_like_any_other() -> None:
    statement = read_statement(redactable_statement())
    assert statement.evidence[0].quote_text == QUOTE
    assert statement.evidence[0].quote is not None
    assert statement.evidence[0].quote.digest == DISCLOSURE.digest


def test_taking_a_disclosure_away_leaves_signature_and_hash_whole() -> None:
    statement = read_statement(without_disclosures(redactable_statement()))
    assert statement.evidence[0].quote_text is None
    assert statement.envelope.signed_hash == read_statement(redactable_statement()).envelope.signed_hash
    assert statement.envelope.signature is not None
    verify_signature(statement.envelope.signature, statement.envelope.signed_bytes, agent_key(1).public_key)


def test_the_quote_itself_is_nowhere_in_the_signed_bytes() -> None:
    assert QUOTE.encode() not in read_statement(redactable_statement()).envelope.signed_bytes


def test_build_segment_takes_a_disclosure_for_a_quote() -> None:
    assert build_segment("urn:doc:d", 0, 4, quote=DISCLOSURE)["quoteText"] == {"digest": DISCLOSURE.digest}


def test_the_reason_and_the_findings_of_a_response_can_be_taken_away() -> None:
    reason, evidence = make_disclosure("why", SALT), make_disclosure("what", bytes(16))
    message = response_message(
        signed_statement(),
        verdict=Verdict.CHALLENGED,
        findings=[build_finding("source-accuracy", FindingStatus.FAIL, evidence, 0.9)],
        reason=reason,
        disclosures=[reason, evidence],
    )
    full, bare = read_message(sign(message, 2)), read_message(without_disclosures(sign(message, 2)))
    assert isinstance(full, VerificationResponse) and isinstance(bare, VerificationResponse)
    assert (full.reason, full.findings[0].evidence) == ("why", "what")
    assert (bare.reason, bare.findings[0].evidence) == (None, "")
    assert full.envelope.signed_hash == bare.envelope.signed_hash


OTHER = make_disclosure("Another text.", SALT)
BAD_DISCLOSURES: dict[str, tuple[Any, type[MessageError], str]] = {
    "another text": (
        {DISCLOSURE.digest: {**DISCLOSURE.entry, "value": "Another."}},
        DisclosureError,
        "is not the digest",
    ),
    "another salt": ({DISCLOSURE.digest: {**DISCLOSURE.entry, "salt": OTHER.salt[::-1]}}, DisclosureError, "is not"),
    "of nothing signed": ({OTHER.digest: OTHER.entry}, DisclosureError, "is the digest of no member"),
    "one too many": (
        {DISCLOSURE.digest: DISCLOSURE.entry, OTHER.digest: OTHER.entry},
        DisclosureError,
        "is the digest of no member",
    ),
    "no salt": ({DISCLOSURE.digest: {"value": QUOTE}}, DisclosureError, "is not an object with salt and value"),
    "a member too many": (
        {DISCLOSURE.digest: {**DISCLOSURE.entry, "x": 1}},
        DisclosureError,
        "with salt and value alone",
    ),
    "a short salt": (
        {DISCLOSURE.digest: {**DISCLOSURE.entry, "salt": "AAAA"}},
        DisclosureError,
        "is not 16 to 64 bytes",
    ),
    "a number": ({DISCLOSURE.digest: {**DISCLOSURE.entry, "value": 1}}, DisclosureError, "is 1, not a text"),
    "a text": ({DISCLOSURE.digest: QUOTE}, DisclosureError, "is not an object with salt and value"),
    "a list": ([], FieldError, "is [], not an object"),
    "null": (None, FieldError, "is null, not an object"),
}


@pytest.mark.parametrize(("disclosures", "kind", "problem"), BAD_DISCLOSURES.values(), ids=BAD_DISCLOSURES.keys())
def test_a_disclosure_of_something_else_is_refused(disclosures: Any, kind: type[MessageError], problem: str) -> None:
    document = {**read_json(redactable_statement()), "disclosures": disclosures}
    with pytest.raises(kind) as caught:
        read_message(write_json(document))
    assert problem in caught.value.problem
    assert caught.value.path.startswith("disclosures")


def test_a_message_without_redactable_members_takes_no_disclosures() -> None:
    message = {**statement_message(), "disclosures": {DISCLOSURE.digest: DISCLOSURE.entry}}
    with pytest.raises(DisclosureError, match="is the digest of no member"):
        read_message(sign(message, 1))


@pytest.mark.parametrize("value", [None, 1, [], {}, {"digest": "x"}, {"digest": DISCLOSURE.digest, "text": "x"}])
def test_a_redactable_member_is_a_text_or_a_digest(value: Any) -> None:
    with pytest.raises(FieldError, match=r"evidence\[0\].quoteText"):
        resolve(value, {}, "evidence[0].quoteText")


@pytest.mark.parametrize("length", [0, 15, 65])
def test_a_salt_has_16_to_64_bytes(length: int) -> None:
    with pytest.raises(ValueError):
        make_disclosure("text", b"x" * length)
