"""Retractions, redactions, and how long a source may be kept: what the messages say."""

from typing import Any

import pytest
import random_messages
from builders import (
    SOURCE,
    TIME,
    agent_id,
    disclosure_redaction_message,
    envelope_of,
    sign,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
    source_redaction_message,
)
from hypothesis import given
from hypothesis import strategies as st
from refusals import (
    MISSING,
    NOT_AGENT_IDS,
    NOT_HASHES,
    NOT_LISTS,
    NOT_TEXTS,
    NOT_TIMES,
    NOT_UUIDS,
    assert_refused,
)

from a2ap.canonical import sha256_digest
from a2ap.errors import MessageError
from a2ap.json_text import read_json
from a2ap.messages.evidence import ByteRange
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.redaction import Redaction
from a2ap.messages.retraction import Retraction
from a2ap.messages.source_registration import SourceRegistration

STATEMENT = signed_statement()
HASH = "sha256:" + "a" * 64


def unsigned(document: bytes) -> dict[str, Any]:
    return {name: value for name, value in read_json(document).items() if name != "signature"}


RETRACTION = unsigned(signed_retraction(STATEMENT))
OF_MESSAGE = disclosure_redaction_message(STATEMENT, [HASH], b"what is left")
OF_SOURCE = source_redaction_message(
    sha256_digest(SOURCE), byte_ranges=[ByteRange(3, 9), ByteRange(9, 12)], redacted_document_hash=HASH
)


def test_every_member_of_a_retraction_is_read() -> None:
    retraction = read_message(signed_retraction(STATEMENT))

    assert isinstance(retraction, Retraction)
    assert retraction.envelope.agent_id == agent_id(1)
    assert retraction.envelope.time == TIME
    assert retraction.target_message == envelope_of(STATEMENT).id
    assert retraction.target_type is MessageType.STATEMENT
    assert retraction.target_hash == envelope_of(STATEMENT).signed_hash
    assert retraction.reason == "It was wrong."


def test_a_verdict_is_retracted_too_and_a_reason_may_be_left_out() -> None:
    retraction = read_message(signed_retraction(signed_response(STATEMENT), 2, reason=None))

    assert isinstance(retraction, Retraction)
    assert retraction.target_type is MessageType.VERIFICATION_RESPONSE
    assert retraction.reason is None


def test_every_member_of_a_redaction_of_a_message_is_read() -> None:
    redaction = read_message(sign(OF_MESSAGE, 1))

    assert isinstance(redaction, Redaction)
    assert redaction.target_hash == envelope_of(STATEMENT).signed_hash
    assert redaction.disclosure_digests == (HASH,)
    assert redaction.redacted_document_hash == sha256_digest(b"what is left")
    assert (redaction.document_hash, redaction.byte_ranges) == (None, ())
    assert (redaction.reason, redaction.legal_basis) == ("The person asked for it.", "GDPR Art. 17")


def test_every_member_of_a_redaction_of_a_source_is_read() -> None:
    redaction = read_message(sign(OF_SOURCE, 9))

    assert isinstance(redaction, Redaction)
    assert redaction.document_hash == sha256_digest(SOURCE)
    assert redaction.byte_ranges == (ByteRange(3, 9), ByteRange(9, 12))
    assert redaction.redacted_document_hash == HASH
    assert (redaction.target_hash, redaction.disclosure_digests) == (None, ())


