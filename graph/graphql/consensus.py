"""Consensus as the schema shows it: the score of a statement, and what it was computed from."""

import strawberry

from graph.graphql.interval import Interval
from graph.scoring.consensus import Consensus as ComputedConsensus
from graph.scoring.result import Contribution as ComputedContribution
from graph.scoring.result import CriterionConsensus as ComputedCriterion
from graph.scoring.votes import Reading


@strawberry.type(description="The consensus on one criterion.")
class CriterionConsensus:
    """One criterion of the policy."""

    criterion: str = strawberry.field(description="The criterion.")
    score: float = strawberry.field(
        description="The probability that the claim meets it, 0 to 1, or what the method has for one."
    )
    quorum_met: bool = strawberry.field(description="Whether verifiers of enough operators have passed it.")
    operators_for: list[strawberry.ID] = strawberry.field(
        description="Whose verifiers passed it, and with some weight."
    )
    operators_against: list[strawberry.ID] = strawberry.field(description="Whose verifiers failed it.")
    interval: Interval | None = strawberry.field(description="Where it lies with a probability of 95 %, if known.")
    observed: str | None = strawberry.field(description="Who knows the answer, where somebody does; it is the score.")

    @classmethod
    def from_computed(cls, entry: ComputedCriterion) -> "CriterionConsensus":
        """Return what was computed as the schema shows it."""
        return cls(
            criterion=entry.criterion,
            score=entry.score,
            quorum_met=entry.quorum_met,
            operators_for=[strawberry.ID(name) for name in entry.operators_for],
            operators_against=[strawberry.ID(name) for name in entry.operators_against],
            interval=Interval.of(entry.interval),
            observed=entry.observed or None,
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
    """What `graph.scoring.consensus` computes."""

    score: float = strawberry.field(
        description="That of its worst criterion, 0 to 1; 0 until somebody passes something (A2AP §4.3)."
    )
    verified: bool = strawberry.field(
        description="Whether it reaches the threshold and the quorum, the gate is open and nothing stands against it."
    )
    method: str = strawberry.field(description="The method by which it was computed.")
    reasons: list[str] = strawberry.field(description="Why it is not verified, or what is odd about the score.")
    per_criterion: list[CriterionConsensus] = strawberry.field(description="The same for each criterion of the policy.")
    counted: list[strawberry.ID] = strawberry.field(description="The verifiers whose verdicts count.")
    ignored: list[IgnoredVerdict] = strawberry.field(description="The verdicts that weigh nothing, and why.")
    published: str = strawberry.field(description="The score in four decimals, as `a2ap replay` gives it again.")
    interval: Interval | None = strawberry.field(description="Where the score lies with a probability of 95 %.")
    quorum: bool = strawberry.field(description="Whether each criterion has been passed by enough operators.")
    contributions: list[Contribution] = strawberry.field(description="What it would be without each verifier.")
    readings: list[VerdictReading] = strawberry.field(description="How each verdict was read, in log order.")
    policy_hash: str | None = strawberry.field(description="The policy that it was computed under, by its hash.")
    log_size: int | None = strawberry.field(
        description="The size of the log that it was computed from; absent where too much came meanwhile."
    )
    epoch: int | None = strawberry.field(description="The size of the log that the reliabilities in it are of.")

    @classmethod
    def from_computed(cls, computed: ComputedConsensus) -> "Consensus":
        """Return what was computed as the schema shows it."""
        return cls(
            score=computed.score,
            verified=computed.verified,
            method=computed.method.value,
            reasons=list(computed.reasons),
            per_criterion=[CriterionConsensus.from_computed(entry) for entry in computed.per_criterion],
            counted=[strawberry.ID(name) for name in computed.counted],
            ignored=[IgnoredVerdict(verifier=strawberry.ID(name), reason=why) for name, why in computed.ignored],
            published=computed.published,
            interval=Interval.of(computed.interval),
            quorum=bool(computed.per_criterion) and all(entry.quorum_met for entry in computed.per_criterion),
            contributions=[Contribution.from_computed(one, computed.score) for one in computed.contributions],
            readings=[VerdictReading.from_computed(reading) for reading in computed.readings],
            policy_hash=computed.policy_hash or None,
            log_size=computed.log_size,
            epoch=computed.epoch,
        )
