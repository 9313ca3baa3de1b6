"""Consensus as the schema shows it: the score of a statement, and what it was computed from."""

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
        description="The probability that the claim meets it, 0 to 1, or what the method has for one."
    )
    quorum_met: bool = strawberry.field(description="Whether verifiers of enough operators have passed it.")
    interval: Interval | None = strawberry.field(description="Where it lies with a probability of 95 %, if known.")
    observed: str | None = strawberry.field(description="Who knows the answer, where somebody does; it is the score.")
    computed: strawberry.Private[ComputedCriterion]

    @resolved
    def operators_for(self, info: Info) -> list[strawberry.ID]:
        """Whose verifiers passed it, and with some weight."""
        return [strawberry.ID(name) for name in _spent(info, self.computed.operators_for)]

    @resolved
    def operators_against(self, info: Info) -> list[strawberry.ID]:
        """Whose verifiers failed it."""
        return [strawberry.ID(name) for name in _spent(info, self.computed.operators_against)]

    @classmethod
    def from_computed(cls, entry: ComputedCriterion) -> "CriterionConsensus":
        """Return what was computed as the schema shows it."""
        return cls(
            criterion=entry.criterion,
            score=entry.score,
            quorum_met=entry.quorum_met,
            interval=Interval.of(entry.interval),
            observed=entry.observed or None,
            computed=entry,
        )


@strawberry.type(description="What the score would be without one verifier.")
class Contribution:
    """One verifier whose verdict counts."""

    agent: strawberry.ID = strawberry.field(description="The verifier.")
    without: float = strawberry.field(description="The score without this verifier.")
    difference: float = strawberry.field(description="The score less that: above 0 for who speaks for the claim.")

    @classmethod
    def from_computed(cls, one: ComputedContribution, score: float) -> "Contribution":
        """Return what was computed as the schema shows it."""
        return cls(agent=strawberry.ID(one.verifier), without=one.without, difference=score - one.without)


@strawberry.type(description="What a verdict says under one criterion.")
class Answer:
    """One answer of a verdict, after the rules of its column."""

    criterion: str = strawberry.field(description="The criterion.")
    status: str = strawberry.field(description="PASS, FAIL or INCONCLUSIVE.")
    confidence: float = strawberry.field(description="How sure the verifier is, 0 to 1.")
    stands: bool = strawberry.field(description="Whether it is this verifier's answer now, and counts.")


@strawberry.type(description="How one verdict was read: its column, what it says of the claim, why it does not count.")
class VerdictReading:
    """One verdict of a statement, in log order."""

    verifier: strawberry.ID = strawberry.field(description="Who gave the verdict.")
    log_index: int = strawberry.field(description="Its place in the log.")
    verdict: str = strawberry.field(description="Its column: VALIDATED, CHALLENGED, INSUFFICIENT_EVIDENCE, …")
    meaning: str = strawberry.field(description="What a verdict of this column says of the claim.")
    answers: list[Answer] = strawberry.field(description="What it says, criterion by criterion.")
    ignored: str | None = strawberry.field(description="Why it weighs nothing, where that is so.")

    @classmethod
    def from_computed(cls, reading: Reading) -> "VerdictReading":
        """Return what was computed as the schema shows it."""
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
        )


@strawberry.type(description="A verdict that does not count.")
class IgnoredVerdict:
    """A verifier and why its verdict weighs nothing."""

    verifier: strawberry.ID = strawberry.field(description="Who gave the verdict.")
    reason: str = strawberry.field(description="Why it weighs nothing.")


@strawberry.type(description="What the verdicts on a statement amount to.")
class Consensus:
    """What `graph.scoring.consensus` computes; its lists that grow are made, and counted, when they are asked for."""

    score: float = strawberry.field(
        description="That of its worst criterion, 0 to 1; 0 until somebody passes something (A2AP §4.3)."
    )
    verified: bool = strawberry.field(
        description="Whether it reaches the threshold and the quorum, the gate is open and nothing stands against it."
    )
    method: str = strawberry.field(description="The method by which it was computed.")
    reasons: list[str] = strawberry.field(description="Why it is not verified, or what is odd about the score.")
    per_criterion: list[CriterionConsensus] = strawberry.field(description="The same for each criterion of the policy.")
    published: str = strawberry.field(description="The score in four decimals, as `a2ap replay` gives it again.")
    interval: Interval | None = strawberry.field(description="Where the score lies with a probability of 95 %.")
    quorum: bool = strawberry.field(description="Whether each criterion has been passed by enough operators.")
    policy_hash: str | None = strawberry.field(description="The policy that it was computed under, by its hash.")
    log_size: int | None = strawberry.field(
        description="The size of the log that it was computed from; absent where too much came meanwhile."
    )
    epoch: int | None = strawberry.field(description="The size of the log that the reliabilities in it are of.")
    computed: strawberry.Private[ComputedConsensus]

    @resolved
    def counted(self, info: Info) -> list[strawberry.ID]:
        """The verifiers whose verdicts count."""
        return [strawberry.ID(name) for name in _spent(info, self.computed.counted)]

    @resolved
    def ignored(self, info: Info) -> list[IgnoredVerdict]:
        """The verdicts that weigh nothing, and why."""
        found = _spent(info, self.computed.ignored)
        return [IgnoredVerdict(verifier=strawberry.ID(name), reason=why) for name, why in found]

    @resolved
    def contributions(self, info: Info) -> list[Contribution]:
        """What it would be without each verifier."""
        found = _spent(info, self.computed.contributions)
        return [Contribution.from_computed(one, self.computed.score) for one in found]

    @resolved
    def readings(self, info: Info) -> list[VerdictReading]:
        """How each verdict was read, in log order."""
        return [VerdictReading.from_computed(reading) for reading in _spent(info, self.computed.readings)]

    @classmethod
    def from_computed(cls, computed: ComputedConsensus) -> "Consensus":
        """Return what was computed as the schema shows it."""
        return cls(
            score=computed.score,
            verified=computed.verified,
            method=computed.method.value,
            reasons=list(computed.reasons),
            per_criterion=[CriterionConsensus.from_computed(entry) for entry in computed.per_criterion],
            published=computed.published,
            interval=Interval.of(computed.interval),
            quorum=bool(computed.per_criterion) and all(entry.quorum_met for entry in computed.per_criterion),
            policy_hash=computed.policy_hash or None,
            log_size=computed.log_size,
            epoch=computed.epoch,
            computed=computed,
        )


def _spent(info: Info, listed: Sequence[Listed]) -> Sequence[Listed]:
    """Return a list whose entries were counted as objects of the answer; raise `TooLargeError` for too many."""
    info.context.loaders.spend(len(listed))
    return listed
