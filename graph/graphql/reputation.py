"""Reputations as the schema shows them: how well verdicts have turned out, and what that was computed from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.epoch import Estimate
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect_known
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.interval import Interval
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.scoring.reputation import Reputation as ComputedReputation
from graph.scoring.reputation import ReputationMethod, VerdictLabel
from graph.scoring.reputation_parts import without_criterion, without_verdict
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.verification import Verification

LazyVerification = Annotated["Verification", strawberry.lazy("graph.graphql.verification")]

_BY_PLACE = Ordering("contributions to a reputation", (int,), descending=True)
_BY_CRITERION = Ordering("criteria of a reputation", (str,))


@strawberry.type(description="By what a verifier was found to repeat another: that they hardly ever differ.")
class CopyEvidence:
    """What an epoch says of a copier and its original."""

    both: int = strawberry.field(description="How many claims both have judged.")
    differed: int = strawberry.field(description="On how many of these they differ.")
    expected: float = strawberry.field(
        description="On how many two that are as good and independent would differ; what is missing is not its own."
    )

    @classmethod
    def from_estimate(cls, one: Estimate) -> "CopyEvidence | None":
        """Return the evidence that an estimate has, if it has any."""
        found = one.copied
        return None if found is None else cls(both=found.both, differed=found.differed, expected=found.expected)


@strawberry.type(description="How reliable a verifier is under one criterion, as an epoch estimates it.")
class CriterionReliability:
    """One row of an epoch's table."""

    criterion: str = strawberry.field(description="The criterion.")
    sensitivity: float = strawberry.field(description="How often it passes what is right.")
    specificity: float = strawberry.field(description="How often it fails what is wrong.")
    judged: int = strawberry.field(description="How many of its verdicts on it went in.")
    independence: float = strawberry.field(
        description="What is left of its weight, 0 to 1: of a copier, what `differed` is of what was `expected`."
    )
    copies: strawberry.ID | None = strawberry.field(description="Whose verdicts it repeats, where it does.")
    copied: CopyEvidence | None = strawberry.field(
        description="By what that was found; null where an epoch of an earlier node does not say it."
    )
    coalition: float | None = strawberry.field(
        description="By how much it is silenced, 0 to 1, as one of those that gold found to lie together."
    )

    @classmethod
    def from_estimate(cls, one: Estimate) -> "CriterionReliability":
        """Return the means of an estimate."""
        return cls(
            criterion=one.criterion,
            sensitivity=one.sensitivity[0] / sum(one.sensitivity),
            specificity=one.specificity[0] / sum(one.specificity),
            judged=one.judged,
            independence=one.independence,
            copies=None if one.copies is None else strawberry.ID(one.copies),
            copied=CopyEvidence.from_estimate(one),
            coalition=one.coalition,
        )


@strawberry.type(description="What a verdict of a stated confidence turned out to deserve.")
class CalibrationPoint:
    """Between two points the weight is on the line between them."""

    confidence: float = strawberry.field(description="The confidence that is stated, 0 to 1.")
    weight: float = strawberry.field(description="What it deserves, 0 to 1.")


@strawberry.type(description="What a reputation would be without one of its parts: a verdict, or an epoch's criterion.")
class ReputationContribution:
    """One part, which is a verdict where verdicts are counted, and a criterion where an epoch estimates."""

    criterion: str | None = strawberry.field(description="The criterion, where the part is what an epoch says of one.")
    judged: int = strawberry.field(description="How many verdicts are in this part; 1 where it is a verdict.")
    right: bool | None = strawberry.field(description="Whether the verdict turned out right; null for a criterion.")
    without: float | None = strawberry.field(
        description="The reputation without this part; null where there would be none."
    )
    difference: float | None = strawberry.field(
        description="The reputation less that: above 0 for what speaks for the verifier."
    )
    verdict: strawberry.Private[str | None]

    @resolved
    async def verification(self, info: Info) -> LazyVerification | None:
        """The verdict, where the part is one."""
        return await info.context.loaders.checking.verdict_with(self.verdict)

    @classmethod
    def of_criterion(cls, one: Estimate, found: ComputedReputation) -> "ReputationContribution":
        """Return what the estimate under one criterion contributes."""
        without = without_criterion(found, one.criterion)
        return cls(
            criterion=one.criterion,
            judged=one.judged,
            right=None,
            without=without,
            difference=None if without is None else found.value - without,
            verdict=None,
        )

    @classmethod
    def from_row(cls, row: Row, found: ComputedReputation) -> "ReputationContribution":
        """Return what the verdict of a row of `reputation_verdicts_of.cypher` and its like contributes."""
        right = row["label"] == VerdictLabel.RIGHT
        without = without_verdict(found, right=right)
        return cls(
            criterion=None,
            judged=1,
            right=right,
            without=without,
            difference=None if without is None else found.value - without,
            verdict=row["signed_hash"],
        )


