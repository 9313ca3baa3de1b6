"""A small world for tests of keys: who has a recovery key, who judged what, and keys that change hands."""

from dataclasses import dataclass
from typing import Any

from builders import (
    SOURCE,
    agent_id,
    agent_key,
    key_revocation_message,
    message_id,
    response_message,
    sign_as,
    signed_endorsement,
    signed_registration,
    signed_response,
    signed_source,
    signed_statement,
    statement_message,
)
from scenario import AUTHOR, OPERATOR_A, OPERATOR_B, STRANGER, VERIFIER_A, VERIFIER_B, accept, signed_node_policy
from scenario import pieces as pieces_of

from a2ap.canonical import sha256_digest
from a2ap.json_text import write_json
from a2ap.signing.signature import sign_message
from graph.platform import Platform

RECOVERY = 900
"""Added to an agent's number: its recovery key."""

THIEF, OWNER = 801, 802
"""The keys that a thief, and then the owner, register."""


@dataclass(frozen=True, slots=True)
class KeyWorld:
    """A statement that two verifiers have passed, and the size of the log after that."""

    statement: bytes
    size: int


def registration(number: int) -> bytes:
    """Return the registration of an agent that has a recovery key."""
    return signed_registration(number, recovery_seed=number + RECOVERY)


async def key_world(platform: Platform) -> KeyWorld:
    """Register everybody with a recovery key, endorse the verifiers and have them pass a statement."""
    everybody = (AUTHOR, VERIFIER_A, VERIFIER_B, OPERATOR_A, OPERATOR_B, STRANGER)
    await accept(platform, *(registration(number) for number in everybody))
    await accept(
        platform,
        signed_endorsement(registration(VERIFIER_A), OPERATOR_A),
        signed_endorsement(registration(VERIFIER_B), OPERATOR_B),
        signed_node_policy(platform),
        signed_source(AUTHOR),
    )
    await platform.sources.put(sha256_digest(SOURCE), pieces_of(SOURCE))
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, signed_response(statement, VERIFIER_A), signed_response(statement, VERIFIER_B))
    return KeyWorld(statement, await size_of(platform))


async def size_of(platform: Platform) -> int:
    """Return the number of entries in the log."""
    (row,) = await platform.store.read("log_size")
    return int(row["size"])


def statement_with(number: int, key: int, name: str, claim: str) -> bytes:
    """Return a statement of an agent that it signs with another of its keys."""
    return sign_as(statement_message(number, claim=claim), agent_key(key), f"{agent_id(number)}#{name}")


def response_with(statement: bytes, number: int, key: int, name: str, **changes: Any) -> bytes:
    """Return a verdict of an agent that it signs with another of its keys."""
    changes = {"response_id": message_id("response", number, key, name, statement.hex())} | changes
    return sign_as(response_message(statement, number, **changes), agent_key(key), f"{agent_id(number)}#{name}")


def by_node(platform: Platform, message: dict[str, Any]) -> bytes:
    """Return a message signed by the node."""
    return write_json(sign_message(message, platform.node.key, platform.node.key_id))


def revocation_by_node(platform: Platform, number: int, **changes: Any) -> bytes:
    """Return the operator's revocation of an agent's key."""
    return by_node(platform, key_revocation_message(number, revoking_agent=platform.node.agent_id, **changes))


async def key_rows(platform: Platform, number: int) -> dict[str, dict[str, Any]]:
    """Return the keys of an agent by the names that it gave them."""
    rows = await platform.store.read("keys_of", ids=[agent_id(number)])
    return {row["key_id"].partition("#")[2]: row for row in rows}
