"""The node's own check of a statement's evidence, and the verdict that it signs (docs/decisions/0036).

A FAIL is an observed label and closes the gate. A PASS proves the quote, not the claim: it opens the gate and is never
a vote.

The verdict follows from public sources alone. The outcome with closed sources is sealed in it: the signed bytes have a
salted digest of that outcome, and readers with access to the sources see its text (docs/decisions/0042).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from a2ap.boundary import Boundary
from a2ap.messages.signed_response import sign_response
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_response import VerificationResponse
from a2ap.signing.disclosure import Disclosure, make_disclosure
from graph.evidence.cited_bytes import CitedBytes
from graph.evidence.machine_check import CheckStatus, MachineCheck, check_evidence
from graph.keys.signing_aside import signed_aside
from graph.node import Node

# A longer chunk, in bytes, has no text in the graph: its text is in the source.
CHUNK_TEXT_LIMIT = 16_384

_SEALED = "with the closed sources: "


@dataclass(frozen=True, slots=True)
class MachineResult:
    """The outcome of one check.

    `check` follows from public sources alone, `sealed` from the closed ones as well (None if none was compared).
    `chunk_texts` has the text of each segment's bytes ("" if the source is not held).
    """

    check: MachineCheck
    chunk_texts: tuple[str, ...]
    sealed: MachineCheck | None = None

    @property
    def whole(self) -> MachineCheck:
        """Return the outcome for a reader with access to every source that was compared."""
        return self.sealed or self.check


def check_statement(
    statement: ProvenanceStatement, cited: Sequence[CitedBytes | None], classes: Sequence[Boundary | None]
) -> MachineResult:
    """Check the evidence of a statement against the cited bytes, one item per segment, in order.

    `classes` has the class of each segment's source. A segment whose class is None is not compared, though its source
    is held: the bytes are not registered under the name that the statement gives them, or the submitter may not read
    them.
    """
    texts = tuple(
        chunk_text(found.content) if found is not None and segment.byte_range.end <= found.length else ""
        for segment, found in zip(statement.evidence, cited, strict=True)
    )
    pairs = list(zip(cited, classes, strict=True))
    public = check_evidence(statement, [found if given is Boundary.PUBLIC else None for found, given in pairs])
    if all(found is None or given in (None, Boundary.PUBLIC) for found, given in pairs):
        return MachineResult(public, texts)
    whole = check_evidence(statement, [found if given is not None else None for found, given in pairs])
    return MachineResult(public, texts, whole)


def sealed_status(reason: str | None) -> CheckStatus | None:
    """Return the outcome for closed sources in the disclosed reason of the node's verdict, None if there is none."""
    if reason is None or not reason.startswith(_SEALED):
        return None
    return CheckStatus(reason.removeprefix(_SEALED).partition("; ")[0])


def chunk_text(content: bytes) -> str:
    """Return cited bytes as the text of their chunk; "" if they are too many or are not UTF-8."""
    try:
        return content.decode() if len(content) <= CHUNK_TEXT_LIMIT else ""
    except UnicodeDecodeError:
        return ""


async def sign_verdict(
    node: Node, statement: ProvenanceStatement, result: MachineResult, now: datetime, repeat: int = 0
) -> VerificationResponse:
    """Return the node's verdict as `machine_response` does; no other request waits while a command signs it."""
    return await signed_aside(node.key, lambda: machine_response(node, statement, result, now, repeat))


def machine_response(
    node: Node, statement: ProvenanceStatement, result: MachineResult, now: datetime, repeat: int = 0
) -> VerificationResponse:
    """Return the node's signed verdict; `repeat` distinguishes a later check of the same statement from the first."""
    envelope = statement.envelope
    name = f"machine|{envelope.signed_hash}|{repeat}"
    return sign_response(
        node.key,
        node.key_id,
        response_id=node.derived_id(name),
        responded_at=now,
        responding_agent=node.agent_id,
        target_statement=envelope.id,
        target_hash=envelope.signed_hash,
        verdict=result.check.verdict,
        confidence=0.0 if result.check.status is CheckStatus.INCONCLUSIVE else 1.0,
        findings=result.check.findings,
        reason=_reason(result, node, name),
    )


def _reason(result: MachineResult, node: Node, name: str) -> str | Disclosure | None:
    """Return the reason in clear, or sealed with the outcome if closed sources were compared."""
    sealed = result.sealed
    if sealed is None:
        return result.check.reason or None
    text = f"{sealed.status}; {sealed.reason}" if sealed.reason else sealed.status.value
    return make_disclosure(_SEALED + text, node.derived_salt(name))
