"""The root of subscriptions: requests, verdicts, scores and the log as they grow, written by any server.

Each event is resolved with fresh loaders, like a separate request: nothing is cached between events, and the reader
sees of each event only content within the reader's clearance. Each event has a cursor, after which a subscription can
resume.
"""

from collections.abc import AsyncGenerator

import strawberry

from graph.graphql.subscriptions.log_growth import LogGrowth, follow_log
from graph.graphql.subscriptions.score_changes import ScoreChange, follow_scores
from graph.graphql.subscriptions.verdicts import follow_verdicts
from graph.graphql.subscriptions.verification_requests import follow_requests
from graph.graphql.verification import Verification
from graph.graphql.verification_request import VerificationRequest


@strawberry.type(
    description="Subscriptions, over graphql-transport-ws or as server-sent events. Each event has a cursor in "
    "`extensions.cursor`; `after` resumes behind it."
)
class Subscription:
    """The root of all subscriptions."""

    verification_requests: AsyncGenerator[VerificationRequest, None] = strawberry.subscription(
        resolver=follow_requests,
        description="Requests for verdicts on any of these criteria; omit for all requests.",
    )
    verdicts: AsyncGenerator[Verification, None] = strawberry.subscription(
        resolver=follow_verdicts,
        description="Verdicts on a statement, by its id or its signedHash; omit for all verdicts.",
    )
    score_changes: AsyncGenerator[ScoreChange, None] = strawberry.subscription(
        resolver=follow_scores,
        description=(
            "Changes of the scores of a statement, by id or signedHash, or of the statements about a topic.\n\nA "
            "topic is searched for at most every five seconds, and its best 200 statements are followed. After a "
            "cursor, the first event of a statement gives the change since the statement's last event."
        ),
    )
    log_growth: AsyncGenerator[LogGrowth, None] = strawberry.subscription(
        resolver=follow_log,
        description="The log's size, root and newest checkpoint as it grows, and new entries if requested.",
    )
