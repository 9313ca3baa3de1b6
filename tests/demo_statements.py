"""Statements as the demonstration's author signs them, for tests of its verifiers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from builders import agent_key, key_id

from a2ap.json_text import write_json
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement, build_statement
from a2ap.signing.signature import sign_message
from graph.demo.agent import Agent, Role
from graph.demo.author import sign_statements
from graph.demo.claims import DraftClaim
from graph.demo.generator import generate_claims
from graph.demo.source import DemoSource, open_source
from graph.transcripts.transcript import Transcript

TIME = datetime(2025, 10, 14, 10, 30, tzinfo=UTC)
AUTHOR = Role("test-author", "Test Author", "1", ())


def now() -> datetime:
    return TIME


def shipped() -> tuple[DemoSource, Transcript]:
    source = open_source(None)
    return source, Transcript.read(source.data)


def claims_of(transcript: Transcript) -> list[DraftClaim]:
    return [claim for topic in generate_claims(transcript.sentences) for claim in topic.claims]


def signed_by_author(folder: Path, claims: Sequence[DraftClaim], source: DemoSource) -> list[ProvenanceStatement]:
    """Return the author's statements as anybody reads them."""
    agent = Agent.at(folder / "author", AUTHOR)
    messages = [read_message(write_json(message)) for message in sign_statements(agent, claims, source, now)]
    return [message for message in messages if isinstance(message, ProvenanceStatement)]


def altered(
    statement: ProvenanceStatement, claim: str | None = None, evidence_of: ProvenanceStatement | None = None
) -> ProvenanceStatement:
    """Return a statement with another claim or with the evidence of another one, well formed and signed."""
    message = build_statement(
        generated_at=TIME,
        agent=replace(statement.agent, agent_id="urn:agent:test-1"),
        claim=claim if claim is not None else statement.claim.text,
        confidence=0.9,
        evidence=(evidence_of or statement).envelope.document["evidence"],
    )
    read = read_message(write_json(sign_message(message, agent_key(1), key_id(1))))
    assert isinstance(read, ProvenanceStatement)
    return read
