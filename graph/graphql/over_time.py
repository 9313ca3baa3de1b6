"""What the log took in over time, as the schema shows it: one row for each bucket of time, also for empty ones."""

from datetime import datetime
from typing import Annotated

import strawberry

from a2ap.envelope import MessageType
from a2ap.verification_response import Verdict
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.thing import AtSize, size_at
from graph.lists.over_time import Bucket, Counts, Standing, TimeBucket, count_over_time

show_enum(
    TimeBucket,
    {
        "HOUR": "An hour.",
        "DAY": "A day, in UTC.",
        "WEEK": "A week, from Monday on, in UTC.",
        "MONTH": "A month, in UTC.",
    },
    name="TimeBucket",
    description="How long a bucket of time is.",
)


@strawberry.type(description="How many of what the log took in.")
class StatsCounts:
    """`graph.lists.over_time.Counts`."""

    entries: int = strawberry.field(description="Entries of the log, of all types.")
    agents: int = strawberry.field(description="Agents that registered.")
    statements: int = strawberry.field(description="Statements.")
    sources: int = strawberry.field(description="Registrations of sources.")
    records: int = strawberry.field(description="Registrations of passports, packs, packets and what belongs to these.")
    requests: int = strawberry.field(description="Requests to verify a statement.")
    declines: int = strawberry.field(description="Requests that a verifier declined.")
    verdicts: int = strawberry.field(description="Verdicts of agents.")
    validated: int = strawberry.field(description="Verdicts of agents that a statement holds.")
    challenged: int = strawberry.field(description="Verdicts of agents that a statement does not hold.")
    insufficient_evidence: int = strawberry.field(description="Verdicts of agents that it cannot be told.")
    invalid_signature: int = strawberry.field(description="Verdicts of agents that a signature does not hold.")
    machine_verdicts: int = strawberry.field(description="Verdicts of the machine that compares evidence with sources.")
    challenge_answers: int = strawberry.field(description="Answers of authors to challenges.")
    contradictions: int = strawberry.field(description="How often a statement says that it contradicts another.")
    retractions: int = strawberry.field(description="Messages that were taken back.")
    redactions: int = strawberry.field(description="Redactions: what the law took away.")
    endorsements: int = strawberry.field(description="Endorsements of agents.")
    gold_labels: int = strawberry.field(description="Answers that an operator knows.")
    gold_disputes: int = strawberry.field(description="Disputes of such answers.")

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


@strawberry.type(description="How the statements that came in a bucket of time stand now, whenever that was decided.")
class StatsStanding:
    """`graph.lists.over_time.Standing`."""

    verified: int = strawberry.field(description="How many of them are verified now.")
    retracted: int = strawberry.field(description="How many of them are taken back.")
    mean_score: float | None = strawberry.field(description="Their mean score now, 0 to 1; null where there are none.")

    @classmethod
    def from_standing(cls, standing: Standing) -> "StatsStanding":
        """Return a standing as the schema shows it."""
        return cls(verified=standing.verified, retracted=standing.retracted, mean_score=standing.mean_score)


@strawberry.type(description="A bucket of time and what the log took in.")
class StatsBucket:
    """`graph.lists.over_time.Bucket`."""

    start: datetime = strawberry.field(description="When it begins.")
    end: datetime = strawberry.field(description="When the next one begins.")
    counts: StatsCounts = strawberry.field(description="What came in it.")
    total: StatsCounts = strawberry.field(description="What had come by its end, from the first entry of the log on.")
    active_agents: int = strawberry.field(description="How many agents handed in something in it.")
    standing: StatsStanding | None = strawberry.field(
        description="How the statements that came in it stand now; null as of an earlier size of the log, since "
        "nothing keeps how they stood then."
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


@strawberry.type(description="What the log took in over time, by when this node took it in.")
class StatsOverTime:
    """`graph.lists.over_time.OverTime`."""

    as_of: int = strawberry.field(description="The size of the log.")
    before: StatsCounts = strawberry.field(description="What had come before the first bucket.")
    buckets: list[StatsBucket] = strawberry.field(description="The buckets of time, in order, also empty ones.")


async def resolve_stats_over_time(
    info: Info,
    by: Annotated[TimeBucket, strawberry.argument(description="How long each bucket is.")] = TimeBucket.DAY,
    start: Annotated[
        datetime | None,
        strawberry.argument(name="from", description="The first bucket has this time; the log's first without it."),
    ] = None,
    to: Annotated[
        datetime | None,
        strawberry.argument(description="The last bucket ends here or later; with the log's last entry without it."),
    ] = None,
    as_of: AtSize = None,
) -> StatsOverTime:
    """Count what the log took in, in each bucket of time."""
    found = await count_over_time(info.context.platform.store, by, start, to, await size_at(info, as_of))
    info.context.loaders.spend(len(found.buckets))
    return StatsOverTime(
        as_of=found.as_of,
        before=StatsCounts.from_counts(found.before),
        buckets=[StatsBucket.from_bucket(one) for one in found.buckets],
    )
