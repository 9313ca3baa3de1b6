"""Receipts: a node's answer to a submission, to be checked off-line against the node's log key."""

from collections.abc import Mapping
from typing import Any

from a2ap.errors import ProofError
from a2ap.log.checkpoint import Checkpoint
from a2ap.log.entry import LogEntry, read_entry
from a2ap.log.log_key import LogKeys
from a2ap.log.log_proof import read_log_proof, verify_log_proof
from a2ap.log.signed_note import VerifierKey
from a2ap.log.witness_policy import WitnessPolicy
from a2ap.messages.envelope import read_type
from a2ap.signing.signature import signed_hash


def verify_receipt(
    entry: str,
    proof: str,
    document: Mapping[str, Any],
    key: VerifierKey | LogKeys,
    policy: WitnessPolicy | None = None,
) -> tuple[LogEntry, Checkpoint]:
    """Return the entry of a document, and the checkpoint of the log in which it is.

    (1) The proof leads from the entry to a checkpoint that the log's key signed, and the policy's witnesses.
    (2) The entry is about the document: it has the hash of its signed bytes, its id and its type.

    Raises as `verify_log_proof` does, and `ProofError` if the entry is about another document. The entry may have
    another name for the agent if the document came here from a peer first.
    """
    read = read_log_proof(proof)
    checkpoint = verify_log_proof(read, entry.encode(), key, policy)
    found = read_entry(entry.encode(), read.log_index)
    said = f"{found.type} {found.id}, {found.signed_hash}"
    asked = f"{read_type(document).value} {document.get('@id')}, {signed_hash(document)}"
    if said != asked:
        raise ProofError(f"entry {read.log_index} is about {said}, not about {asked}")
    return found, checkpoint
