"""The root of queries: A2AP §5.1's four queries to the letter, lists, look-ups, and the queries of Appendix B."""

from typing import Annotated

import strawberry

from graph.errors import InputError, NotFoundError
from graph.graphql.admission import AdmissionPolicy, resolve_admission_policy
from graph.graphql.agent import Agent
from graph.graphql.agent_list import resolve_agents
from graph.graphql.agreement import Agreement, resolve_agreements
from graph.graphql.arguments import AgentName, First, StatementName, Topic
from graph.graphql.as_of import resolved_as_of, travelling
from graph.graphql.chunk import Chunk
from graph.graphql.computed import compute_consensus, compute_reputation
from graph.graphql.connection import Connection
from graph.graphql.consensus import Consensus
from graph.graphql.context import MAX_PAGE, Info, check_first
from graph.graphql.contradiction_list import resolve_contradictions
from graph.graphql.dispute import Dispute
from graph.graphql.document import Document
from graph.graphql.document_list import resolve_documents
from graph.graphql.drift import Drift, drift
from graph.graphql.epoch import Epoch, resolve_epochs
from graph.graphql.family import AgentFamily
from graph.graphql.fields import resolved
from graph.graphql.impact import Impact, resolve_impact
from graph.graphql.lineage import BlastRadius, resolve_blast_radius
from graph.graphql.log import Log, find_log
from graph.graphql.log_entry import LogEntry
from graph.graphql.log_entry_list import resolve_log_entries
from graph.graphql.neighbours import Neighbours, resolve_neighbours
from graph.graphql.node import Node
from graph.graphql.node_lookup import resolve_node, resolve_nodes
from graph.graphql.node_status import NodeStatus, find_node_status
from graph.graphql.over_time import StatsOverTime, resolve_stats_over_time
from graph.graphql.pack import Pack, resolve_pack
from graph.graphql.pack_list import resolve_packs
from graph.graphql.packet import Packet, PacketClosure, resolve_packet, resolve_packet_closure
from graph.graphql.packet_list import resolve_packets
from graph.graphql.packet_order import resolve_assembled_packet
from graph.graphql.passport import Passport, resolve_passport
from graph.graphql.passport_list import resolve_passports
from graph.graphql.path import Paths, resolve_path
from graph.graphql.question import Answer, OwnQuery, resolve_ask, resolve_cypher
from graph.graphql.reputation import Reputation
from graph.graphql.request_list import resolve_open_requests
from graph.graphql.search import SearchResult, resolve_search
from graph.graphql.statement import Statement
from graph.graphql.statement_list import resolve_statements
from graph.graphql.story import Lineage, resolve_lineage
from graph.graphql.this_node import ThisNode, find_this_node
from graph.graphql.timeline import ConsensusEvent, resolve_timeline
from graph.graphql.topic import Topic as ClaimTopic
from graph.graphql.topic import resolve_topics
from graph.graphql.verification import Verification
from graph.graphql.verification_list import resolve_verifications
from graph.graphql.verification_request import VerificationRequest


@strawberry.type(description="Queries about dependence in the graph and growth over time.")
class WalkQuery:
    """Root fields that walk along the graph or count along the log."""

    lineage: Lineage = strawberry.field(
        resolver=resolve_lineage,
        description="The whole story of a statement: its origins back to the first input, and its consequences.",
    )
    blast_radius: BlastRadius = strawberry.field(
        resolver=resolve_blast_radius,
        description="The dependents of a key, an agent, a source (by hash or name) or a statement (by hash or id), "
        "nearest first, as of a size of the log.",
    )
    impact: Impact = strawberry.field(
        resolver=resolve_impact,
        description="The dependents of anything with a name, which would fall with it, nearest first, as of a size "
        "of the log.",
    )
    neighbours: Neighbours = strawberry.field(
        resolver=resolve_neighbours,
        description="The things one step away from anything with a name, grouped by relation, that the reader may "
        "see, as of a size of the log.",
    )
    path: Paths = strawberry.field(
        resolver=resolve_path,
        description="The connections of two things: the shortest paths of provenance between them that the reader "
        "may see, as of a size of the log.",
    )
    stats_over_time: StatsOverTime = strawberry.field(
        resolver=resolve_stats_over_time,
        description="The entries of the log counted by buckets of time, by time of receipt by this node. Up to 1,000 "
        "whole buckets, including empty ones.",
    )


