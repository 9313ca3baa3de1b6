"""This node, as it describes itself."""

import strawberry

from graph.graphql.context import Info
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
class ConsensusPolicy:
    """The policy in force."""

    id: strawberry.ID
    signed_hash: str
    log_index: int
    method: str
    threshold: float
    quorum: int
    criteria: list[str]
    seeds: list[str]
    unseeded_weight: float

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


@strawberry.type(description="The most that this node takes of something.")
class Limit:
    """An entry of the limits."""

    name: str
    value: ByteCount


@strawberry.type(description="Where something is answered.")
class Door:
    """An entry of the doors."""

    name: str
    path: str


@strawberry.type(description="This node, as `/.well-known/a2ap` describes it too; its log is `log`.")
class Node:
    """A `graph.node_description.NodeDescription`."""

    agent_id: strawberry.ID = strawberry.field(description="The node's own agent, and the origin of its log.")
    did: str | None = strawberry.field(description="Its did:web, where it knows an https address of its own.")
    url: str | None
    software_version: str
    protocol_versions: list[str]
    contexts: list[str] = strawberry.field(description="The JSON-LD contexts that documents may name.")
    message_types: list[str]
    cryptosuites: list[str] = strawberry.field(description="The Data Integrity proofs that are checked.")
    agent_key: str
    transport_key: str
    log_keys: list[str] = strawberry.field(description="The verifier keys of its log, the one in use last.")
    consensus_policy: ConsensusPolicy | None
    admission_mode: str = strawberry.field(description="Who may register: open, invitation, allow-list or endorsed.")
    limits: list[Limit]
    doors: list[Door]

    @classmethod
    def from_described(cls, described: NodeDescription) -> "Node":
        """Return what was described as the schema shows it."""
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


async def find_node(info: Info) -> Node:
    """Return this node."""
    return Node.from_described(await describe_node(info.context.platform))