CASES: list[tuple[dict[str, Any], str, list[Any]]] = [
    (RETRACTION, "retractedAt", [MISSING, *NOT_TIMES]),
    (RETRACTION, "retractingAgent", [MISSING, *NOT_AGENT_IDS]),
    (RETRACTION, "targetMessage", [MISSING, *NOT_UUIDS]),
    (RETRACTION, "targetType", [MISSING, None, 1, "ProvenanceStatement", "a2ap:AgentRegistration"]),
    (RETRACTION, "targetHash", [MISSING, *NOT_HASHES]),
    (RETRACTION, "reason", NOT_TEXTS),
    (OF_MESSAGE, "redactedAt", [MISSING, *NOT_TIMES]),
    (OF_MESSAGE, "redactingAgent", [MISSING, *NOT_AGENT_IDS]),
    (OF_MESSAGE, "targetHash", [MISSING, *NOT_HASHES]),
    (OF_MESSAGE, "disclosureDigests", [MISSING, *NOT_LISTS, [], [HASH, HASH]]),
    (OF_MESSAGE, "redactedDocumentHash", [MISSING, *NOT_HASHES]),
    (OF_MESSAGE, "reason", [MISSING, *NOT_TEXTS]),
    (OF_MESSAGE, "legalBasis", NOT_TEXTS),
    (OF_SOURCE, "documentHash", NOT_HASHES),
    (OF_SOURCE, "byteRanges", [*NOT_LISTS, []]),
    (OF_SOURCE, "redactedDocumentHash", NOT_HASHES),
]


@pytest.mark.parametrize(("message", "path", "values"), CASES, ids=[f"{m['@type']}.{p}" for m, p, _ in CASES])
def test_a_wrong_member_is_named(message: dict[str, Any], path: str, values: list[Any]) -> None:
    for value in values:
        assert_refused(message, path, value, kind=MessageError)


@pytest.mark.parametrize("value", NOT_HASHES)
def test_a_disclosure_is_named_by_its_digest(value: Any) -> None:
    assert_refused(OF_MESSAGE, "disclosureDigests", [HASH, value], at="disclosureDigests[1]")


@pytest.mark.parametrize(
    "value",
    [None, 1, [3, 9], {}, {"start": 3}, {"start": 9, "end": 3}, {"start": -1, "end": 3}, {"start": 5, "end": 11}],
)
def test_ranges_of_a_redaction_are_ranges_one_after_the_other(value: Any) -> None:
    with pytest.raises(MessageError, match=r"byteRanges\[1\]"):
        read_message(sign({**OF_SOURCE, "byteRanges": [{"start": 3, "end": 9}, value]}, 1))


@pytest.mark.parametrize(
    ("message", "more", "path"),
    [
        (OF_MESSAGE, {"documentHash": HASH}, "documentHash"),
        (OF_MESSAGE, {"byteRanges": [{"start": 1, "end": 2}]}, "byteRanges"),
        (OF_SOURCE, {"disclosureDigests": [HASH]}, "disclosureDigests"),
    ],
)
def test_a_redaction_is_of_a_message_or_of_a_source(message: dict[str, Any], more: dict[str, Any], path: str) -> None:
    with pytest.raises(MessageError) as caught:
        read_message(sign({**message, **more}, 1))
    assert caught.value.path == path


def test_a_redaction_says_what_of() -> None:
    message = {name: value for name, value in OF_SOURCE.items() if name not in ("documentHash", "byteRanges")}
    with pytest.raises(MessageError, match="targetHash is missing, and so is documentHash"):
        read_message(sign(message, 1))


@given(st.one_of(random_messages.retractions(), random_messages.redactions(), random_messages.source_redactions()))
def test_any_retraction_and_redaction_that_is_built_is_read(document: bytes) -> None:
    assert read_message(document).envelope.received == document


def test_a_source_has_a_licence_a_rights_holder_and_a_date() -> None:
    source = read_message(signed_source(licence="CC-BY-4.0", rights_holder="City clerk", retain_until=TIME))

    assert isinstance(source, SourceRegistration)
    assert (source.licence, source.rights_holder, source.retain_until) == ("CC-BY-4.0", "City clerk", TIME)


def test_licence_rights_holder_and_date_may_be_left_out() -> None:
    source = read_message(signed_source())

    assert isinstance(source, SourceRegistration)
    assert (source.licence, source.rights_holder, source.retain_until) == (None, None, None)


@pytest.mark.parametrize(
    ("name", "values"), [("licence", NOT_TEXTS), ("rightsHolder", NOT_TEXTS), ("retainUntil", NOT_TIMES)]
)
def test_a_wrong_term_of_use_is_named(name: str, values: list[Any]) -> None:
    message = unsigned(signed_source(licence="x", rights_holder="x", retain_until=TIME))
    for value in values:
        assert_refused(message, f"source.{name}", value)
