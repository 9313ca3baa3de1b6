"""Signed documents to measure with: an agent, a source, and any number of statements about it."""

import hashlib
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import build_agent_registration
from a2ap.messages.evidence import build_segment
from a2ap.messages.source_registration import build_source_registration
from a2ap.messages.statement import build_statement
from a2ap.signing.keys import SigningKey
from a2ap.signing.signature import sign_message

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SOURCE_ID = "urn:doc:bench:minutes"
_LINE = "{:06d} The council heard item {} and moved on after {} minutes of debate.\n"


@dataclass(frozen=True, slots=True)
class BenchAgent:
    """An agent that signs the documents of the benchmarks."""

    description: AgentDescription
    key: SigningKey

    @property
    def key_id(self) -> str:
        """Return the reference of its only key."""
        return f"{self.description.agent_id}#1"

    def sign(self, message: dict[str, Any]) -> bytes:
        """Return a signed document as it would arrive."""
        return json.dumps(sign_message(message, self.key, self.key_id), ensure_ascii=False).encode()

    def registration(self) -> bytes:
        """Return the agent's signed registration."""
        return self.sign(
            build_agent_registration(
                registration_id=_id("registration", self.description.agent_id),
                registered_at=NOW,
                agent=self.description,
                key_id=self.key_id,
                public_key=self.key.public_key,
            )
        )


def bench_agent(number: int = 0) -> BenchAgent:
    """Return the agent of this number; the same number gives the same key."""
    agent_id = f"urn:agent:bench-{number}"
    key = SigningKey.generate(number.to_bytes(32, "big"))
    return BenchAgent(AgentDescription(agent_id, f"Bench {number}", "1", "Bench", ("reading",)), key)


def source(lines: int) -> bytes:
    """Return a plain-text source of `lines` lines, all of the same length."""
    return "".join(_LINE.format(n, f"{n % 1000:03d}", f"{n % 60:02d}") for n in range(lines)).encode()


def source_registration(agent: BenchAgent, content: bytes) -> bytes:
    """Return the signed registration of a source."""
    return agent.sign(
        build_source_registration(
            registration_id=_id("source", SOURCE_ID),
            registered_at=NOW,
            registering_agent=agent.description.agent_id,
            source_id=SOURCE_ID,
            document_hash=sha256_digest(content),
            boundary=Boundary.PUBLIC,
            title="Minutes",
            media_type="text/plain",
        )
    )


def statements(agent: BenchAgent, content: bytes, count: int, first: int = 0) -> Iterator[bytes]:
    """Yield signed statements with two evidence segments each, quotes and hashes included."""
    document_hash = sha256_digest(content)
    width = content.index(b"\n") + 1
    lines = len(content) // width
    for number in range(first, first + count):
        places = (number % lines, (number * 7 + 3) % lines)
        evidence = []
        for place in dict.fromkeys(places):
            start, end = place * width, (place + 1) * width - 1
            cited = content[start:end]
            evidence.append(
                build_segment(
                    SOURCE_ID,
                    start,
                    end,
                    document_hash=document_hash,
                    content_hash=sha256_digest(cited),
                    quote=cited.decode(),
                    relevance_score=0.9,
                )
            )
        yield agent.sign(
            build_statement(
                generated_at=NOW,
                agent=agent.description,
                claim=f"In part {number} the council heard an item and moved on.",
                confidence=0.9,
                evidence=evidence,
            )
        )


def _id(*parts: str) -> str:
    digest = hashlib.sha256("|".join(parts).encode()).digest()
    return f"urn:uuid:{uuid.UUID(bytes=digest[:16], version=4)}"
