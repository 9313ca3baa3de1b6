"""The admission policy in force as the schema shows it: who may join, who may speak, and how much is taken."""

from datetime import datetime
from enum import StrEnum

import strawberry

from a2ap.admission_policy import AdmissionMode as Mode
from a2ap.quotas import DEFAULT_QUOTAS
from a2ap.quotas import Quota as StatedQuota
from a2ap.quotas import Quotas as StatedQuotas
from a2ap.times import instant_of
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
from graph.graphql.log_entry import Receipt
from graph.graphql.scalars import ByteCount
from graph.quotas.in_force import quotas_of_row


class AdmissionMode(StrEnum):
    """The modes, by names that GraphQL takes."""

    OPEN = "OPEN"
    INVITATION = "INVITATION"
    ALLOW_LIST = "ALLOW_LIST"
    ENDORSED = "ENDORSED"


show_enum(
    AdmissionMode,
    {
        "OPEN": "Anybody may.",
        "INVITATION": "Who has an invitation that nobody has used.",
        "ALLOW_LIST": "The agents on the list.",
        "ENDORSED": "Anybody may register; whom a seed vouches for may speak.",
    },
    description="Who may register, or speak.",
)


@strawberry.type(description="The most that is taken within a day: the hour that passes and the 23 before it.")
class Quota:
    """The limits of one kind of account."""

    documents: ByteCount = strawberry.field(description="Signed documents, and records that nobody signed for.")
    bytes: ByteCount = strawberry.field(description="Bytes of these, and of sources.")
    agents: ByteCount | None = strawberry.field(
        description="Agents that register at an address, or that an operator endorses; null where they do not count."
    )

    @classmethod
    def from_quota(cls, quota: StatedQuota) -> "Quota":
        """Show a quota of a policy."""
        agents = None if quota.agents is None else ByteCount(quota.agents)
        return cls(documents=ByteCount(quota.documents), bytes=ByteCount(quota.bytes), agents=agents)


@strawberry.type(description="What is taken within a day. The operator's token and the node's own messages have none.")
class Quotas:
    """The quotas in force."""

    stranger: Quota = strawberry.field(description="Of one agent for which the operator does not answer.")
    endorsed: Quota = strawberry.field(description="Of one agent that is a seed, or that the node or a seed endorsed.")
    operator: Quota = strawberry.field(description="Of all agents together that the same one of these endorsed.")
    address: Quota = strawberry.field(
        description="Of all strangers together that come from one address, or one /64 of IPv6."
    )

    @classmethod
    def from_quotas(cls, quotas: StatedQuotas) -> "Quotas":
        """Show the quotas of a policy."""
        return cls(
            stranger=Quota.from_quota(quotas.stranger),
            endorsed=Quota.from_quota(quotas.endorsed),
            operator=Quota.from_quota(quotas.operator),
            address=Quota.from_quota(quotas.address),
        )


@strawberry.type(description="Who may join this node. Agents that are here stay, whatever the mode.")
class AdmissionPolicy:
    """A row of `current_admission_policy.cypher`, or what holds without one."""

    mode: AdmissionMode = strawberry.field(description="Who may join.")
    allowed_agents: list[strawberry.ID] = strawberry.field(description="The agents that an allow-list names.")
    invitations: int = strawberry.field(description="How many invitations it lists, those that were used included.")
    quotas: Quotas = strawberry.field(description="What is taken within a day, of it and by default.")
    signed_hash: str | None = strawberry.field(description="Its message; absent where none was ever set.")
    issued_at: datetime | None = strawberry.field(description="When, as the node says.")
    log_index: int | None = strawberry.field(description="Its place in the log.")

    @resolved
    async def receipt(self, info: Info) -> Receipt | None:
        """What its message was answered with; null where none was ever set."""
        return None if self.log_index is None else await info.context.loaders.log.receipt_at(self.log_index)

    @resolved
    async def proof(self, info: Info) -> str | None:
        """The proof that its entry is under the newest checkpoint, with the checkpoint (C2SP tlog-proof)."""
        log = info.context.platform.log
        return None if self.log_index is None else await info.context.loaders.log.proof_at(log, self.log_index)


async def resolve_admission_policy(info: Info) -> AdmissionPolicy:
    """Return the policy in force; a node without one is open."""
    rows = await info.context.platform.store.read("current_admission_policy")
    if not rows:
        return AdmissionPolicy(
            mode=AdmissionMode.OPEN,
            allowed_agents=[],
            invitations=0,
            quotas=Quotas.from_quotas(DEFAULT_QUOTAS),
            signed_hash=None,
            issued_at=None,
            log_index=None,
        )
    row = rows[0]
    return AdmissionPolicy(
        mode=AdmissionMode[Mode(row["mode"]).name],
        allowed_agents=[strawberry.ID(agent) for agent in row["allowed_agents"]],
        invitations=len(row["invitations"]),
        quotas=Quotas.from_quotas(quotas_of_row(row)),
        signed_hash=row["signed_hash"],
        issued_at=instant_of(row["issued_micros"]),
        log_index=row["log_index"],
    )
