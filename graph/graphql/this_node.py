"""This node, as it describes itself."""

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

    id: strawberry.ID = strawberry.field(description="The message's own id.")
    signed_hash: str = strawberry.field(description="The SHA-256 of what was signed.")
    log_index: int = strawberry.field(description="Its place in the log.")
    method: str = strawberry.field(description="How verdicts become a score.")
    threshold: float = strawberry.field(description="The score from which a statement may be verified.")
    quorum: int = strawberry.field(description="How many operators must agree on each criterion.")
    criteria: list[str] = strawberry.field(description="What verdicts are asked about.")
    seeds: list[str] = strawberry.field(description="The agents that the node trusts to begin with.")
    unseeded_weight: float = strawberry.field(description="What the verdicts of all others together weigh.")

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

    name: str = strawberry.field(description="What it limits.")
    value: ByteCount = strawberry.field(description="The most, in bytes or as a number.")


@strawberry.type(description="Where something is answered.")
class Door:
    """An entry of the doors."""

    name: str = strawberry.field(description="What is answered.")
    path: str = strawberry.field(description="Where, below the address of the node.")


@strawberry.type(description="This node, as `/.well-known/a2ap` describes it too; its log is `log`.")
class ThisNode:
    """A `graph.node_description.NodeDescription`."""

    agent_id: strawberry.ID = strawberry.field(description="The node's own agent, and the origin of its log.")
    did: str | None = strawberry.field(description="Its did:web, where it knows an https address of its own.")
    url: str | None = strawberry.field(description="Its address, where it knows it.")
    software_version: str = strawberry.field(description="The version of the software.")
    protocol_versions: list[str] = strawberry.field(description="The versions of A2AP that it speaks.")
    contexts: list[str] = strawberry.field(description="The JSON-LD contexts that documents may name.")
    message_types: list[str] = strawberry.field(description="The types of message that it reads.")
    cryptosuites: list[str] = strawberry.field(description="The Data Integrity proofs that are checked.")
    agent_key: str = strawberry.field(description="The did:key that signs its messages.")
    transport_key: str = strawberry.field(description="The did:key that signs its requests to peers.")
    log_keys: list[str] = strawberry.field(description="The verifier keys of its log, the one in use last.")
    consensus_policy: ConsensusPolicy | None = strawberry.field(description="The policy in force, where there is one.")
    admission_mode: str = strawberry.field(description="Who may register: open, invitation, allow-list or endorsed.")
    limits: list[Limit] = strawberry.field(description="The most that it takes.")
    doors: list[Door] = strawberry.field(description="Where what is answered.")

    @classmethod
    def from_described(cls, described: NodeDescription) -> "ThisNode":
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


async def find_this_node(info: Info) -> ThisNode:
    """Return this node."""
    return ThisNode.from_described(await describe_node(info.context.platform))
