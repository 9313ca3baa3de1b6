"""The admission policy in force: the modes of registration, the allow-list, the invitations and the quotas."""

from datetime import datetime
from enum import StrEnum

import strawberry

from a2ap.messages.admission_policy import AdmissionMode as Mode
from a2ap.messages.quotas import DEFAULT_QUOTAS
from a2ap.messages.quotas import Quota as StatedQuota
from a2ap.messages.quotas import Quotas as StatedQuotas
from a2ap.times import instant_of
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
from graph.graphql.log_entry import Receipt
from graph.graphql.scalars import ByteCount
from graph.quotas.in_force import quotas_of_row


class AdmissionMode(StrEnum):
    """The admission modes under names that GraphQL allows."""

    OPEN = "OPEN"
    INVITATION = "INVITATION"
    ALLOW_LIST = "ALLOW_LIST"
    ENDORSED = "ENDORSED"


show_enum(
    AdmissionMode,
    {
        "OPEN": "Any agent may register.",
        "INVITATION": "An agent with an unused invitation may register.",
        "ALLOW_LIST": "Only the agents on the allow-list may register.",
        "ENDORSED": "Any agent may register and manage its keys; only a seed, or an agent endorsed by one, may submit "
        "other messages.",
    },
    description="The condition under which an agent may register or submit.",
)


@strawberry.type(description="The limits per day: the current hour and the 23 hours before it.")
class Quota:
    """The limits of one kind of account."""

    documents: ByteCount = strawberry.field(
        description="The number of signed documents, and of records without a signed registration."
    )
    bytes: ByteCount = strawberry.field(
        description="The number of bytes of these documents and records, and of sources."
    )
    agents: ByteCount | None = strawberry.field(
        description="The number of agents registered from an address or endorsed by an operator; null if agents are "
        "not counted."
    )

    @classmethod
    def from_quota(cls, quota: StatedQuota) -> "Quota":
        """Show a quota of a policy."""
        agents = None if quota.agents is None else ByteCount(quota.agents)
        return cls(documents=ByteCount(quota.documents), bytes=ByteCount(quota.bytes), agents=agents)


@strawberry.type(description="The quotas per day. The operator's token and the node's own messages have no quota.")
class Quotas:
    """The quotas in force."""

    stranger: Quota = strawberry.field(
        description="The quota of a stranger: one agent that is no seed, and that neither the node nor a seed has "
        "endorsed."
    )
    endorsed: Quota = strawberry.field(
        description="The quota of one agent that is a seed, or that the node or a seed has endorsed."
    )
    operator: Quota = strawberry.field(
        description="The quota of all agents together that the node, or the same seed, has endorsed."
    )
    address: Quota = strawberry.field(
        description="The quota of all strangers together that submit from one address, or one /64 of IPv6."
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


@strawberry.type(
    description="The admission policy of this node. Registered agents keep their registration under every mode."
)
class AdmissionPolicy:
    """A row of `current_admission_policy.cypher`, or the defaults without one."""

    mode: AdmissionMode = strawberry.field(description="The mode of admission.")
    allowed_agents: list[strawberry.ID] = strawberry.field(description="The agents on the allow-list.")
    invitations: int = strawberry.field(
        description="The number of invitations in the policy, including used invitations."
    )
    quotas: Quotas = strawberry.field(description="The quotas per day, from the policy and from the defaults.")
    signed_hash: str | None = strawberry.field(
        description="The hash of the signed bytes of the policy's message; null if no policy was ever set."
    )
    issued_at: datetime | None = strawberry.field(description="The time of issue, as stated by the node.")
    log_index: int | None = strawberry.field(description="The log index of the policy's entry.")

    @resolved
    async def receipt(self, info: Info) -> Receipt | None:
        """The receipt of the policy's message; null if no policy was ever set."""
        return None if self.log_index is None else await info.context.loaders.log.receipt_at(self.log_index)

    @resolved
    async def proof(self, info: Info) -> str | None:
        """The inclusion proof of the policy's entry under the newest checkpoint, with it (C2SP tlog-proof)."""
        log = info.context.platform.log
        return None if self.log_index is None else await info.context.loaders.log.proof_at(log, self.log_index)


async def resolve_admission_policy(info: Info) -> AdmissionPolicy:
    """Return the policy in force; a node without a policy is open."""
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
