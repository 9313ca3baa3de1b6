"""This node's description of itself."""

import strawberry

from graph.graphql.context import Info
from graph.graphql.logged import Logged
from graph.graphql.scalars import ByteCount
from graph.node_description import (
    CONTEXTS,
    CRYPTOSUITES,
    DOORS,
    MESSAGE_TYPES,
    PROTOCOL_VERSIONS,
    SOFTWARE,
    NodeDescription,
    describe_node,
)
from graph.store import Row


@strawberry.type(description="The rules by which verdicts become consensus (a2ap:Policy).")
class ConsensusPolicy(Logged):
    """The policy in force."""

    id: strawberry.ID = strawberry.field(description="The id that the message states.")
    signed_hash: str = strawberry.field(description="The SHA-256 of the signed bytes.")
    log_index: int = strawberry.field(description="The log index of the policy.")
    method: str = strawberry.field(description="The method of computing a score from verdicts.")
    threshold: float = strawberry.field(description="The minimum score of a verified statement.")
    quorum: int = strawberry.field(description="The number of operators that must agree on each criterion.")
    criteria: list[str] = strawberry.field(description="The criteria of verdicts.")
    seeds: list[str] = strawberry.field(description="The agents that the node trusts initially.")
    unseeded_weight: float = strawberry.field(
        description="The total weight of the verdicts of all other agents together."
    )

    @classmethod
    def from_row(cls, row: Row) -> "ConsensusPolicy":
        """Return the policy of a row of `current_policy.cypher`."""
        return cls(
            id=row["policy_id"],
            signed_hash=row["signed_hash"],
            log_index=row["log_index"],
            method=row["method"],
            threshold=row["threshold"],
            quorum=row["quorum"],
            criteria=list(row["criteria"]),
            seeds=list(row["seeds"]),
            unseeded_weight=row["unseeded_weight"],
        )


@strawberry.type(description="The maximum of a quantity that this node accepts.")
class Limit:
    """An entry of the limits."""

    name: str = strawberry.field(description="The quantity limited.")
    value: ByteCount = strawberry.field(description="The maximum, in bytes or as a number.")


@strawberry.type(description="An endpoint of this node.")
class Door:
    """An entry of the endpoints."""

    name: str = strawberry.field(description="The purpose of the endpoint.")
    path: str = strawberry.field(description="The path, below the address of the node.")


@strawberry.type(description="This node, as `/.well-known/a2ap` describes it too; its log is `log`.")
class ThisNode:
    """A `graph.node_description.NodeDescription`."""

    agent_id: strawberry.ID = strawberry.field(description="The node's own agent, and the origin of its log.")
    did: str | None = strawberry.field(description="The did:web of the node, if its https address is known.")
    url: str | None = strawberry.field(description="The address of the node, if it is known.")
    software_version: str = strawberry.field(description="The version of the software.")
    protocol_versions: list[str] = strawberry.field(description="The versions of A2AP that the node supports.")
    contexts: list[str] = strawberry.field(description="The JSON-LD contexts that documents may name.")
    message_types: list[str] = strawberry.field(description="The types of message that the node accepts.")
    cryptosuites: list[str] = strawberry.field(description="The Data Integrity cryptosuites that the node verifies.")
    agent_key: str = strawberry.field(description="The did:key that signs the node's messages.")
    transport_key: str = strawberry.field(description="The did:key that signs the node's requests to peers.")
    log_keys: list[str] = strawberry.field(description="The verifier keys of the log; the key in use is last.")
    consensus_policy: ConsensusPolicy | None = strawberry.field(
        description="The policy in force; null if there is none."
    )
    admission_mode: str = strawberry.field(
        description="The mode of admission: open, invitation, allow-list or endorsed."
    )
    limits: list[Limit] = strawberry.field(description="The limits of this node.")
    doors: list[Door] = strawberry.field(description="The endpoints of this node.")

    @classmethod
    def from_described(cls, described: NodeDescription) -> "ThisNode":
        """Return a node description as the schema shows it."""
        policy = described.consensus_policy
        return cls(
            agent_id=strawberry.ID(described.agent_id),
            did=described.did,
            url=described.url,
            software_version=SOFTWARE[1],
            protocol_versions=list(PROTOCOL_VERSIONS),
            contexts=list(CONTEXTS),
            message_types=list(MESSAGE_TYPES),
            cryptosuites=list(CRYPTOSUITES),
            agent_key=described.agent_key.did_key,
            transport_key=described.transport_key.did_key,
            log_keys=list(described.log.keys),
            consensus_policy=ConsensusPolicy.from_row(policy) if policy is not None else None,
            admission_mode=described.admission_mode,
            limits=[Limit(name=name, value=ByteCount(value)) for name, value in described.limits.items()],
            doors=[Door(name=name, path=path) for name, path in DOORS.items()],
        )


async def find_this_node(info: Info) -> ThisNode:
    """Return this node."""
    return ThisNode.from_described(await describe_node(info.context.platform))
