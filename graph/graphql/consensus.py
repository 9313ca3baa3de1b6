"""Consensus: the score of a statement, and the data that it was computed from."""

from collections.abc import Sequence
from typing import TypeVar

import strawberry

from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.interval import Interval
from graph.scoring.consensus import Consensus as ComputedConsensus
from graph.scoring.result import Contribution as ComputedContribution
from graph.scoring.result import CriterionConsensus as ComputedCriterion
from graph.scoring.votes import Reading

Listed = TypeVar("Listed")


@strawberry.type(description="The consensus on one criterion.")
class CriterionConsensus:
    """One criterion of the policy."""

    criterion: str = strawberry.field(description="The criterion.")
    score: float = strawberry.field(
        description="The probability that the claim meets the criterion, 0 to 1, or the method's equivalent of it."
    )
    quorum_met: bool = strawberry.field(
        description="Whether verifiers of enough operators, of drawn ones if some are drawn, have passed the criterion."
    )
    interval: Interval | None = strawberry.field(description="The 95 % interval of the score, if known.")
    observed: str | None = strawberry.field(
        description="The source of the known answer, if the answer is known; the score is then that answer."
    )
    carried: float | None = strawberry.field(
        description="The score to which the verdicts carry the claim from even odds, which must reach the threshold "
        "too; null for a method without it."
    )
    computed: strawberry.Private[ComputedCriterion]

    @resolved
    def contested_by(self, info: Info) -> list[strawberry.ID]:
        """The operators for each of which two others must pass the criterion."""
        return [strawberry.ID(name) for name in _spent(info, self.computed.contested_by)]

    @resolved
    def operators_for(self, info: Info) -> list[strawberry.ID]:
        """The operators whose verifiers passed the criterion with some weight."""
        return [strawberry.ID(name) for name in _spent(info, self.computed.operators_for)]

    @resolved
    def operators_against(self, info: Info) -> list[strawberry.ID]:
        """The operators whose verifiers failed the criterion."""
        return [strawberry.ID(name) for name in _spent(info, self.computed.operators_against)]

    @resolved
    def volunteers(self, info: Info) -> list[strawberry.ID]:
        """The operators whose verifiers passed the criterion without being drawn: they complete no quorum."""
        return [strawberry.ID(name) for name in _spent(info, self.computed.volunteers)]

    @classmethod
    def from_computed(cls, entry: ComputedCriterion) -> "CriterionConsensus":
        """Return a computed criterion as the schema shows it."""
        return cls(
            criterion=entry.criterion,
            score=entry.score,
            quorum_met=entry.quorum_met,
            interval=Interval.of(entry.interval),
            observed=entry.observed or None,
            carried=entry.carried,
            computed=entry,
        )


@strawberry.type(description="The score that would result without one verifier.")
class Contribution:
    """A verifier with a verdict that counts."""

    agent: strawberry.ID = strawberry.field(description="The verifier.")
    without: float = strawberry.field(description="The score without this verifier.")
    difference: float = strawberry.field(
        description="The score minus `without`; positive if the verifier speaks for the claim."
    )

    @classmethod
    def from_computed(cls, one: ComputedContribution, score: float) -> "Contribution":
        """Return a computed contribution as the schema shows it."""
        return cls(agent=strawberry.ID(one.verifier), without=one.without, difference=score - one.without)


@strawberry.type(description="The answer of a verdict under one criterion.")
class Answer:
    """One answer of a verdict, after the rules of its column."""

    criterion: str = strawberry.field(description="The criterion.")
    status: str = strawberry.field(description="PASS, FAIL or INCONCLUSIVE.")
    confidence: float = strawberry.field(description="The confidence of the verifier, 0 to 1.")
    stands: bool = strawberry.field(description="Whether it is this verifier's current answer, and counts.")


@strawberry.type(
    description="The reading of one verdict: its column, its meaning for the claim, the reason if it does not count."
)
class VerdictReading:
    """One verdict of a statement, in log order."""

    verifier: strawberry.ID = strawberry.field(description="The verifier.")
    log_index: int = strawberry.field(description="The log index of the verdict.")
    verdict: str = strawberry.field(
        description="The column of the verdict: VALIDATED, CHALLENGED, INSUFFICIENT_EVIDENCE, …"
    )
    meaning: str = strawberry.field(description="The meaning of this column for the claim.")
    answers: list[Answer] = strawberry.field(description="The answers, criterion by criterion.")
    ignored: str | None = strawberry.field(description="The reason if the verdict has no weight, otherwise null.")
    not_drawn: str | None = strawberry.field(
        description="The reason why a PASS of it completes no quorum: its operator is not drawn; otherwise null."
    )

    @classmethod
    def from_computed(cls, reading: Reading) -> "VerdictReading":
        """Return a computed reading as the schema shows it."""
        return cls(
            verifier=strawberry.ID(reading.verifier),
            log_index=reading.log_index,
            verdict=reading.verdict.value,
            meaning=reading.meaning,
            answers=[
                Answer(criterion=name, status=status.value, confidence=sure, stands=name in reading.stands)
                for name, status, sure in reading.answers
            ],
            ignored=reading.ignored or None,
            not_drawn=reading.not_drawn or None,
        )