@strawberry.type(description="The queries of the provenance graph.")
class Query(WalkQuery):
    """The root of all queries."""

    @resolved_as_of
    async def statements_about(self, info: Info, topic: Topic, first: First = MAX_PAGE) -> list[Statement]:
        """Statements about a topic, by claim, cited passage or title of the document; best match first."""
        context = info.context
        answer = await context.platform.search.find(context.reader, topic, first=check_first(first))
        return await context.loaders.statements_with(answer.hashes)

    @resolved_as_of
    async def evidence_chain(self, info: Info, statement_id: StatementName) -> list[Chunk]:
        """The passages that a statement cites, in its order."""
        evidence = await info.context.loaders.documents.evidence_of(await info.context.loaders.hash_of(statement_id))
        return [one.chunk for one in evidence]

    @resolved_as_of
    async def agent_reputation(self, info: Info, agent_id: AgentName) -> float:
        """The reputation of an agent, 0 to 1, by the outcome of its verdicts; 0.5 before any outcome is known."""
        return (await _agent(info, agent_id)).reputation

    @resolved_as_of
    async def consensus_on(
        self,
        info: Info,
        topic: Topic,
        min_score: Annotated[float, strawberry.argument(description="The lowest score, 0 to 1.")],
        first: First = MAX_PAGE,
    ) -> list[Statement]:
        """Verified statements about a topic that score at least `minScore`; best match first."""
        if not 0 <= min_score <= 1:
            raise InputError(f"minScore is {min_score}, not from 0 to 1", "minScore")
        context = info.context
        search = context.platform.search
        answer = await search.find(context.reader, topic, first=check_first(first), min_score=min_score)
        return await context.loaders.statements_with(answer.hashes)

    @resolved_as_of
    async def statement(self, info: Info, id: StatementName) -> Statement | None:
        """A statement by its id or its signedHash; an id shared by several statements names the first in the log."""
        hashes = await info.context.loaders.hashes_of(id)
        return next(iter(await info.context.loaders.statements_with(hashes[:1])), None)

    @resolved_as_of
    async def agent(self, info: Info, id: AgentName) -> Agent | None:
        """An agent by its id."""
        return next(iter(await info.context.loaders.agents_with([id])), None)

    @resolved_as_of
    async def agent_family(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="The id of a family.")]
    ) -> AgentFamily | None:
        """A family of agents by its id, with its versions and their common reputation."""
        rows = await info.context.platform.store.read("families_known", ids=[id])
        return AgentFamily(id=rows[0]["family"]) if rows else None

    @resolved_as_of
    async def verification(
        self,
        info: Info,
        signed_hash: Annotated[strawberry.ID, strawberry.argument(description="The signedHash of the verification.")],
    ) -> Verification | None:
        """A verification by its signedHash."""
        rows = await info.context.platform.store.read("verifications_by_hash", hashes=[signed_hash])
        return next(iter(await info.context.loaders.take_verifications(rows)), None)

    @resolved
    async def log(self, info: Info) -> Log:
        """The log of this node as of its newest checkpoint."""
        return await find_log(info)

    statements: Connection[Statement] = travelling(
        resolve_statements, "Statements, newest first unless another order is given."
    )
    agents: Connection[Agent] = travelling(
        resolve_agents, "The registered agents, oldest first unless another order is given."
    )
    verifications: Connection[Verification] = travelling(
        resolve_verifications, "Verdicts, newest first unless another order is given."
    )
    documents: Connection[Document] = travelling(
        resolve_documents, "Source documents, by hash unless another order is given."
    )
    open_requests: Connection[VerificationRequest] = travelling(
        resolve_open_requests, "The requests that wait for verdicts, oldest first."
    )
    log_entries: Connection[LogEntry] = travelling(
        resolve_log_entries, "The entries of the log, oldest first unless another order is given."
    )
    consensus_timeline: Connection[ConsensusEvent] = travelling(
        resolve_timeline,
        "The verdicts on a statement by their times, oldest first, each with the resulting consensus.",
    )
    agreements: Connection[Agreement] = travelling(
        resolve_agreements, "The pairs of agents that validated the same statements, most shared statements first."
    )
    contradictions: Connection[Dispute] = travelling(
        resolve_contradictions,
        "Statements that exclude each other, with both sides, among those about a topic or with one statement; "
        "greatest WEIGHT first unless another order is given.",
    )
    admission_policy: AdmissionPolicy = travelling(resolve_admission_policy, "The admission policy of this node.")
    epochs: Connection[Epoch] = travelling(
        resolve_epochs, "The estimates of the verifiers' reliabilities, newest first."
    )
    node: Node | None = travelling(resolve_node, "The object with this globalId; null if this node does not have it.")
    nodes: list[Node | None] = travelling(resolve_nodes, "The objects with these globalIds, in their order.")
    this_node: ThisNode = strawberry.field(
        resolver=find_this_node,
        description="This node: its versions, keys, policies in force, limits and endpoints.",
    )
    node_status: NodeStatus = strawberry.field(
        resolver=find_node_status,
        description="The state of this node, for its operator: failing tasks, peers, use of quotas, and the effect of "
        "another policy.",
    )
    passport: Passport | None = travelling(
        resolve_passport, "A Context Passport by the hash of its bytes, or the first in the log with that id."
    )
    passports: Connection[Passport] = travelling(
        resolve_passports, "Context Passports, newest first unless another order is given."
    )
    pack: Pack | None = travelling(resolve_pack, "A Context Pack by the hash of its manifest.")
    packs: Connection[Pack] = travelling(resolve_packs, "Context Packs, newest first unless another order is given.")
    drift: Drift = travelling(
        drift, "A comparison of two agents, such as two versions of one, by the statements that both have judged."
    )
    packet: Packet | None = travelling(resolve_packet, "A Context Packet that was submitted.")
    packets: Connection[Packet] = travelling(
        resolve_packets, "The submitted Context Packets, oldest first unless another order is given."
    )
    packet_closure: PacketClosure = travelling(
        resolve_packet_closure,
        "The closure of the loops of a packet and of the packets that it supersedes or that supersede it.",
    )
    assembled_packet: str = strawberry.field(
        resolver=resolve_assembled_packet,
        description="A Context Packet assembled from the graph, as its text; only the delivery of an audited packet "
        "is logged.",
    )
    search: SearchResult = travelling(
        resolve_search, "Statements found by words and by meaning, best first, with the positions of the words."
    )
    topics: list[ClaimTopic] = travelling(
        resolve_topics,
        "The topics of the newest 1,000 statements: items of an agenda that their claims name, and phrases that "
        "several claims share; those of most statements first.",
    )
    ask: Answer = travelling(
        resolve_ask, "The answer to a question in plain English, by a query that a model writes or a stored template."
    )
    cypher: OwnQuery = travelling(
        resolve_cypher,
        "The result of a read-only query in Cypher, by its name or as a text, within bounds and clearance.",
    )
    compute_consensus: Consensus = travelling(
        compute_consensus, "The consensus on a statement by the named method, or the policy's; nothing is stored."
    )
    compute_reputation: Reputation = travelling(
        compute_reputation, "The reputation of an agent by the named method, or the policy's; nothing is stored."
    )


async def _agent(info: Info, agent_id: str) -> Agent:
    agents = await info.context.loaders.agents_with([agent_id])
    if not agents:
        raise NotFoundError(f"no agent {agent_id} is registered")
    return agents[0]
