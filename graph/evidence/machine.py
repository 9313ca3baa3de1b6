"""The node's own check of a statement's evidence, and the verdict that it signs (docs/decisions/0012).

A FAIL is an observed label and closes the gate. A PASS proves the quote, not the claim: it opens the gate and is
never a vote.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from a2ap.signed_response import sign_response
from a2ap.statement import ProvenanceStatement
from a2ap.verification_response import VerificationResponse
from graph.evidence.cited_bytes import CitedBytes
from graph.evidence.machine_check import CheckStatus, MachineCheck, check_evidence
from graph.keys.signing_aside import signed_aside
from graph.node import Node

# A longer chunk, in bytes, has no text in the graph: its text is in the source.
CHUNK_TEXT_LIMIT = 16_384


@dataclass(frozen=True, slots=True)
class MachineResult:
    """What the machine found, and the text of each segment's bytes ("" where the source is not held)."""

    check: MachineCheck
    chunk_texts: tuple[str, ...]


def check_statement(
    statement: ProvenanceStatement, cited: Sequence[CitedBytes | None], comparable: Sequence[bool]
) -> MachineResult:
    """Check the evidence of a statement against the bytes that it cites, one item a segment, in order.

    What is not `comparable` is not compared, though it is held: the bytes are not registered under the name that the
    statement gives them, or whoever asks may not read them.
    """
    texts = tuple(
        chunk_text(found.content) if found is not None and segment.byte_range.end <= found.length else ""
        for segment, found in zip(statement.evidence, cited, strict=True)
    )
    compared = [found if allowed else None for found, allowed in zip(cited, comparable, strict=True)]
    return MachineResult(check_evidence(statement, compared), texts)


def chunk_text(content: bytes) -> str:
    """Return cited bytes as the text of their chunk; "" where they are too many or are not UTF-8."""
    try:
        return content.decode() if len(content) <= CHUNK_TEXT_LIMIT else ""
    except UnicodeDecodeError:
        return ""


async def sign_verdict(
    node: Node, statement: ProvenanceStatement, result: MachineResult, now: datetime, repeat: int = 0
) -> VerificationResponse:
    """Return the node's verdict as `machine_response` does; nothing else waits while a command signs it."""
    return await signed_aside(node.key, lambda: machine_response(node, statement, result, now, repeat))


def machine_response(
    node: Node, statement: ProvenanceStatement, result: MachineResult, now: datetime, repeat: int = 0
) -> VerificationResponse:
    """Return the node's signed verdict; `repeat` tells a later check of the same statement from the first."""
    envelope = statement.envelope
    return sign_response(
        node.key,
        node.key_id,
        response_id=node.derived_id(f"machine|{envelope.signed_hash}|{repeat}"),
        responded_at=now,
        responding_agent=node.agent_id,
        target_statement=envelope.id,
        target_hash=envelope.signed_hash,
        verdict=result.check.verdict,
        confidence=0.0 if result.check.status is CheckStatus.INCONCLUSIVE else 1.0,
        findings=result.check.findings,
        reason=result.check.reason or None,
    )
