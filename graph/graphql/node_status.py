"""The state of this node for its operator: failing tasks, peers, use of quotas, and the effect of another policy."""

from typing import Annotated

import strawberry

from a2ap.messages.policy import MAX_QUORUM
from graph.errors import ForbiddenError, InputError
from graph.federation.peer_states import PeerState as State
from graph.federation.peer_states import peer_states
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.scalars import ByteCount
from graph.graphql.statement import Statement
from graph.quotas.decision import Use
from graph.scores.policy_preview import MOST, preview_policy
from graph.scores.policy_preview import PolicyPreview as Preview

_MOST_ACCOUNTS = 100
_MOST_SHOWN = 50

MostAccounts = Annotated[
    int, strawberry.argument(description=f"The maximum number of accounts, 1 to {_MOST_ACCOUNTS}.")
]
Threshold = Annotated[
    float | None, strawberry.argument(description="The threshold to try, 0 to 1; omit for the one in force.")
]
Quorum = Annotated[
    int | None, strawberry.argument(description=f"The quorum to try, 1 to {MAX_QUORUM}; omit for the one in force.")
]


@strawberry.type(description="A task beside the writer that has failed and is tried again later.")
class FailingTask:
    """An entry of the failures of `graph.submission.epoch_keeper.EpochKeeper`."""

    name: str = strawberry.field(description="The name of the task.")
    reason: str = strawberry.field(description="The error of its last run.")


@strawberry.type(description="A peer: the agreement with it, and the progress through its log.")
class Peer:
    """A `graph.federation.peer_states.PeerState`."""

    origin: strawberry.ID = strawberry.field(description="The origin of the peer's log.")
    url: str | None = strawberry.field(description="The address of the peer; null if it is not pulled.")
    clearance: str = strawberry.field(description="The highest class of texts that the peer may read here.")
    suspended: bool = strawberry.field(description="Whether the agreement is suspended.")
    checked: int = strawberry.field(description="The number of log entries that were checked.")
    position: int = strawberry.field(description="The number of log entries that were processed.")
    waiting: int = strawberry.field(description="The number of entries whose messages may be taken later.")
    not_taken: int = strawberry.field(description="The number of entries whose messages are not taken.")
    fault: str | None = strawberry.field(description="The reason for which the peer is no longer pulled.")

    @classmethod
    def from_state(cls, state: State) -> "Peer":
        """Return the state of a peer as the schema shows it."""
        agreement, progress = state.agreement, state.progress
        return cls(
            origin=strawberry.ID(agreement.origin),
            url=agreement.url,
            clearance=agreement.clearance.value,
            suspended=agreement.suspended,
            checked=progress.size,
            position=progress.position,
            waiting=state.waiting,
            not_taken=progress.left_number,
            fault=progress.fault,
        )


@strawberry.type(description="The use of a quota within 24 hours by one account.")
class QuotaUse:
    """A `graph.quotas.decision.Use`."""

    kind: str = strawberry.field(description="The kind of the account: stranger, endorsed, operator or address.")
    name: str = strawberry.field(description="The agent, or the network address.")
    documents: ByteCount = strawberry.field(description="The number of documents.")
    bytes: ByteCount = strawberry.field(description="The number of bytes.")
    share: float = strawberry.field(
        description="The largest used share of a limit: 1 is the whole; more, if the limit was lowered."
    )

    @classmethod
    def from_use(cls, use: Use) -> "QuotaUse":
        """Return the use of a quota as the schema shows it."""
        return cls(
            kind=use.account.kind.value,
            name=use.account.name,
            documents=ByteCount(use.amount.documents),
            bytes=ByteCount(use.amount.bytes),
            share=use.share,
        )


