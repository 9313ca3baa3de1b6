"""Receipts that say something else than the entry which they prove, as a client with the log's key gets them."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from builders import agent_key, message_id, signed_registration, signed_statement

from a2ap.client import Client
from a2ap.errors import ProofError
from a2ap.log.checkpoint import Checkpoint, sign_checkpoint
from a2ap.log.entry import entry_bytes
from a2ap.log.log_proof import LogProof
from a2ap.log.merkle import hash_leaf
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.message import read_message
from a2ap.times import format_instant
from graph.log.entry import entry_of

ORIGIN = "urn:agent:a2ap-node:0123456789abcdef"
LOG_KEY = agent_key(42)
RECEIVED = datetime(2025, 10, 14, 11, tzinfo=UTC)
DOCUMENT = signed_statement(1)


def answer(entry_changes: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """Return the answer of a log of one entry, about the document or, with changes, about something else."""
    entry = entry_of(read_message(DOCUMENT), log_index=0, origin=ORIGIN, received_at=RECEIVED)
    entry = replace(entry, **(entry_changes or {}))
    leaf = entry_bytes(entry)
    note = sign_checkpoint(Checkpoint(ORIGIN, 1, hash_leaf(leaf)), LOG_KEY)
    return {
        "logIndex": entry.log_index,
        "id": entry.id,
        "type": entry.type,
        "signedHash": entry.signed_hash,
        "documentHash": entry.document_hash,
        "receivedAt": format_instant(entry.received_at),
        "entry": leaf.decode(),
        "proof": LogProof(0, (), note).text,
    } | changes


def submit(members: dict[str, Any]) -> int:
    transport = httpx.MockTransport(lambda _: httpx.Response(201, json=members))
    with Client("http://node.example", log_key=VerifierKey(ORIGIN, LOG_KEY.public_key), transport=transport) as client:
        return client.submit(DOCUMENT).log_index


def test_a_receipt_that_holds_is_returned() -> None:
    assert submit(answer()) == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"logIndex": 1},
        {"id": message_id("other")},
        {"type": "Policy"},
        {"signedHash": "sha256:" + "0" * 64},
        {"documentHash": "sha256:" + "0" * 64},
        {"receivedAt": "2025-10-14T10:00:00Z"},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_receipt_says_what_its_entry_says(changes: dict[str, Any]) -> None:
    with pytest.raises(ProofError, match="something else than entry 0"):
        submit(answer(**changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"id": message_id("other")},
        {"type": "Policy"},
        {"signed_hash": read_message(signed_registration(1)).envelope.signed_hash},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_an_entry_that_calls_the_document_something_else_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ProofError, match="entry 0 is about "):
        submit(answer(changes))
