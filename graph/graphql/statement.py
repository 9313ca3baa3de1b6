"""Statements: what agents claim, on what evidence, and what became of it."""

from datetime import datetime

import strawberry

from a2ap.times import instant_of
from graph.evidence.machine import sealed_status
from graph.graphql.agent import Agent
from graph.graphql.arguments import First
from graph.graphql.chunk import Chunk, Evidence
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.consensus import Consensus
from graph.graphql.context import MAX_PAGE, Info
from graph.graphql.corroboration import Corroboration
from graph.graphql.dispute import BY_WEIGHT, Dispute, connect_disputes
from graph.graphql.evidence_state import EvidenceDecay, EvidenceState
from graph.graphql.fields import resolved, resolved_together
from graph.graphql.gold import GoldLabel
from graph.graphql.key import KeyTrust
from graph.graphql.logged import Logged
from graph.graphql.node import Node
from graph.graphql.ordering import Direction, OldestFirst
from graph.graphql.record_reference import RecordReference
from graph.graphql.redaction import Redaction
from graph.graphql.retraction import Retraction, StatementStatus
from graph.graphql.statement_parts import citations_of, content_hashes_of, passages_of, verifications_of
from graph.graphql.verification import Verification
from graph.graphql.verification_request import VerificationRequest
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.store import Row