@strawberry.type(description="A verdict that does not count.")
class IgnoredVerdict:
    """A verifier and the reason why its verdict has no weight."""

    verifier: strawberry.ID = strawberry.field(description="The verifier.")
    reason: str = strawberry.field(description="The reason why the verdict has no weight.")


@strawberry.type(description="The consensus of the verdicts on a statement.")
class Consensus:
    """The result of `graph.scoring.consensus`; its growing lists are made, and counted, on request."""

    score: float = strawberry.field(
        description="The score of the worst criterion, 0 to 1; 0 until a verifier passes a criterion (A2AP §4.3)."
    )
    judged: bool = strawberry.field(
        description="Whether a verdict counts, or the answer to a criterion is known; if not, the score is 0 because "
        "nothing is known yet."
    )
    verified: bool = strawberry.field(
        description="Whether the score reaches the threshold and the quorum, the gate is open and nothing "
        "contradicts the statement."
    )
    method: str = strawberry.field(description="The method of computation.")
    reasons: list[str] = strawberry.field(
        description="The reasons why the statement is not verified, or remarks on the score."
    )
    per_criterion: list[CriterionConsensus] = strawberry.field(
        description="The consensus on each criterion of the policy."
    )
    published: str = strawberry.field(description="The score to four decimals, as reproduced by `a2ap log replay`.")
    interval: Interval | None = strawberry.field(description="The 95 % interval of the score.")
    operators: int = strawberry.field(
        description="The number of independent operators that stand behind the score: those whose verifiers passed "
        "the criterion that fewest passed."
    )
    quorum: bool = strawberry.field(description="Whether verifiers of enough operators have passed each criterion.")
    policy_hash: str | None = strawberry.field(
        description="The signed hash of the policy under which the score was computed."
    )
    log_size: int | None = strawberry.field(
        description="The size of the log that the score was computed from; null if the log grew too much during the "
        "computation."
    )
    epoch: int | None = strawberry.field(description="The size of the log at the epoch of the reliabilities used.")
    computed: strawberry.Private[ComputedConsensus]

    @resolved
    def counted(self, info: Info) -> list[strawberry.ID]:
        """The verifiers with a verdict that counts."""
        return [strawberry.ID(name) for name in _spent(info, self.computed.counted)]

    @resolved
    def ignored(self, info: Info) -> list[IgnoredVerdict]:
        """The verdicts without weight, with the reason."""
        found = _spent(info, self.computed.ignored)
        return [IgnoredVerdict(verifier=strawberry.ID(name), reason=why) for name, why in found]

    @resolved
    def contributions(self, info: Info) -> list[Contribution]:
        """The score without each verifier."""
        found = _spent(info, self.computed.contributions)
        return [Contribution.from_computed(one, self.computed.score) for one in found]

    @resolved
    def readings(self, info: Info) -> list[VerdictReading]:
        """The readings of the verdicts, in log order."""
        return [VerdictReading.from_computed(reading) for reading in _spent(info, self.computed.readings)]

    @classmethod
    def from_computed(cls, computed: ComputedConsensus) -> "Consensus":
        """Return a computed consensus as the schema shows it."""
        return cls(
            score=computed.score,
            judged=computed.is_judged,
            verified=computed.verified,
            method=computed.method.value,
            reasons=list(computed.reasons),
            per_criterion=[CriterionConsensus.from_computed(entry) for entry in computed.per_criterion],
            published=computed.published,
            interval=Interval.of(computed.interval),
            operators=computed.operators,
            quorum=bool(computed.per_criterion) and all(entry.quorum_met for entry in computed.per_criterion),
            policy_hash=computed.policy_hash or None,
            log_size=computed.log_size,
            epoch=computed.epoch,
            computed=computed,
        )


def _spent(info: Info, listed: Sequence[Listed]) -> Sequence[Listed]:
    """Return a list, after counting its entries as objects of the answer; raise `TooLargeError` for too many."""
    info.context.loaders.spend(len(listed))
    return listed
