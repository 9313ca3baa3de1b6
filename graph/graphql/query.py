"""What can be asked: A2AP §5.1's four questions to the letter, lists, look-ups, and Appendix B's."""

from typing import Annotated

import strawberry

from graph.answers.search import search_statements
from graph.errors import InputError, NotFoundError
from graph.graphql.admission import AdmissionPolicy, resolve_admission_policy
from graph.graphql.agent import Agent, Reputation
from graph.graphql.agreement import Agreement, resolve_agreements
from graph.graphql.arguments import After, AgentName, Criteria, First, Seen, StatementName, Topic
from graph.graphql.chunk import Chunk
from graph.graphql.computed import compute_consensus, compute_reputation
from graph.graphql.consensus import Consensus
from graph.graphql.context import MAX_PAGE, Info, check_first
from graph.graphql.dispute import Dispute, disputes
from graph.graphql.document import Document
from graph.graphql.drift import Drift, drift
from graph.graphql.epoch import Epoch, resolve_epochs
from graph.graphql.family import AgentFamily
from graph.graphql.fields import resolved
from graph.graphql.lineage import BlastRadius, resolve_blast_radius
from graph.graphql.log import Log, find_log
from graph.graphql.log_entry import LogEntry
from graph.graphql.node import Node, find_node
from graph.graphql.pack import Pack, resolve_pack, resolve_packs
from graph.graphql.packet import Packet, PacketClosure, resolve_packet, resolve_packet_closure, resolve_packets
from graph.graphql.packet_order import resolve_assembled_packet
from graph.graphql.passport import Passport, resolve_passport, resolve_passports
from graph.graphql.statement import Statement
from graph.graphql.story import Lineage, resolve_lineage
from graph.graphql.timeline import ConsensusEvent, resolve_timeline
from graph.graphql.verification import Verification, VerificationRequest
from graph.requests.open_requests import open_rows


