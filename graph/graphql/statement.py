"""Statements: the claims of agents, with evidence, verdicts, scores and later messages."""

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
from graph.graphql.enums import show_enum
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
from graph.graphql.statement_parts import (
    citations_of,
    claim_kinds_of,
    content_hashes_of,
    passages_of,
    standings_of,
    verifications_of,
)
from graph.graphql.verification import Verification
from graph.graphql.verification_request import VerificationRequest
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.scoring.standing import ClaimKind
from graph.store import Row
from graph.verifier.claim_kind import speaker_of

show_enum(
    ClaimKind,
    {
        "REPORTS": "The claim is the words of its source, or attributes them: verified, it is said, as quoted.",
        "ASSERTS": "The claim is a statement about the world in the words of its author: verified, it holds.",
    },
    description="The kind of a claim, found by its form.",
)


@strawberry.type(description="A signed claim with its evidence (A2AP §2.1).")
class Statement(Node, Logged):
    """A `:Statement` node with its author."""

    id: strawberry.ID = strawberry.field(description="The id of the statement, a urn:uuid; see `twins`.")
    signed_hash: str = strawberry.field(
        description="The SHA-256 of the signed bytes, by which the graph names the statement."
    )
    document_hash: str = strawberry.field(description="The SHA-256 of the document as received.")
    claim_text: str = strawberry.field(description="The claim.")
    confidence: float = strawberry.field(description="The confidence of the author, 0 to 1.")
    generated_by: Agent = strawberry.field(description="The author.")
    generation_method: str | None = strawberry.field(
        description="The method by which the claim was made, as stated by the author."
    )
    signature: str = strawberry.field(description="The signature, in base64.")
    key_id: str = strawberry.field(description="The id of the signing key; see `generatedBy.keys`.")
    key_status: KeyTrust = strawberry.field(description="Whether that key is trusted at the statement's log index.")
    generated_at: datetime = strawberry.field(description="The time of making, as stated by the author.")
    received_at: datetime = strawberry.field(description="The time of receipt by this node.")
    log_index: int = strawberry.field(description="The log index of the statement.")
    origin: str | None = strawberry.field(
        description="The log of the peer that the statement was taken from; null for a statement of this log."
    )
    conflicted: bool = strawberry.field(
        description="Whether another statement has the same id; neither can then be verified."
    )
    machine_check: str = strawberry.field(
        description="The result of this node's comparison of the evidence with the source: PASS, FAIL or INCONCLUSIVE."
    )
    stated_hash: strawberry.Private[str]
    found_by_machine: strawberry.Private[str | None]
    evidence_state: EvidenceState = strawberry.field(
        description="The state of the evidence: whether it holds, and whether it can still be compared."
    )
    evidence_decay: EvidenceDecay | None = strawberry.field(
        description="The time and reason of the loss, if evidence that once held can no longer be compared; "
        "otherwise null."
    )
    probe: bool = strawberry.field(
        description="Whether it is a probe: a question of the operator to verifiers, not a claim; see its gold label."
    )
    consensus_score: float = strawberry.field(
        description="The consensus score of the verdicts, 0 to 1; see `consensus`."
    )
    verified: bool = strawberry.field(
        description="Whether threshold and quorum are met and the evidence holds; `standing` has its meaning for "
        "the claim."
    )
    status: StatementStatus = strawberry.field(description="Whether the author has retracted or revised the statement.")
    retraction: Retraction | None = strawberry.field(
        description="The retraction by the author; null if the statement is not retracted."
    )
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
        """Return the key that is unique to this statement."""
        return self.signed_hash

    @resolved
    def statement_id(self) -> strawberry.ID:
        """The same as `id`, under its name in the graph."""
        return self.id

    @resolved_together(content_hashes_of)
    async def content_hash(self, info: Info) -> str:
        """The hash of claim and evidence (A2AP §2.1); "" if a quote is withheld, since it covers hashes of passages."""
        return (await content_hashes_of([self], info))[0]

    @resolved_together(claim_kinds_of)
    async def claim_kind(self, info: Info) -> ClaimKind | None:
        """Whether the claim reports words of somebody, or asserts something itself; null if quotes are hidden.

        A claim that attributes its words ("The Mayor said: …") reports, and so does one that has the words of whole
        sentences of its evidence. Every other claim asserts. It is null if that follows from words of the evidence
        that are withheld from this reader, or not here.
        """
        return (await claim_kinds_of([self], info))[0]

    @resolved
    def speaker(self) -> str | None:
        """The speaker of the attributed words, as the claim names them ("The Mayor said: …"); null if it names none."""
        return speaker_of(self.claim_text)

    @resolved_together(standings_of)
    async def standing(self, info: Info) -> str:
        """The standing in words, with their meaning: "said, as quoted", "holds", or "not verified"."""
        return (await standings_of([self], info))[0]

    @resolved_together(passages_of)
    async def evidence(self, info: Info) -> list[Chunk]:
        """The passages that the statement cites, in its order; `citations` has the quotes and other details."""
        return (await passages_of([self], info))[0]

    @resolved_together(citations_of)
    async def citations(self, info: Info) -> list[Evidence]:
        """The evidence as cited in the statement: quotes, cue times, relevance."""
        return (await citations_of([self], info))[0]

    @resolved
    async def records(self, info: Info) -> list[RecordReference]:
        """The records that the statement was generated by (prov:wasGeneratedBy): its author's runs and events."""
        return await info.context.loaders.records.of_statement(self.signed_hash)

    @resolved_together(verifications_of)
    async def verifications(self, info: Info, first: First = MAX_PAGE) -> list[Verification]:
        """The verdicts on the statement, oldest first, including this node's own check."""
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
        """The verdicts on the statement, page by page, including this node's own check."""
        ordering = Ordering("verifications of a statement", descending=direction is Direction.DESC)
        span = Span.asked(ordering, first, after, last, before)
        return await info.context.loaders.connect_verifications_of(self.signed_hash, span)

    @resolved
    async def challenges(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[Verification]:
        """The verdicts that challenge the statement, oldest first; each has its `challengeState`."""
        span = Span.asked(Ordering("challenges of a statement"), first, after, last, before)
        return await info.context.loaders.checking.connect_challenges_of(self.signed_hash, span)

    @resolved
    async def verification_requests(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[VerificationRequest]:
        """The requests to verify the statement, oldest first."""
        span = Span.asked(Ordering("requests of a statement"), first, after, last, before)
        return await info.context.loaders.connect_requests_of(self.signed_hash, span)

    @resolved
    async def consensus(self, info: Info) -> Consensus:
        """The consensus on the statement, by the policy in force, with the computation of the score."""
        return Consensus.from_computed(await info.context.loaders.consensus_of(self.signed_hash))

    @resolved
    async def machine_reason(self, info: Info) -> str | None:
        """The fault that this node's check found, if any; it may quote the source, and is withheld like a quote."""
        return await info.context.loaders.documents.shown_words(self.signed_hash, self.found_by_machine)

    @resolved
    async def sealed_check(self, info: Info) -> str | None:
        """The outcome of this node's check including closed sources: PASS, FAIL or INCONCLUSIVE.

        Null if it compared no closed source, or if the reader may not read all closed sources. `machineCheck` and all
        scores are derived from public sources alone.
        """
        shown = await info.context.loaders.documents.shown_words(self.signed_hash, self.found_by_machine)
        return sealed_status(shown)

    @resolved
    async def gold_labels(self, info: Info) -> list[GoldLabel]:
        """The gold labels of this node's and of peers' operators, oldest first."""
        return await info.context.loaders.gold.labels_of(self.signed_hash)

    @resolved
    async def supports(self, info: Info) -> list["Statement"]:
        """The statements that it supports, as stated by its author."""
        return await info.context.loaders.references_from(self.signed_hash, "SUPPORTS")

    @resolved
    async def contradicts(self, info: Info) -> list["Statement"]:
        """The statements that it contradicts, as stated by its author."""
        return await info.context.loaders.references_from(self.signed_hash, "CONTRADICTS")

    @resolved
    async def revision_of(self, info: Info) -> "Statement | None":
        """The statement that it revises, as stated by its author."""
        return next(iter(await info.context.loaders.references_from(self.signed_hash, "REVISION_OF")), None)

    @resolved
    async def redactions(self, info: Info) -> list[Redaction]:
        """The redactions of the document, oldest first; the signature remains valid."""
        return await info.context.loaders.documents.redactions_of_message(self.document_hash)

    @resolved
    async def superseded_by(self, info: Info) -> "Statement | None":
        """The last revision by the statement's author, if any."""
        return None if self.successor is None else await info.context.loaders.statement_with(self.successor)

    @resolved
    async def supported_by(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection["Statement"]:
        """The statements that support it, as stated by their authors, oldest first."""
        span = Span.asked(Ordering("support of a statement"), first, after, last, before)
        return await info.context.loaders.connect_references_to(self.signed_hash, "SUPPORTS", span)

    @resolved
    async def contradicted_by(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection["Statement"]:
        """The statements that contradict it, as stated by their authors, oldest first."""
        span = Span.asked(Ordering("contradictors of a statement"), first, after, last, before)
        return await info.context.loaders.connect_references_to(self.signed_hash, "CONTRADICTS", span)

    @resolved
    async def contradictions(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[Dispute]:
        """The disputes that involve it, declared by authors or detected by this node, greatest weight first."""
        span = Span.asked(BY_WEIGHT, first, after, last, before)
        return connect_disputes(span, await info.context.loaders.disputes_of([self.signed_hash]))

    @resolved
    async def corroboration(self, info: Info) -> Corroboration | None:
        """The statements with the same claim in the same words; null if the graph predates claim keys."""
        found = await info.context.loaders.corroboration_of(self.signed_hash)
        return None if found is None else Corroboration.from_counted(found)

    @resolved
    async def revised_by(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection["Statement"]:
        """The statements that revise it, as stated by their authors, oldest first."""
        span = Span.asked(Ordering("revisions of a statement"), first, after, last, before)
        return await info.context.loaders.connect_references_to(self.signed_hash, "REVISION_OF", span)

    @resolved
    async def twins(self, info: Info) -> list["Statement"]:
        """Other statements with the same id, which is derived and not unique; signedHash is unique."""
        others = [name for name in await info.context.loaders.hashes_of(self.id) if name != self.signed_hash]
        return await info.context.loaders.statements_with(others)
