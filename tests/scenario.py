"""A small world for tests: an author, two verifiers endorsed by two operators, a source that is held."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from builders import (
    SOURCE,
    TIME,
    agent_id,
    envelope_of,
    signed_endorsement,
    signed_registration,
    signed_response,
    signed_source,
    signed_statement,
)

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.json_text import write_json
from a2ap.messages.message import read_message
from a2ap.messages.policy import ConsensusMethod, build_policy
from a2ap.messages.source_registration import SourceRegistration, build_source_registration
from a2ap.signing.signature import sign_message
from graph.platform import Platform

AUTHOR, VERIFIER_A, VERIFIER_B, OPERATOR_A, OPERATOR_B, STRANGER = 1, 2, 3, 11, 12, 21
EVERYBODY = (AUTHOR, VERIFIER_A, VERIFIER_B, OPERATOR_A, OPERATOR_B, STRANGER)


@dataclass(frozen=True, slots=True)
class World:
    """What `settle` handed in: the statement that is verified, and the verdicts on it."""

    statement: bytes
    responses: tuple[bytes, ...]


def signed_node_policy(platform: Platform, number: int = 1, **changes: object) -> bytes:
    """Return a policy signed by the node; the two operators are its seeds unless `changes` say otherwise."""
    values: dict[str, object] = {"seeds": (agent_id(OPERATOR_A), agent_id(OPERATOR_B))} | changes
    message = build_policy(
        policy_id=platform.node.derived_id(f"policy|{number}"),
        issued_at=TIME,
        issuing_agent=platform.node.agent_id,
        **values,  # type: ignore[arg-type]
    )
    return write_json(sign_message(message, platform.node.key, platform.node.key_id))


def signed_node_source(platform: Platform, source: bytes = SOURCE, **changes: Any) -> bytes:
    """Return the node's own registration of a source, which is public unless `changes` say otherwise."""
    values: dict[str, Any] = {
        "source_id": "urn:doc:test:node",
        "document_hash": sha256_digest(source),
        "boundary": Boundary.PUBLIC,
        "title": "Council meeting",
        "byte_length": len(source),
    } | changes
    message = build_source_registration(
        registration_id=platform.node.derived_id(f"source|{sorted(values.items())}"),
        registered_at=TIME,
        registering_agent=platform.node.agent_id,
        **values,
    )
    return write_json(sign_message(message, platform.node.key, platform.node.key_id))


async def settle(
    platform: Platform, *, source: bytes = SOURCE, method: ConsensusMethod = ConsensusMethod.POSTERIOR
) -> None:
    """Register everybody, endorse the verifiers, set the policy, register the source and hand in its bytes."""
    await accept(platform, *(signed_registration(number) for number in EVERYBODY))
    await accept(
        platform,
        signed_endorsement(signed_registration(VERIFIER_A), OPERATOR_A),
        signed_endorsement(signed_registration(VERIFIER_B), OPERATOR_B),
        signed_node_policy(platform, method=method),
        signed_source(AUTHOR, source=source),
    )
    await platform.sources.put(sha256_digest(source), pieces(source))


async def verified_world(platform: Platform) -> World:
    """Settle, submit one statement and have both verifiers validate it."""
    await settle(platform)
    statement = signed_statement(AUTHOR)
    responses = (signed_response(statement, VERIFIER_A), signed_response(statement, VERIFIER_B))
    await accept(platform, statement, *responses)
    return World(statement, responses)


def source_of(document: bytes) -> SourceRegistration:
    """Return the source registration in a document."""
    message = read_message(document)
    assert isinstance(message, SourceRegistration)
    return message


async def accept(platform: Platform, *documents: bytes) -> None:
    """Submit documents, all of which must be accepted."""
    for outcome in await platform.submit_many(documents):
        if isinstance(outcome, Exception):
            raise outcome


async def pieces(content: bytes, size: int = 65_536) -> AsyncIterator[bytes]:
    """Yield content as an upload arrives."""
    for start in range(0, len(content), size):
        yield content[start : start + size]


def hash_of(document: bytes) -> str:
    """Return the signed hash of a document."""
    return envelope_of(document).signed_hash