@strawberry.type(
    description="The effect of another threshold or quorum, with the verdicts and reliabilities of now. Statements "
    "that exclude each other count as they stand now. Nothing is stored."
)
class PolicyPreview:
    """A `graph.scores.policy_preview.PolicyPreview`."""

    threshold: float = strawberry.field(description="The tried threshold.")
    quorum: int = strawberry.field(description="The tried quorum.")
    statements: int = strawberry.field(description="The number of statements with a verdict of an agent.")
    verified: int = strawberry.field(description="The number of these that the policy in force verifies.")
    gained_count: int = strawberry.field(description="The number of statements that would become verified.")
    lost_count: int = strawberry.field(description="The number of statements that would no longer be verified.")
    is_complete: bool = strawberry.field(
        description=f"Whether all statements were weighed; false if these are the newest {MOST:,}."
    )
    found: strawberry.Private[Preview]

    @classmethod
    def from_preview(cls, found: Preview) -> "PolicyPreview":
        """Return a preview as the schema shows it."""
        return cls(
            threshold=found.policy.threshold,
            quorum=found.policy.quorum,
            statements=found.statements,
            verified=found.verified,
            gained_count=len(found.gained),
            lost_count=len(found.lost),
            is_complete=found.is_complete,
            found=found,
        )

    @resolved
    async def gained(self, info: Info) -> list[Statement]:
        """The newest 50 statements that would become verified."""
        return await info.context.loaders.statements_with(self.found.gained[:_MOST_SHOWN])

    @resolved
    async def lost(self, info: Info) -> list[Statement]:
        """The newest 50 statements that would no longer be verified."""
        return await info.context.loaders.statements_with(self.found.lost[:_MOST_SHOWN])


@strawberry.type(description="The state of this node, for its operator alone.")
class NodeStatus:
    """The state that the operator watches."""

    engine: str = strawberry.field(description="The graph database: embedded or neo4j.")
    free_bytes: ByteCount = strawberry.field(description="The bytes left in the file system of the data folder.")
    failing_tasks: list[FailingTask] = strawberry.field(
        description="The tasks beside the writer that have failed and are tried again later."
    )

    @resolved
    async def entries_until_epoch(self, info: Info) -> int | None:
        """The number of log entries until an epoch is due; null if the policy's method has no epochs."""
        return await info.context.platform.epochs.entries_until_epoch()

    @resolved
    async def peers(self, info: Info) -> list[Peer]:
        """The peers, by the origins of their logs."""
        platform = info.context.platform
        return [Peer.from_state(one) for one in await peer_states(platform.store, platform.settings.data)]

    @resolved
    async def quota_uses(self, info: Info, first: MostAccounts = 20) -> list[QuotaUse]:
        """The accounts that have used the largest share of a quota within 24 hours, the largest share first."""
        if not 1 <= first <= _MOST_ACCOUNTS:
            raise InputError(f"first is {first}, not from 1 to {_MOST_ACCOUNTS}", "first")
        return [QuotaUse.from_use(use) for use in await info.context.platform.quotas.largest_uses(first)]

    @resolved
    async def policy_preview(self, info: Info, threshold: Threshold = None, quorum: Quorum = None) -> PolicyPreview:
        """The effect of another threshold or quorum on the verified statements."""
        if threshold is not None and not 0 <= threshold <= 1:
            raise InputError(f"threshold is {threshold}, not from 0 to 1", "threshold")
        if quorum is not None and not 1 <= quorum <= MAX_QUORUM:
            raise InputError(f"quorum is {quorum}, not from 1 to {MAX_QUORUM}", "quorum")
        context = info.context
        found = await preview_policy(context.platform.store, threshold, quorum, context.loaders.spend_judgements)
        return PolicyPreview.from_preview(found)


async def find_node_status(info: Info) -> NodeStatus:
    """Return the state of this node. Raises `ForbiddenError` for every reader but the operator."""
    if not info.context.reader.operator:
        raise ForbiddenError("the state of the node is for its operator: send the operator's token")
    platform = info.context.platform
    return NodeStatus(
        engine=platform.store.kind,
        free_bytes=ByteCount(platform.space.left()),
        failing_tasks=[FailingTask(name=name, reason=why) for name, why in sorted(platform.epochs.failures.items())],
    )
