"""The growth of the log over time: one row for each bucket of time, including empty buckets."""

from datetime import datetime
from typing import Annotated

import strawberry

from a2ap.messages.envelope import MessageType
from a2ap.messages.verification_response import Verdict
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.thing import AtSize, size_at
from graph.lists.over_time import Bucket, Counts, Standing, TimeBucket, count_over_time

show_enum(
    TimeBucket,
    {
        "HOUR": "One hour.",
        "DAY": "One day, in UTC.",
        "WEEK": "One week from Monday on, in UTC.",
        "MONTH": "One month, in UTC.",
    },
    name="TimeBucket",
    description="The length of a bucket of time.",
)


@strawberry.type(description="Numbers of entries that the log took in, by kind.")
class StatsCounts:
    """`graph.lists.over_time.Counts`."""

    entries: int = strawberry.field(description="Entries of the log, of all types.")
    agents: int = strawberry.field(description="Registrations of agents.")
    statements: int = strawberry.field(description="Statements.")
    sources: int = strawberry.field(description="Registrations of sources.")
    records: int = strawberry.field(
        description="Registrations of passports, packs, packets and the records about packets."
    )
    requests: int = strawberry.field(description="Requests to verify a statement.")
    declines: int = strawberry.field(description="Declines of verification requests.")
    verdicts: int = strawberry.field(description="Verdicts of agents.")
    validated: int = strawberry.field(description="Verdicts VALIDATED of agents.")
    challenged: int = strawberry.field(description="Verdicts CHALLENGED of agents.")
    insufficient_evidence: int = strawberry.field(description="Verdicts INSUFFICIENT_EVIDENCE of agents.")
    invalid_signature: int = strawberry.field(description="Verdicts INVALID_SIGNATURE of agents.")
    machine_verdicts: int = strawberry.field(description="Verdicts of the machine that compares evidence with sources.")
    challenge_answers: int = strawberry.field(description="Answers of authors to challenges.")
    contradictions: int = strawberry.field(
        description="Declarations in statements that they contradict another statement."
    )
    retractions: int = strawberry.field(description="Retractions of messages.")
    redactions: int = strawberry.field(description="Redactions: erasures under law.")
    endorsements: int = strawberry.field(description="Endorsements of agents.")
    gold_labels: int = strawberry.field(description="Gold labels: known answers of an operator.")
    gold_disputes: int = strawberry.field(description="Disputes of gold labels.")

    @classmethod
    def from_counts(cls, counts: Counts) -> "StatsCounts":
        """Return counts as the schema shows them."""
        entries, verdicts = counts.entries, counts.verdicts
        return cls(
            entries=sum(entries.values()),
            agents=entries.get(MessageType.AGENT_REGISTRATION, 0),
            statements=entries.get(MessageType.STATEMENT, 0),
            sources=entries.get(MessageType.SOURCE_REGISTRATION, 0),
            records=entries.get(MessageType.RECORD_REGISTRATION, 0),
            requests=entries.get(MessageType.VERIFICATION_REQUEST, 0),
            declines=entries.get(MessageType.VERIFICATION_DECLINE, 0),
            verdicts=sum(verdicts.values()),
            validated=verdicts.get(Verdict.VALIDATED, 0),
            challenged=verdicts.get(Verdict.CHALLENGED, 0),
            insufficient_evidence=verdicts.get(Verdict.INSUFFICIENT_EVIDENCE, 0),
            invalid_signature=verdicts.get(Verdict.INVALID_SIGNATURE, 0),
            machine_verdicts=counts.machine_verdicts,
            challenge_answers=entries.get(MessageType.CHALLENGE_ANSWER, 0),
            contradictions=counts.contradictions,
            retractions=entries.get(MessageType.RETRACTION, 0),
            redactions=entries.get(MessageType.REDACTION, 0),
            endorsements=entries.get(MessageType.ENDORSEMENT, 0),
            gold_labels=entries.get(MessageType.GOLD_LABEL, 0),
            gold_disputes=entries.get(MessageType.GOLD_DISPUTE, 0),
        )


@strawberry.type(description="The current standing of the statements received in a bucket of time.")
class StatsStanding:
    """`graph.lists.over_time.Standing`."""

    verified: int = strawberry.field(description="The number of these statements that are now verified.")
    retracted: int = strawberry.field(description="The number of these statements that are retracted.")
    mean_score: float | None = strawberry.field(
        description="The mean of their current scores, 0 to 1; null without statements."
    )

    @classmethod
    def from_standing(cls, standing: Standing) -> "StatsStanding":
        """Return a standing as the schema shows it."""
        return cls(verified=standing.verified, retracted=standing.retracted, mean_score=standing.mean_score)


@strawberry.type(description="A bucket of time and its counts.")
class StatsBucket:
    """`graph.lists.over_time.Bucket`."""

    start: datetime = strawberry.field(description="The start of the bucket.")
    end: datetime = strawberry.field(description="The start of the next bucket.")
    counts: StatsCounts = strawberry.field(description="The counts within the bucket.")
    total: StatsCounts = strawberry.field(
        description="The counts from the first entry of the log to the end of the bucket."
    )
    active_agents: int = strawberry.field(description="The number of agents with a submission in the bucket.")
    standing: StatsStanding | None = strawberry.field(
        description="The current standing of the statements received in the bucket; null as of an earlier size of "
        "the log, since past standings are not stored."
    )

    @classmethod
    def from_bucket(cls, bucket: Bucket) -> "StatsBucket":
        """Return a bucket as the schema shows it."""
        return cls(
            start=bucket.start,
            end=bucket.end,
            counts=StatsCounts.from_counts(bucket.counts),
            total=StatsCounts.from_counts(bucket.total),
            active_agents=bucket.active_agents,
            standing=None if bucket.standing is None else StatsStanding.from_standing(bucket.standing),
        )


@strawberry.type(description="The growth of the log over time, by time of receipt by this node.")
class StatsOverTime:
    """`graph.lists.over_time.OverTime`."""

    as_of: int = strawberry.field(description="The size of the log.")
    before: StatsCounts = strawberry.field(description="The counts before the first bucket.")
    buckets: list[StatsBucket] = strawberry.field(description="The buckets in order, including empty buckets.")


async def resolve_stats_over_time(
    info: Info,
    by: Annotated[TimeBucket, strawberry.argument(description="The length of each bucket.")] = TimeBucket.DAY,
    start: Annotated[
        datetime | None,
        strawberry.argument(
            name="from", description="A time in the first bucket; the time of the log's first entry if omitted."
        ),
    ] = None,
    to: Annotated[
        datetime | None,
        strawberry.argument(
            description="A time that the last bucket reaches; the time of the log's last entry if omitted."
        ),
    ] = None,
    as_of: AtSize = None,
) -> StatsOverTime:
    """Count the entries of the log in each bucket of time."""
    found = await count_over_time(info.context.platform.store, by, start, to, await size_at(info, as_of))
    info.context.loaders.spend(len(found.buckets))
    return StatsOverTime(
        as_of=found.as_of,
        before=StatsCounts.from_counts(found.before),
        buckets=[StatsBucket.from_bucket(one) for one in found.buckets],
    )
