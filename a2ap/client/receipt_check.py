"""The check of a receipt against the keys of a platform's log, and the keys that the platform states."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from a2ap.client.answers import Receipt, UnreachableError
from a2ap.errors import KeyFormatError, ProofError
from a2ap.log.log_key import LogKeys
from a2ap.log.receipt import verify_receipt
from a2ap.log.signed_note import VerifierKey
from a2ap.times import format_instant


def verify_answer(receipt: Receipt, message: Mapping[str, Any], keys: LogKeys) -> None:
    """Verify that a receipt is about a message, and says the same as the entry that it proves.

    Raises `LogError`: `NoteError` if none of the keys has signed the checkpoint.
    """
    entry, _ = verify_receipt(receipt.entry, receipt.proof, message, keys)
    proved = replace(
        receipt,
        log_index=entry.log_index,
        id=entry.id,
        type=entry.type,
        signed_hash=entry.signed_hash,
        document_hash=entry.document_hash,
        received_at=format_instant(entry.received_at),
    )
    if proved != receipt:
        raise ProofError(f"the receipt says something else than entry {entry.log_index}, which it proves")


def stated_log_key(description: Mapping[str, Any], node: str) -> VerifierKey:
    """Return the key of the log that a node's description states; raises `UnreachableError`, which names the node."""
    stated = description.get("logKey")
    try:
        return VerifierKey.parse(stated if isinstance(stated, str) else "")
    except KeyFormatError as error:
        raise UnreachableError(f"{node} states no log key: {error}") from error


def stated_successions(description: Mapping[str, Any], node: str) -> list[str]:
    """Return the notes of the changes of the log key that a node's description states; raises `UnreachableError`."""
    notes = description.get("logKeySuccessions", [])
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise UnreachableError(f"{node} states no list of successions of its log key")
    return notes
