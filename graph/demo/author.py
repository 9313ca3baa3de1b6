"""The author: an agent that turns claims about a source into signed statements (A2AP §4.1)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.canonical import sha256_digest
from a2ap.evidence import build_segment
from a2ap.identifiers import generate_statement_id
from a2ap.statement import build_statement
from a2ap.verification_request import build_verification_request
from graph.demo.agent import Agent, new_id
from graph.demo.claims import Citation, DraftClaim


@dataclass(frozen=True, slots=True)
class CitedSource:
    """The source that claims are about: its name, the hash of its bytes, and the bytes."""

    source_id: str
    document_hash: str
    data: bytes


def sign_statements(
    author: Agent, claims: Sequence[DraftClaim], source: CitedSource, clock: Callable[[], datetime]
) -> list[dict[str, Any]]:
    """Return one signed statement for each claim, in order."""
    return author.sign_each_once(
        [
            (
                f"statement {generate_statement_id(author.id, claim.text)}",
                lambda claim=claim: build_statement(  # type: ignore[misc]
                    generated_at=clock(),
                    agent=author.description,
                    claim=claim.text,
                    confidence=claim.confidence,
                    generation_method=claim.method,
                    evidence=[_segment(citation, source) for citation in claim.citations],
                ),
            )
            for claim in claims
        ]
    )


def sign_requests(
    author: Agent, targets: Sequence[tuple[str, str]], criteria: Sequence[str], clock: Callable[[], datetime]
) -> list[dict[str, Any]]:
    """Return one signed verification request for each statement, given by id and signed hash."""
    return author.sign_each_once(
        [
            (
                f"verification request {target_hash}",
                lambda target=target, target_hash=target_hash: build_verification_request(  # type: ignore[misc]
                    request_id=new_id(),
                    requested_at=clock(),
                    requesting_agent=author.id,
                    target_statement=target,
                    target_hash=target_hash,
                    criteria=criteria,
                ),
            )
            for target, target_hash in targets
        ]
    )


def _segment(citation: Citation, source: CitedSource) -> dict[str, Any]:
    cue = citation.cue
    content = source.data[cue.start : cue.end]
    return build_segment(
        source.source_id,
        cue.start,
        cue.end,
        document_hash=source.document_hash,
        content_hash=sha256_digest(content),
        quote=content.decode(),
        start_ms=cue.start_ms,
        end_ms=cue.end_ms,
        relevance_score=citation.relevance,
    )