@strawberry.type(description="A signed claim with its evidence (A2AP §2.1).")
class Statement(Node, Logged):
    """A `:Statement` node with its author."""

    id: strawberry.ID = strawberry.field(description="Its urn:uuid; see `twins`.")
    signed_hash: str = strawberry.field(description="The SHA-256 of what its author signed; its name in the graph.")
    document_hash: str = strawberry.field(description="The SHA-256 of the document as received.")
    claim_text: str = strawberry.field(description="What is claimed.")
    confidence: float = strawberry.field(description="How sure its author is, 0 to 1.")
    generated_by: Agent = strawberry.field(description="Its author.")
    generation_method: str | None = strawberry.field(description="How the claim came about, by the author's word.")
    signature: str = strawberry.field(description="The signature, in base64.")
    key_id: str = strawberry.field(description="The key that signed it, by its id; see `generatedBy.keys`.")
    key_status: KeyTrust = strawberry.field(description="Whether that key is trusted where this stands in the log.")
    generated_at: datetime = strawberry.field(description="When, as its author says.")
    received_at: datetime = strawberry.field(description="When, as this node says.")
    log_index: int = strawberry.field(description="Its place in the log.")
    origin: str | None = strawberry.field(description="The peer's log that it was taken from; null for one of ours.")
    conflicted: bool = strawberry.field(
        description="Whether another statement has its id, so that neither is verified."
    )
    machine_check: str = strawberry.field(
        description="What this node found when it compared the evidence with the source: PASS, FAIL or INCONCLUSIVE."
    )
    stated_hash: strawberry.Private[str]
    found_by_machine: strawberry.Private[str | None]
    evidence_state: EvidenceState = strawberry.field(description="Whether the evidence can still be compared.")
    evidence_decay: EvidenceDecay | None = strawberry.field(
        description="Since when and why its evidence can be compared no more, where it once held."
    )
    probe: bool = strawberry.field(
        description="Whether it is no claim but a question of the operator's to verifiers; see its gold label."
    )
    consensus_score: float = strawberry.field(description="What the verdicts amount to, 0 to 1; see `consensus`.")
    verified: bool = strawberry.field(description="Whether threshold and quorum are met and the evidence holds.")
    status: StatementStatus = strawberry.field(description="Whether its author has retracted or revised it.")
    retraction: Retraction | None = strawberry.field(description="How its author took it back, where that is so.")
    successor: strawberry.Private[str | None]

    @classmethod
    def from_row(cls, row: Row) -> "Statement":
        """Return the statement that a row of `statements_by_hash.cypher` describes, with its author."""
        return cls(
            id=row["statement_id"],
            signed_hash=row["signed_hash"],
            document_hash=row["document_hash"],
            claim_text=row["claim_text"],
            confidence=row["confidence"],
            generated_by=Agent.from_row(row),
            generation_method=row["generation_method"],
            stated_hash=row["content_hash"],
            signature=row["signature"],
            key_id=row["key_id"],
            key_status=KeyTrust.of(row["key_trusted"]),
            generated_at=instant_of(row["generated_micros"]),
            received_at=instant_of(row["received_micros"]),
            log_index=row["log_index"],
            origin=row["origin"],
            conflicted=bool(row["conflicted"]),
            machine_check=row["machine_check"],
            found_by_machine=row["machine_reason"],
            evidence_state=EvidenceState.of(row),
            evidence_decay=EvidenceDecay.from_row(row),
            probe=bool(row["probe"]),
            consensus_score=row["consensus_score"],
            verified=row["verified"],
            status=StatementStatus.of(row),
            retraction=Retraction.from_row(row, row["signed_hash"]),
            successor=row["superseded_by"],
        )

    def node_key(self) -> str:
        """Return what tells it from all others."""
        return self.signed_hash

    @resolved
    def statement_id(self) -> strawberry.ID:
        """The same as `id`, by its name in the graph."""
        return self.id

    @resolved_together(content_hashes_of)
    async def content_hash(self, info: Info) -> str:
        """The hash of claim and evidence (A2AP §2.1), "" where a quote is withheld: it covers hashes of passages."""
        return (await content_hashes_of([self], info))[0]

    @resolved_together(passages_of)
    async def evidence(self, info: Info) -> list[Chunk]:
        """The passages that it cites, in its order; `citations` has what it says of them."""
        return (await passages_of([self], info))[0]

    @resolved_together(citations_of)
    async def citations(self, info: Info) -> list[Evidence]:
        """Its evidence as it stands in the statement: quotes, cue times, relevance."""
        return (await citations_of([self], info))[0]

    @resolved
    async def records(self, info: Info) -> list[RecordReference]:
        """The records that it came out of (prov:wasGeneratedBy): what its author did to make it."""
        return await info.context.loaders.records.of_statement(self.signed_hash)

    @resolved_together(verifications_of)
    async def verifications(self, info: Info, first: First = MAX_PAGE) -> list[Verification]:
        """The verdicts on it, oldest first, this node's own check among them."""
        return (await verifications_of([self], info, first))[0]

    @resolved
    async def verifications_connection(
        self,
        info: Info,
        direction: OldestFirst = Direction.ASC,
        first: FirstOf = None,
        after: AfterOf = None,
        last: LastOf = None,
        before: BeforeOf = None,
    ) -> Connection[Verification]:
        """The verdicts on it page by page, this node's own check among them."""
        ordering = Ordering("verifications of a statement", descending=direction is Direction.DESC)
        span = Span.asked(ordering, first, after, last, before)
        return await info.context.loaders.connect_verifications_of(self.signed_hash, span)

    @resolved
    async def challenges(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[Verification]:
        """The verdicts that challenge it, oldest first; each has its `challengeState`."""
        span = Span.asked(Ordering("challenges of a statement"), first, after, last, before)
        return await info.context.loaders.checking.connect_challenges_of(self.signed_hash, span)

    @resolved
    async def verification_requests(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[VerificationRequest]:
        """Who has asked for it to be verified, oldest first."""
        span = Span.asked(Ordering("requests of a statement"), first, after, last, before)
        return await info.context.loaders.connect_requests_of(self.signed_hash, span)

    @resolved
    async def consensus(self, info: Info) -> Consensus:
        """How the score comes about, by the policy in force."""
        return Consensus.from_computed(await info.context.loaders.consensus_of(self.signed_hash))

    @resolved
    async def machine_reason(self, info: Info) -> str | None:
        """What this node's check found wrong, where it did; it may quote the source, and is withheld like a quote."""
        return await info.context.loaders.documents.shown_words(self.signed_hash, self.found_by_machine)

    @resolved
    async def sealed_check(self, info: Info) -> str | None:
        """The outcome of this node's check with the closed sources as well: PASS, FAIL or INCONCLUSIVE.

        Null if it compared no closed source, and for a reader who may not read all of them. `machineCheck` and all
        scores follow from public sources alone.
        """
        shown = await info.context.loaders.documents.shown_words(self.signed_hash, self.found_by_machine)
        return sealed_status(shown)

    @resolved
    async def gold_labels(self, info: Info) -> list[GoldLabel]:
        """What operators know of it, this node's and peers', oldest first."""
        return await info.context.loaders.gold.labels_of(self.signed_hash)

    @resolved
    async def supports(self, info: Info) -> list["Statement"]:
        """The statements that it says it supports."""
        return await info.context.loaders.references_from(self.signed_hash, "SUPPORTS")

    @resolved
    async def contradicts(self, info: Info) -> list["Statement"]:
        """The statements that it says it contradicts."""
        return await info.context.loaders.references_from(self.signed_hash, "CONTRADICTS")

    @resolved
    async def revision_of(self, info: Info) -> "Statement | None":
        """The statement that it says it revises."""
        return next(iter(await info.context.loaders.references_from(self.signed_hash, "REVISION_OF")), None)

    @resolved
    async def redactions(self, info: Info) -> list[Redaction]:
        """What was erased of the document, oldest first; the signature holds all the same."""
        return await info.context.loaders.documents.redactions_of_message(self.document_hash)

    @resolved
    async def superseded_by(self, info: Info) -> "Statement | None":
        """The last revision of it by its own author, where there is one."""
        return None if self.successor is None else await info.context.loaders.statement_with(self.successor)

    @resolved
    async def supported_by(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection["Statement"]:
        """The statements that say they support it, oldest first."""
        span = Span.asked(Ordering("support of a statement"), first, after, last, before)
        return await info.context.loaders.connect_references_to(self.signed_hash, "SUPPORTS", span)

    @resolved
    async def contradicted_by(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection["Statement"]:
        """The statements that say they contradict it, oldest first."""
        span = Span.asked(Ordering("contradictors of a statement"), first, after, last, before)
        return await info.context.loaders.connect_references_to(self.signed_hash, "CONTRADICTS", span)

    @resolved
    async def contradictions(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[Dispute]:
        """The disputes that it is in, declared by authors or detected by this node, the weightiest first."""
        span = Span.asked(BY_WEIGHT, first, after, last, before)
        return connect_disputes(span, await info.context.loaders.disputes_of([self.signed_hash]))

    @resolved
    async def corroboration(self, info: Info) -> Corroboration | None:
        """Who else makes the same claim in the same words; null where the graph was made before claims had keys."""
        found = await info.context.loaders.corroboration_of(self.signed_hash)
        return None if found is None else Corroboration.from_counted(found)

    @resolved
    async def revised_by(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection["Statement"]:
        """The statements that say they revise it, oldest first."""
        span = Span.asked(Ordering("revisions of a statement"), first, after, last, before)
        return await info.context.loaders.connect_references_to(self.signed_hash, "REVISION_OF", span)

    @resolved
    async def twins(self, info: Info) -> list["Statement"]:
        """Other statements of the same id, which is derived and not unique; trust signedHash."""
        others = [name for name in await info.context.loaders.hashes_of(self.id) if name != self.signed_hash]
        return await info.context.loaders.statements_with(others)
