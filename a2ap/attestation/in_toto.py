"""Statements and verdicts as in-toto Statements (in-toto Attestation Framework v1), for tools that read those.

The subject is always a statement of ours: its id, and its signed hash, which is the SHA-256 of the bytes that its
author signed. A statement's predicate is its document; a verdict that validates is a Simple Verification Result, whose
properties are the criteria that passed. Other verdicts have their own document as predicate: an SVR can only name
passed criteria. A verdict that names its target without the hash binds nothing and has no in-toto form.
"""

from collections.abc import Mapping
from typing import Any, Final

from a2ap.canonical import canonicalize
from a2ap.log.entry import LogEntry
from a2ap.messages.finding import FindingStatus
from a2ap.messages.message import Message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_response import Verdict, VerificationResponse
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.times import format_instant

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
SVR_TYPE: Final = "https://in-toto.io/attestation/svr/v0.1"


def attestation(entry: LogEntry, message: Message, document: Mapping[str, Any] | None) -> bytes | None:
    """Return the in-toto Statement of a message in the log, as RFC 8785 bytes; None if it has no such form.

    `document` is the part that the reader may have, None if there is none.
    """
    if isinstance(message, ProvenanceStatement):
        subject, held = message.envelope.signed_hash, A2AP.PROVENANCE_STATEMENT
        return _statement(message.envelope.id, subject, held, _kept(entry, document))
    if not isinstance(message, VerificationResponse) or message.target_hash is None:
        return None
    if message.verdict is Verdict.VALIDATED:
        return _statement(message.target_statement, message.target_hash, SVR_TYPE, _result(entry, message))
    kept = _kept(entry, document)
    return _statement(message.target_statement, message.target_hash, A2AP.VERIFICATION_RESPONSE, kept)


def _statement(name: str, signed_hash: str, predicate_type: str, predicate: Mapping[str, Any]) -> bytes:
    digest = {"sha256": signed_hash.removeprefix("sha256:")}
    return canonicalize(
        {
            "_type": STATEMENT_TYPE,
            "subject": [{"name": name, "digest": digest}],
            "predicateType": predicate_type,
            "predicate": predicate,
        }
    )


def _kept(entry: LogEntry, document: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the predicate of a message that is attested as it is: its place in the log, and the document."""
    place = _place(entry) | {"receivedAt": format_instant(entry.received_at)}
    return place if document is None else {**place, "document": document}


def _place(entry: LogEntry) -> dict[str, Any]:
    """Return the place in the log from which the message was read."""
    return {"documentHash": entry.document_hash, "log": entry.origin, "logIndex": entry.log_index}


def _result(entry: LogEntry, response: VerificationResponse) -> dict[str, Any]:
    """Return a result; members that the SVR has no word for are ours, which its readers ignore."""
    passed = [finding.criterion for finding in response.findings if finding.status is FindingStatus.PASS]
    return {
        "verifier": {"id": response.envelope.agent_id},
        "timeCreated": format_instant(response.envelope.time),
        "properties": [f"a2ap:{criterion}" for criterion in passed],
        **_place(entry),
    }
