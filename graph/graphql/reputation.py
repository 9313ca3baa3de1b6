"""Reputations: the values, and the verdicts and estimates that they were computed from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.messages.epoch import Estimate
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect_known
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.interval import Interval
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.scoring.accuracy import accuracy_of
from graph.scoring.reputation import Reputation as ComputedReputation
from graph.scoring.reputation import ReputationMethod, VerdictLabel
from graph.scoring.reputation_parts import without_criterion, without_verdict
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.verification import Verification

LazyVerification = Annotated["Verification", strawberry.lazy("graph.graphql.verification")]

_BY_PLACE = Ordering("contributions to a reputation", (int,), descending=True)
_BY_CRITERION = Ordering("criteria of a reputation", (str,))


@strawberry.type(description="The evidence that a verifier repeats another: the two hardly ever differ.")
class CopyEvidence:
    """An epoch's evidence about a copier and its original."""

    both: int = strawberry.field(description="The number of claims that both have judged.")
    differed: int = strawberry.field(description="The number of these claims on which they differ.")
    expected: float = strawberry.field(
        description="The number of these claims on which two independent verifiers of the same quality would differ; "
        "a shortfall indicates copying."
    )

    @classmethod
    def from_estimate(cls, one: Estimate) -> "CopyEvidence | None":
        """Return the evidence in an estimate, None if it has none."""
        found = one.copied
        return None if found is None else cls(both=found.both, differed=found.differed, expected=found.expected)


@strawberry.type(description="The reliability of a verifier under one criterion, as an epoch estimates it.")
class CriterionReliability:
    """One row of an epoch's table."""

    criterion: str = strawberry.field(description="The criterion.")
    sensitivity: float = strawberry.field(description="The rate at which it passes right claims, 0 to 1.")
    specificity: float = strawberry.field(description="The rate at which it fails wrong claims, 0 to 1.")
    judged: int = strawberry.field(
        description="The number of its verdicts on the criterion that the estimate is based on."
    )
    independence: float = strawberry.field(
        description="The remaining share of its weight, 0 to 1; for a copier, the ratio of `differed` to `expected`."
    )
    copies: strawberry.ID | None = strawberry.field(
        description="The verifier whose verdicts it repeats; null if it repeats none."
    )
    copied: CopyEvidence | None = strawberry.field(
        description="The evidence of copying; null if it repeats none, or in an epoch of an earlier version of the "
        "software."
    )
    coalition: float | None = strawberry.field(
        description="The share of its weight that is removed, 0 to 1, because gold labels found it in a group that "
        "lies together."
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


@strawberry.type(description="The reliability of a verifier over all criteria, as one epoch estimates it.")
class EpochReliability:
    """The rows of a verifier in one epoch's table."""

    epoch: int = strawberry.field(description="The size of the log at the epoch.")
    log_index: int = strawberry.field(description="The log index of the epoch's last part.")
    value: float = strawberry.field(
        description="The mean of sensitivity and specificity, 0 to 1, over the criteria by their judged verdicts."
    )
    interval: Interval | None = strawberry.field(description="The 95 % interval of the value.")
    judged: int = strawberry.field(description="The number of verdicts that the estimate is based on.")
    criteria: list[CriterionReliability] = strawberry.field(description="The estimates, criterion by criterion.")

    @classmethod
    def from_estimates(cls, epoch: int, log_index: int, estimates: Sequence[Estimate]) -> "EpochReliability":
        """Return the reliability that these estimates of one verifier give together."""
        found = accuracy_of(estimates)
        return cls(
            epoch=epoch,
            log_index=log_index,
            value=found.value,
            interval=Interval.of(found.interval95),
            judged=found.judged,
            criteria=[CriterionReliability.from_estimate(one) for one in estimates],
        )


@strawberry.type(
    description="A point of the calibration: a stated confidence and the weight that verdicts of it have earned."
)
class CalibrationPoint:
    """The weight between two points is interpolated linearly."""

    confidence: float = strawberry.field(description="The stated confidence, 0 to 1.")
    weight: float = strawberry.field(description="The earned weight, 0 to 1.")


@strawberry.type(description="The reputation without one of its parts: a verdict, or an epoch's criterion.")
class ReputationContribution:
    """One part: a verdict if verdicts are counted, a criterion if an epoch estimates."""

    criterion: str | None = strawberry.field(
        description="The criterion, if the part is an epoch's estimate; otherwise null."
    )
    judged: int = strawberry.field(description="The number of verdicts in this part; 1 for a verdict.")
    right: bool | None = strawberry.field(description="Whether the verdict turned out right; null for a criterion.")
    without: float | None = strawberry.field(
        description="The reputation without this part; null if no reputation would remain."
    )
    difference: float | None = strawberry.field(
        description="The reputation minus `without`; positive if the part speaks for the verifier."
    )
    verdict: strawberry.Private[str | None]

    @resolved
    async def verification(self, info: Info) -> LazyVerification | None:
        """The verdict, if the part is one."""
        return await info.context.loaders.checking.verdict_with(self.verdict)

    @classmethod
    def of_criterion(cls, one: Estimate, found: ComputedReputation) -> "ReputationContribution":
        """Return the contribution of the estimate under one criterion."""
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
        """Return the contribution of the verdict in a row of `reputation_verdicts_of.cypher` or a similar query."""
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


@strawberry.type(description="A reputation, with the data that it was computed from.")
class Reputation:
    """The result of `graph.scoring.reputation`, for an agent or a family."""

    value: float = strawberry.field(description="The reputation, 0 to 1; 0.5 before any outcome is known.")
    method: str = strawberry.field(description="The method of computation.")
    right: int = strawberry.field(description="The number of verdicts that turned out right.")
    wrong: int = strawberry.field(
        description="The number of verdicts that turned out wrong; under a2ap-0.1, all other verdicts."
    )
    interval: Interval | None = strawberry.field(description="The 95 % interval of the value.")
    interval95: Interval | None = strawberry.field(
        description="The same as `interval`.", deprecation_reason="Use `interval`, as for other scores."
    )
    reason: str = strawberry.field(
        description="An explanation, if the value does not follow from the numbers alone, or its verdicts have "
        "reduced weight."
    )
    judged: int = strawberry.field(description="The number of verdicts that the value is based on.")
    policy_hash: str | None = strawberry.field(
        description="The signed hash of the policy under which the value was computed."
    )
    log_size: int | None = strawberry.field(
        description="The size of the log that the value was computed from; null if the log grew too much during the "
        "computation."
    )
    epoch: int | None = strawberry.field(description="The size of the log at the epoch of the estimate.")
    criteria: list[CriterionReliability] = strawberry.field(
        description="The estimates of an epoch, criterion by criterion."
    )
    calibration: list[CalibrationPoint] = strawberry.field(
        description="The weight of a verdict by its stated confidence, for all verifiers; empty if the weight is the "
        "confidence."
    )
    found: strawberry.Private[ComputedReputation]
    agent_id: strawberry.Private[str | None]
    family_id: strawberry.Private[str | None]

    @resolved
    async def contributions(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[ReputationContribution]:
        """The parts: the verdicts that turned out right or wrong, newest first, or the criteria of an epoch.

        Under a2ap-0.1, all verdicts are parts; for a family, the verdicts of its confirmed versions.
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
