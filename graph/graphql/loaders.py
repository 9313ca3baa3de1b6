"""Loads the data of resolvers, batched and cached for one request, without content that the reader may not see."""

from asyncio import gather
from collections.abc import Awaitable, Callable, Sequence

from strawberry.dataloader import DataLoader

from graph.clearance import Reader
from graph.disputes.corroboration import Corroboration
from graph.disputes.disputes import Dispute
from graph.disputes.on_demand import corroborations_in, disputes_in
from graph.errors import NotFoundError
from graph.graphql.agent import Agent
from graph.graphql.batches import MAX_BATCH, Part, Parts, Row, rows_by, values_by
from graph.graphql.checking_loaders import CheckingLoaders
from graph.graphql.connection import Connection
from graph.graphql.context import Budget
from graph.graphql.document_loaders import BYTES_OF_AN_OBJECT, DocumentLoaders
from graph.graphql.gold_loaders import GoldLoaders
from graph.graphql.log_loaders import LogLoaders
from graph.graphql.packet_loaders import PacketLoaders
from graph.graphql.record_loaders import RecordLoaders
from graph.graphql.reputation_loaders import ReputationLoaders
from graph.graphql.statement import Statement
from graph.graphql.verification import Verification
from graph.graphql.verification_request import VerificationRequest
from graph.lists.ordered import END
from graph.lists.span import Span
from graph.names.agent_names import NamedAgent, Registration
from graph.scores.on_demand import consensus_of_statements
from graph.scoring.consensus import Consensus
from graph.store import Store

JUDGEMENTS_OF_AN_OBJECT = 10

LookAlikes = Callable[[list[NamedAgent]], Awaitable[list[list[Registration]]]]
"""The registrations of the agents whose names look the same, for each agent (`AgentNames.look_alikes`)."""

_REFERENCES = ("SUPPORTS", "CONTRADICTS", "REVISION_OF")