@strawberry.type(description="What can be asked of the provenance graph.")
class Query:
    """The root of all questions."""

    @resolved
    async def statements_about(self, info: Info, topic: Topic, first: First = MAX_PAGE) -> list[Statement]:
        """Statements about a topic, by claim, cited passage or title of the document; best first."""
        context = info.context
        found = await search_statements(context.platform.store, context.reader, topic, first=check_first(first))
        return await context.loaders.statements_with(found)

    @resolved
    async def evidence_chain(self, info: Info, statement_id: StatementName) -> list[Chunk]:
        """The passages that a statement rests on, in its order."""
        evidence = await info.context.loaders.documents.evidence_of(await info.context.loaders.hash_of(statement_id))
        return [one.chunk for one in evidence]

    @resolved
    async def agent_reputation(self, info: Info, agent_id: AgentName) -> float:
        """How well an agent's verdicts have turned out, 0 to 1; one half before anything is known."""
        return (await _agent(info, agent_id)).reputation

    @resolved
    async def consensus_on(
        self,
        info: Info,
        topic: Topic,
        min_score: Annotated[float, strawberry.argument(description="The least score, 0 to 1.")],
        first: First = MAX_PAGE,
    ) -> list[Statement]:
        """Verified statements about a topic that score at least `minScore`; best match first."""
        if not 0 <= min_score <= 1:
            raise InputError(f"minScore is {min_score}, not from 0 to 1", "minScore")
        context = info.context
        found = await search_statements(
            context.platform.store, context.reader, topic, first=check_first(first), min_score=min_score
        )
        return await context.loaders.statements_with(found)

    @resolved
    async def statements(self, info: Info, first: First = 20, after: Seen = None) -> list[Statement]:
        """Statements, newest first; `after` is the logIndex of the last one seen."""
        store = info.context.platform.store
        rows = await store.read("list_statements", first=check_first(first), after=after)
        if not rows and after is not None:
            # Nothing is before the first statement; what is before a place without one is before the next statement.
            following = await store.read("next_statement", after=after - 1)
            place = following[0]["log_index"] if following else None
            if place != after:
                rows = await store.read("list_statements", first=first, after=place)
        return info.context.loaders.take_statements(rows)

    @resolved
    async def statement(self, info: Info, id: StatementName) -> Statement | None:
        """A statement by its id or its signedHash; of several with one id the first in the log."""
        hashes = await info.context.loaders.hashes_of(id)
        return next(iter(await info.context.loaders.statements_with(hashes[:1])), None)

    @resolved
    async def agents(self, info: Info, first: First = 20, after: After = -1) -> list[Agent]:
        """Agents, oldest first; `after` is the logIndex of the last one seen."""
        rows = await info.context.platform.store.read("list_agents", first=check_first(first), after=after)
        return [Agent.from_row(row, whole=True) for row in rows]

    @resolved
    async def agent(self, info: Info, id: AgentName) -> Agent | None:
        """An agent by its id."""
        return next(iter(await info.context.loaders.agents_with([id])), None)

    @resolved
    async def agent_family(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="The id of a family.")]
    ) -> AgentFamily | None:
        """A family of agents by its id, with its versions and what they are worth together."""
        rows = await info.context.platform.store.read("families_known", ids=[id])
        return AgentFamily(id=rows[0]["family"]) if rows else None

    @resolved
    async def verification(
        self, info: Info, signed_hash: Annotated[strawberry.ID, strawberry.argument(description="Its signedHash.")]
    ) -> Verification | None:
        """A verification by its signedHash."""
        rows = await info.context.platform.store.read("verifications_by_hash", hashes=[signed_hash])
        return next(iter(await info.context.loaders.take_verifications(rows)), None)

    @resolved
    async def open_requests(
        self, info: Info, criteria: Criteria = None, first: First = 20, after: After = -1
    ) -> list[VerificationRequest]:
        """The requests that wait for verdicts, on any of these criteria, oldest first; `after` is a logIndex."""
        platform = info.context.platform
        rows = await open_rows(platform.store, criteria or [], platform.clock(), after=after, first=check_first(first))
        info.context.loaders.spend(len(rows))
        return [VerificationRequest.from_row(row) for row in rows]

    @resolved
    async def documents(
        self, info: Info, name: Annotated[str, strawberry.argument(description="A hash, sha256:…, or a URN.")]
    ) -> list[Document]:
        """The documents of a name: a hash or a URN, which may stand for several."""
        rows = await info.context.platform.store.read("documents_by_name", names=[name])
        await info.context.loaders.documents.mark_documents(rows)
        return [Document.from_row(row) for row in rows]

    @resolved
    async def log_entries(
        self,
        info: Info,
        first: First = 20,
        after: After = -1,
        agent: Annotated[
            strawberry.ID | None, strawberry.argument(description="Whose messages; without it, everybody's.")
        ] = None,
    ) -> list[LogEntry]:
        """The log from one place on, in order, of one agent where it is named; `after` is the last logIndex seen."""
        read, place = info.context.platform.store.read, {"start": after + 1, "first": check_first(first)}
        if agent is None:
            rows = await read("log_entries_from", **place)
        else:
            rows = await read("log_entries_of_agent", agent=agent, **place)
        return [LogEntry.from_row(row) for row in rows]

    @resolved
    async def log(self, info: Info) -> Log:
        """The log of this node as of its newest checkpoint."""
        return await find_log(info)

    consensus_timeline: list[ConsensusEvent] = strawberry.field(
        resolver=resolve_timeline,
        description="The verdicts on a statement by their times, each with the consensus that it led to.",
    )
    agreements: list[Agreement] = strawberry.field(
        resolver=resolve_agreements,
        description="The pairs of agents that most often validated the same statements.",
    )
    disputes: list[Dispute] = strawberry.field(
        resolver=disputes,
        description="Statements about a topic that exclude each other, with both sides; those that verdicts carry "
        "first. `after` is the id of the last one seen.",
    )
    lineage: Lineage = strawberry.field(
        resolver=resolve_lineage,
        description="The whole story of a statement: what it came out of, back to the first input, and what became of "
        "it.",
    )
    blast_radius: BlastRadius = strawberry.field(
        resolver=resolve_blast_radius,
        description="What rests on a key, an agent, a source (by hash or name) or a statement (by hash or id), nearest "
        "first, as of a size of the log; `after` is the position of the last item seen.",
    )
    admission_policy: AdmissionPolicy = strawberry.field(
        resolver=resolve_admission_policy, description="Who may join this node."
    )
    epochs: list[Epoch] = strawberry.field(
        resolver=resolve_epochs,
        description="When the reliabilities of verifiers were estimated, newest first; `before` is a logIndex.",
    )
    node: Node = strawberry.field(
        resolver=find_node, description="This node: its versions, keys, policies in force, limits and doors."
    )
    passport: Passport | None = strawberry.field(
        resolver=resolve_passport,
        description="A Context Passport by the hash of its bytes, or the first in the log with that id.",
    )
    passports: list[Passport] = strawberry.field(
        resolver=resolve_passports,
        description="Context Passports, newest first: of an agent (by their own word), a run, a type of event or a "
        "branch. `after` is the logIndex of the last one seen.",
    )
    pack: Pack | None = strawberry.field(
        resolver=resolve_pack, description="A Context Pack by the hash of its manifest."
    )
    packs: list[Pack] = strawberry.field(
        resolver=resolve_packs,
        description="Context Packs, newest first: of a model, or that used or generated a content. `after` is the "
        "logIndex of the last one seen.",
    )
    drift: Drift = strawberry.field(
        resolver=drift,
        description="Two agents, such as two versions of one, compared on the statements that both have judged.",
    )
    packet: Packet | None = strawberry.field(
        resolver=resolve_packet, description="A Context Packet that was handed in."
    )
    packets: list[Packet] = strawberry.field(
        resolver=resolve_packets, description="The Context Packets that were handed in, oldest first."
    )
    packet_closure: PacketClosure = strawberry.field(
        resolver=resolve_packet_closure,
        description="Whether the loop of a packet and of those that supersede it, or that it supersedes, is closed.",
    )
    assembled_packet: str = strawberry.field(
        resolver=resolve_assembled_packet,
        description="A Context Packet made from the graph, as its text; nothing is registered.",
    )
    compute_consensus: Consensus = strawberry.field(
        resolver=compute_consensus,
        description="The consensus on a statement by the method named, else the policy's; nothing is stored.",
    )
    compute_reputation: Reputation = strawberry.field(
        resolver=compute_reputation,
        description="The reputation of an agent by the method named, else the policy's; nothing is stored.",
    )


async def _agent(info: Info, agent_id: str) -> Agent:
    agents = await info.context.loaders.agents_with([agent_id])
    if not agents:
        raise NotFoundError(f"no agent {agent_id} is registered")
    return agents[0]
