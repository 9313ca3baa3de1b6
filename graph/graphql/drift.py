"""Two versions of an agent, compared: agreement, calibration and changed verdicts."""

from collections.abc import Collection, Mapping
from hashlib import sha256

import strawberry

from a2ap.messages.verification_response import Verdict
from graph.graphql.agent import Agent
from graph.graphql.arguments import AgentName
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect_known, replaced
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
from graph.graphql.statement import Statement
from graph.graphql.verification import Verification
from graph.lists.cursor import Ordering
from graph.lists.span import MAX_COUNTED, Span
from graph.versions.drift import MAX_STATEMENTS, Against, Pair, changed_verdicts, compare_versions, shared_claims
from graph.versions.drift import Drift as ComputedDrift
from graph.versions.drift import SharedClaim as FoundClaim

show_enum(
    Against,
    {
        "LABELS": "The known outcome of each verdict.",
        "CONSENSUS": "The consensus score of the statement.",
    },
    description="The reference that confidences are compared with.",
)


@strawberry.type(description="The number of statements with this pair of verdicts.")
class VerdictCount:
    """One cell of the table of verdicts."""

    a: Verdict = strawberry.field(description="The verdict of agent `a`.")
    b: Verdict = strawberry.field(description="The verdict of agent `b`.")
    count: int = strawberry.field(description="The number of statements.")


@strawberry.type(
    description="The calibration of an agent: the fit of its confidences with the outcomes, on the statements that "
    "both agents judged."
)
class AgentCalibration:
    """A `graph.versions.agreement.Calibration`."""

    agent: strawberry.ID = strawberry.field(description="The agent with these confidences.")
    against: Against = strawberry.field(description="The reference that the confidences are compared with.")
    n: int = strawberry.field(description="The number of verdicts with a known outcome.")
    brier: float | None = strawberry.field(description="The mean squared error; a constant confidence of 0.5 has 0.25.")
    ece: float | None = strawberry.field(description="The expected calibration error, over ten bins.")


@strawberry.type(
    description="A statement on which the agents conclude differently, each by its last verdict that counts."
)
class ChangedVerdict:
    """A `graph.versions.drift.Pair`."""

    log_index: int = strawberry.field(description="The log index of the statement.")
    statement: Statement = strawberry.field(description="The statement that both agents judged.")
    a: Verification = strawberry.field(description="The last verdict of agent `a` that counts.")
    b: Verification = strawberry.field(description="The last verdict of agent `b` that counts.")


@strawberry.type(description="A claim that both agents have made, in the same words.")
class SharedClaim:
    """A `graph.versions.drift.SharedClaim`."""

    claim: str = strawberry.field(description="The words of the claim.")
    a: Statement = strawberry.field(description="The statement of agent `a`.")
    b: Statement = strawberry.field(description="The statement of agent `b`.")
    same_evidence: bool = strawberry.field(
        description="Whether claim and evidence have the same contentHash; false if that is withheld."
    )

    @classmethod
    def from_found(
        cls, claim: FoundClaim, statements: Mapping[str, Statement], withheld: Collection[str]
    ) -> "SharedClaim":
        """Return a claim as the schema shows it, with its statements by their hashes.

        For `withheld` statements, `same_evidence` is false: this reader may not see all of their evidence.
        """
        a, b = statements[claim.one], statements[claim.other]
        hidden = claim.one in withheld or claim.other in withheld
        return cls(claim=claim.claim, a=a, b=b, same_evidence=claim.same_evidence and not hidden)


@strawberry.type(
    description="A comparison of two agents, such as two versions of one, by the statements that both have judged."
)
class Drift:
    """A `graph.versions.drift.Drift`."""

    a: Agent = strawberry.field(description="The one agent.")
    b: Agent = strawberry.field(description="The other agent.")
    statements: int = strawberry.field(description="The number of statements that both have judged.")
    complete: bool = strawberry.field(description="Whether all of these statements were examined.")
    agreements: int = strawberry.field(description="The number of statements with the same conclusion.")
    kappa: float | None = strawberry.field(
        description="Cohen's kappa: 1 for constant agreement, 0 for agreement no more frequent than by chance."
    )
    counts: list[VerdictCount] = strawberry.field(description="The number of statements for each pair of verdicts.")
    calibration: list[AgentCalibration] = strawberry.field(description="The calibration of each agent.")

    @classmethod
    def from_computed(cls, computed: ComputedDrift, a: Agent, b: Agent) -> "Drift":
        """Return a computed comparison as the schema shows it."""
        return cls(
            a=a,
            b=b,
            statements=computed.statements,
            complete=computed.complete,
            agreements=computed.agreements,
            kappa=computed.kappa,
            counts=[
                VerdictCount(a=one, b=other, count=number) for (one, other), number in sorted(computed.counts.items())
            ],
            calibration=[
                AgentCalibration(agent=agent.id, against=against, n=found.number, brier=found.brier, ece=found.ece)
                for agent, calibrations in zip((a, b), computed.calibrations, strict=True)
                for against, found in calibrations.items()
            ],
        )

    @resolved
    async def changed(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[ChangedVerdict]:
        """The statements with different conclusions, oldest first, among those that were examined."""
        span = Span.asked(Ordering("changed verdicts"), first, after, last, before)
        pairs = await changed_verdicts(info.context.platform.store, self.a.id, self.b.id, first=MAX_STATEMENTS)
        page = connect_known(span, [((pair.log_index,), pair) for pair in pairs])
        shown = {one.log_index: one for one in await _changed(info, [edge.node for edge in page.edges])}
        return replaced(page, lambda pair: shown[pair.log_index])

    @resolved
    async def claims(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[SharedClaim]:
        """The claims that both have made, in order of their words, up to 10,000."""
        span = Span.asked(Ordering("shared claims", (str,)), first, after, last, before)
        found = await shared_claims(info.context.platform.store, self.a.id, self.b.id, first=MAX_COUNTED)
        page = connect_known(span, [((_hash(claim.claim),), claim) for claim in found])
        names = [name for edge in page.edges for name in (edge.node.one, edge.node.other)]
        statements = {one.signed_hash: one for one in await info.context.loaders.statements_with(names)}
        reasons = await info.context.loaders.documents.reasons_withheld_of(names)
        withheld = {name for name, reason in zip(names, reasons, strict=True) if reason is not None}
        return replaced(page, lambda claim: SharedClaim.from_found(claim, statements, withheld))


async def drift(info: Info, a: AgentName, b: AgentName) -> Drift:
    """Compare two agents."""
    computed = await compare_versions(info.context.platform.store, a, b)
    one, other = await info.context.loaders.agents_with([a, b])
    return Drift.from_computed(computed, one, other)


async def _changed(info: Info, pairs: list[Pair]) -> list[ChangedVerdict]:
    loaders = info.context.loaders
    statements = await loaders.statements_with([pair.statement for pair in pairs])
    names = [name for pair in pairs for name in (pair.one.signed_hash, pair.other.signed_hash)]
    rows = await info.context.platform.store.read("verifications_by_hash", hashes=names) if names else []
    found = {verdict.signed_hash: verdict for verdict in await loaders.take_verifications(rows)}
    return [
        ChangedVerdict(
            log_index=pair.log_index,
            statement=statement,
            a=found[pair.one.signed_hash],
            b=found[pair.other.signed_hash],
        )
        for pair, statement in zip(pairs, statements, strict=True)
    ]


def _hash(claim: str) -> str:
    # A claim may be longer than a cursor.
    return sha256(claim.encode()).hexdigest()