class Loaders:
    """The loaders of one request. Lists count against the budget of objects."""

    def __init__(self, store: Store, reader: Reader, look_alikes: LookAlikes, budget: Budget | None = None) -> None:
        self._store = store
        self.checking = CheckingLoaders(store, self)
        self.gold = GoldLoaders(store, self)
        self.documents = DocumentLoaders(store, reader, self)
        self.records = RecordLoaders(store, self)
        self.packets = PacketLoaders(store, reader, self)
        self.log = LogLoaders(store, self)
        self.reputations = ReputationLoaders(store, self)
        self.budget = budget or Budget()
        self._statements = values_by(self._load_statements)
        self._agents = values_by(self._load_agents)
        self._consensus = values_by(self._load_consensus)
        self._disputes = values_by(lambda hashes: disputes_in(store, hashes))
        self._corroborations = values_by(lambda hashes: corroborations_in(store, hashes))
        self._verifications = Parts(store, "verifications_of", "hashes", "statement", count="count_verifications_of")
        self._verifications_by_agent = Parts(
            store, "verifications_by_agent", "ids", "agent_id", count="count_verifications_by_agent"
        )
        self._requests = Parts(store, "requests_of", "hashes", "statement")
        self._statements_by_agent = Parts(
            store, "statements_by_agent", "ids", "agent", count="count_statements_by_agent"
        )
        self._citing = Parts(store, "statements_citing", "keys", "chunk", count="count_statements_citing")
        self._references_to = {
            relation: Parts(store, "references_to", "hashes", "statement", relation=relation)
            for relation in _REFERENCES
        }
        self._references_from = rows_by(store, "references_from", "hashes", "statement")
        self._statements_with_id = rows_by(store, "statements_by_id", "ids", "statement_id")
        self._endorsers = rows_by(store, "endorsers_of", "ids", "agent_id")
        self._keys = rows_by(store, "keys_of", "ids", "agent")
        self._look_alikes = DataLoader(load_fn=look_alikes, max_batch_size=MAX_BATCH)
        self._memberships = rows_by(store, "memberships_of", "ids", "agent_id")

    @property
    def objects(self) -> int:
        """The number of objects counted."""
        return self.budget.spent

    def spend(self, objects: int) -> None:
        """Count objects of the answer; raise `TooLargeError` if there are too many."""
        self.budget.spend(objects)

    def spend_bytes(self, length: int) -> None:
        """Count bytes to be read for the answer: reading costs more than showing a part of them."""
        self.budget.spend(1 + length // BYTES_OF_AN_OBJECT)

    def spend_judgements(self, number: int) -> None:
        """Count judgements to be weighed for the answer, whether or not the answer shows them."""
        self.budget.spend(number // JUDGEMENTS_OF_AN_OBJECT)

    def take_statements(self, rows: Sequence[Row]) -> list[Statement]:
        """Return the statements of the rows of a query, and cache them."""
        self.budget.spend(len(rows))
        statements = [Statement.from_row(row) for row in rows]
        self._statements.prime_many({statement.signed_hash: statement for statement in statements})
        return statements

    async def statements_with(self, hashes: Sequence[str]) -> list[Statement]:
        """Return the statements with these hashes, in that order; unknown hashes are left out."""
        self.budget.spend(len(hashes))
        found = await self._statements.load_many(hashes)
        return [statement for statement in found if statement is not None]

    async def statement_with(self, signed_hash: str) -> Statement:
        """Return the statement with this hash; raise `NotFoundError`."""
        statement: Statement | None = await self._statements.load(signed_hash)
        if statement is None:
            raise NotFoundError(f"no statement {signed_hash} is here")
        return statement

    async def hashes_of(self, name: str) -> list[str]:
        """Return the hashes of the statements with this id, in log order; a hash is returned as it is."""
        if name.startswith("sha256:"):
            return [name]
        return [row["signed_hash"] for row in await self._statements_with_id.load(name)]

    async def hash_of(self, name: str) -> str:
        """Return the hash of the statement with this id or hash; raise `NotFoundError`."""
        hashes = await self.hashes_of(name)
        if not hashes:
            raise NotFoundError(f"no statement {name} is here")
        return (await self.statement_with(hashes[0])).signed_hash

    async def agents_with(self, ids: Sequence[str]) -> list[Agent]:
        """Return the agents with these ids, in that order; unknown ids are left out."""
        self.budget.spend(len(ids))
        return [agent for agent in await self._agents.load_many(ids) if agent is not None]

    async def agent_row(self, agent_id: str) -> Row:
        """Return the whole row of a registered agent."""
        agent: Agent | None = await self._agents.load(agent_id)
        if agent is None or agent.row is None:
            raise NotFoundError(f"no agent {agent_id} is registered")
        return agent.row

    async def operators_of(self, agent_id: str) -> list[Agent]:
        """Return the agents that endorsed this one, first endorsement first."""
        rows = await self._endorsers.load(agent_id)
        return await self.agents_with(list(dict.fromkeys(row["operator"] for row in rows)))

    async def look_alikes_of(self, agent: Agent, first: int, *, preceding: bool) -> list[Agent]:
        """Return the first of the other agents whose names look the same, without the versions of its family.

        With `preceding`, only active agents whose claim to the name is older: a seed of the policy, and an agent that a
        seed has endorsed, precedes all others; otherwise the earlier registration does.
        """
        agent_id = str(agent.id)
        registered = await self._look_alikes.load(NamedAgent(agent_id, agent.name))
        others: list[Registration] = [one for one in registered if one.agent_id != agent_id]
        if not others:
            return []
        self.budget.spend(len(others))
        family, *families = await gather(*(self._family_of(one) for one in [agent_id, *(o.agent_id for o in others)]))
        strange = [one for one, its in zip(others, families, strict=True) if its is None or its != family]
        if preceding:
            strange = await self._preceding(agent_id, registered, strange)
        return await self.agents_with([one.agent_id for one in strange[:first]])

    async def _preceding(
        self, agent_id: str, registered: Sequence[Registration], others: Sequence[Registration]
    ) -> list[Registration]:
        trusted = dict(zip(others, await gather(*(self._is_trusted(one.agent_id) for one in others)), strict=True))
        own = next((one.log_index for one in registered if one.agent_id == agent_id), END)
        if await self._is_trusted(agent_id):
            older = [one for one in others if trusted[one] and one.log_index < own]
        else:
            older = [one for one in others if trusted[one] or one.log_index < own]
        found = await self._agents.load_many([one.agent_id for one in older])
        active = {str(agent.id) for agent in found if agent is not None and not agent.is_deactivated}
        return [one for one in older if one.agent_id in active]

    async def _is_trusted(self, agent_id: str) -> bool:
        """Return whether an agent is a seed of the policy in force, or a seed has endorsed it."""
        seeds = (await self.checking.policy()).seeds
        return agent_id in seeds or any(row["operator"] in seeds for row in await self._endorsers.load(agent_id))

    async def _family_of(self, agent_id: str) -> str | None:
        """Return the family that has confirmed an agent as its version, None if there is none."""
        row = await self.membership_of(agent_id)
        return row["family"] if row is not None and row["confirmed"] else None

    async def keys_of(self, agent_id: str) -> list[Row]:
        """Return the rows of an agent's keys."""
        return await self._keys.load(agent_id)

    async def membership_of(self, agent_id: str) -> Row | None:
        """Return the row of an agent's membership in a family, None if there is none."""
        return next(iter(await self._memberships.load(agent_id)), None)

    async def verifications_of_all(self, hashes: Sequence[str], first: int) -> list[list[Verification]]:
        """Return the first verdicts on each of these statements."""
        found, withheld = await gather(
            self._verifications.rows_of_all(hashes, Part.first(first)), self.documents.reasons_withheld_of(hashes)
        )
        self.budget.spend(sum(map(len, found)))
        return [[Verification.from_row(row, why) for row in rows] for rows, why in zip(found, withheld, strict=True)]

    async def connect_verifications_of(self, signed_hash: str, span: Span) -> Connection[Verification]:
        """Return a page of the verdicts on a statement."""
        return await self._verifications.connect(signed_hash, span, self.take_verifications)

    async def verifications_by_agent(self, agent_id: str, first: int) -> list[Verification]:
        """Return the latest verdicts of an agent."""
        rows = await self._verifications_by_agent.rows(agent_id, Part.first(first, newest=True))
        return await self.take_verifications(rows)

    async def connect_verifications_by_agent(self, agent_id: str, span: Span) -> Connection[Verification]:
        """Return a page of the verdicts of an agent."""
        return await self._verifications_by_agent.connect(agent_id, span, self.take_verifications)

    async def take_verifications(self, rows: Sequence[Row]) -> list[Verification]:
        """Return the verdicts of rows, on any statements, without text that this reader may not see."""
        self.budget.spend(len(rows))
        withheld = await self.documents.reasons_withheld_of([row["statement"] for row in rows])
        return [Verification.from_row(row, why) for row, why in zip(rows, withheld, strict=True)]

    async def connect_requests_of(self, signed_hash: str, span: Span) -> Connection[VerificationRequest]:
        """Return a page of the requests to verify a statement."""
        return await self._requests.connect(signed_hash, span, self._take_requests)

    async def _take_requests(self, rows: Sequence[Row]) -> list[VerificationRequest]:
        self.budget.spend(len(rows))
        return [VerificationRequest.from_row(row) for row in rows]

    async def statements_by_agent(self, agent_id: str, first: int) -> list[Statement]:
        """Return the latest statements of an agent."""
        return await self._named(await self._statements_by_agent.rows(agent_id, Part.first(first, newest=True)))

    async def connect_statements_by_agent(self, agent_id: str, span: Span) -> Connection[Statement]:
        """Return a page of the statements of an agent."""
        return await self._statements_by_agent.connect(agent_id, span, self._named)

    async def statements_citing(self, chunk_key: str, first: int) -> list[Statement]:
        """Return the first statements that cite a chunk."""
        return await self._named(await self._citing.rows(chunk_key, Part.first(first)))

    async def connect_statements_citing(self, chunk_key: str, span: Span) -> Connection[Statement]:
        """Return a page of the statements that cite a chunk."""
        return await self._citing.connect(chunk_key, span, self._named)

    async def references_from(self, signed_hash: str, relation: str) -> list[Statement]:
        """Return the statements that a statement references by this relation."""
        rows = await self._references_from.load(signed_hash)
        return await self._named([row for row in rows if row["relation"] == relation])

    async def connect_references_to(self, signed_hash: str, relation: str, span: Span) -> Connection[Statement]:
        """Return a page of the statements that reference a statement by this relation."""
        return await self._references_to[relation].connect(signed_hash, span, self._named)

    async def consensus_of(self, signed_hash: str) -> Consensus:
        """Return the consensus on a statement by the policy in force."""
        return (await self.consensus_of_all([signed_hash]))[0]

    async def consensus_of_all(self, hashes: Sequence[str]) -> list[Consensus]:
        """Return the consensus on each of these statements by the policy in force."""
        found: list[Consensus] = await self._consensus.load_many(hashes)
        return found

    async def disputes_of(self, hashes: Sequence[str]) -> list[Dispute]:
        """Return the disputes of these statements, those of the first statement first."""
        found = [dispute for disputes in await self._disputes.load_many(hashes) for dispute in disputes]
        self.budget.spend(len(found))
        return found

    async def corroboration_of(self, signed_hash: str) -> Corroboration | None:
        """Return the corroboration of a statement's claim; None if the claim has no key."""
        found: Corroboration | None = await self._corroborations.load(signed_hash)
        return found

    async def _named(self, rows: Sequence[Row]) -> list[Statement]:
        return await self.statements_with([row["signed_hash"] for row in rows])

    async def _load_statements(self, hashes: list[str]) -> dict[str, Statement]:
        rows = await self._store.read("statements_by_hash", hashes=hashes)
        return {row["signed_hash"]: Statement.from_row(row) for row in rows}

    async def _load_agents(self, ids: list[str]) -> dict[str, Agent]:
        rows = await self._store.read("agents_by_id", ids=ids)
        return {row["agent_id"]: Agent.from_row(row, whole=True) for row in rows}

    async def _load_consensus(self, hashes: list[str]) -> dict[str, Consensus]:
        return await consensus_of_statements(self._store, hashes, spend=self.spend_judgements)
