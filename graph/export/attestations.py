"""Statements and verdicts as in-toto Statements, each in a DSSE envelope signed by the node, one a line.

The node attests that the message is in its log, which takes in no message with an invalid signature. A verdict is
attested only while it is in force: not if it was retracted or superseded, or its key is no longer trusted.
"""

from collections.abc import AsyncIterator, Sequence
from functools import partial

from a2ap.attestation.dsse import seal
from a2ap.attestation.in_toto import PAYLOAD_TYPE, attestation
from a2ap.messages.verification_response import VerificationResponse
from graph.errors import InputError
from graph.export.documents import StoredMessage
from graph.export.reader import ExportReader
from graph.export.redaction import redacted_document
from graph.keys.signing_aside import signed_aside
from graph.node import Node


async def attestations(reader: ExportReader) -> AsyncIterator[bytes]:
    """Yield the envelopes, in log order. Raises InputError if the node's key is absent."""
    node = reader.node
    if node is None:
        raise InputError("attestations are signed by the node, and its key is not here", "format")
    async for page in reader.messages():
        fallen = await _fallen(reader, page)
        payloads = [_payload(stored) for stored in page if stored.entry.signed_hash not in fallen]
        yield await signed_aside(node.key, partial(_sealed, node, [one for one in payloads if one is not None]))


def _payload(stored: StoredMessage) -> bytes | None:
    return attestation(stored.entry, stored.message, redacted_document(stored))


def _sealed(node: Node, payloads: Sequence[bytes]) -> bytes:
    return b"".join(seal(PAYLOAD_TYPE, payload, node.key, node.key_id) + b"\n" for payload in payloads)


async def _fallen(reader: ExportReader, page: list[StoredMessage]) -> set[str]:
    """Return the verdicts that are not in force, by signed hash."""
    hashes = [stored.entry.signed_hash for stored in page if isinstance(stored.message, VerificationResponse)]
    if not hashes:
        return set()
    retracted = await reader.store.read("retractions_of", hashes=hashes)
    fallen = {row["target_hash"] for row in retracted if row["key_trusted"] and row["log_index"] < reader.size}
    superseded = await reader.store.read("superseding", hashes=hashes)
    known = await reader.store.read("verifications_by_hash", hashes=hashes)
    return (
        fallen
        | {row["superseded"] for row in superseded}
        | {row["signed_hash"] for row in known if not row["key_trusted"]}
    )