@strawberry.type(description="A reputation, and what it was computed from.")
class Reputation:
    """What `graph.scoring.reputation` computes, of an agent or of a family."""

    value: float = strawberry.field(description="From 0 to 1; one half before anything is known.")
    method: str = strawberry.field(description="The method by which it was computed.")
    right: int = strawberry.field(description="Verdicts that turned out right.")
    wrong: int = strawberry.field(description="Verdicts that turned out wrong; under a2ap-0.1 all others.")
    interval: Interval | None = strawberry.field(description="Where the value lies with a probability of 95 %.")
    interval95: Interval | None = strawberry.field(
        description="The same as `interval`.", deprecation_reason="It is `interval`, as that of other scores."
    )
    reason: str = strawberry.field(
        description="Sentences where the value is not what the numbers alone would say, or its verdicts weigh less."
    )
    judged: int = strawberry.field(description="How many of its verdicts went in.")
    policy_hash: str | None = strawberry.field(description="The policy that it was computed under, by its hash.")
    log_size: int | None = strawberry.field(
        description="The size of the log that it was computed from; absent where too much came meanwhile."
    )
    epoch: int | None = strawberry.field(description="The size of the log that it was estimated at, by an epoch.")
    criteria: list[CriterionReliability] = strawberry.field(description="What an epoch says, criterion by criterion.")
    calibration: list[CalibrationPoint] = strawberry.field(
        description="What a verdict weighs by its stated confidence, for all verifiers; none where it weighs that."
    )
    found: strawberry.Private[ComputedReputation]
    agent_id: strawberry.Private[str | None]
    family_id: strawberry.Private[str | None]

    @resolved
    async def contributions(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[ReputationContribution]:
        """What it is made of: the verdicts that turned out right or wrong, newest first, or the criteria of an epoch.

        Under a2ap-0.1 it is made of all verdicts, and of a family of those of its confirmed versions.
        """
        if self.found.method is ReputationMethod.RELIABILITY:
            span = Span.asked(_BY_CRITERION, first, after, last, before)
            parts = [ReputationContribution.of_criterion(one, self.found) for one in self.found.estimates]
            info.context.loaders.spend(len(parts))
            return connect_known(span, [((one.criterion or "",), one) for one in parts])
        span = Span.asked(_BY_PLACE, first, after, last, before)
        return await info.context.loaders.reputations.connect_verdicts(self, span, self._shown)

    async def _shown(self, rows: Sequence[Row]) -> list[ReputationContribution]:
        return [ReputationContribution.from_row(row, self.found) for row in rows]

    @classmethod
    def from_computed(
        cls, computed: ComputedReputation, *, agent: str | None = None, family: str | None = None
    ) -> "Reputation":
        """Return the reputation of an agent, or of a family, as the schema shows it."""
        interval = Interval.of(computed.interval95)
        return cls(
            value=computed.value,
            method=computed.method.value,
            right=computed.right,
            wrong=computed.wrong,
            interval=interval,
            interval95=interval,
            reason=computed.reason,
            judged=computed.right + computed.wrong if computed.judged is None else computed.judged,
            policy_hash=computed.policy_hash,
            log_size=computed.log_size,
            epoch=computed.epoch,
            criteria=[CriterionReliability.from_estimate(one) for one in computed.estimates],
            calibration=[CalibrationPoint(confidence=sure, weight=weight) for sure, weight in computed.calibration],
            found=computed,
            agent_id=agent,
            family_id=family,
        )
