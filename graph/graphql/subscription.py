"""What can be waited for: requests, verdicts, scores and the log itself, as it grows, by whichever server.

Each event is resolved with fresh loaders, as a request of its own would be: nothing is remembered from one to the next,
and a reader sees of each what this reader may see. Each has a cursor, and each subscription goes on behind one.
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
    description="What can be waited for, over graphql-transport-ws or as server-sent events. Each has a cursor in "
    "`extensions.cursor`, behind which `after` goes on."
)
class Subscription:
    """The root of all subscriptions."""

    verification_requests: AsyncGenerator[VerificationRequest, None] = strawberry.subscription(
        resolver=follow_requests,
        description="Requests for verdicts on any of these criteria, on all where none are named.",
    )
    verdicts: AsyncGenerator[Verification, None] = strawberry.subscription(
        resolver=follow_verdicts,
        description="Verdicts on a statement, by its id or its signedHash; on all without one.",
    )
    score_changes: AsyncGenerator[ScoreChange, None] = strawberry.subscription(
        resolver=follow_scores,
        description=(
            "Changes of the scores of a statement, by id or signedHash, or of those about a topic.\n\n"
            "A topic is searched for every five seconds at most, and its best 200 statements are followed. Behind a "
            "cursor, the first event of a statement says what has changed since it was last told of."
        ),
    )
    log_growth: AsyncGenerator[LogGrowth, None] = strawberry.subscription(
        resolver=follow_log,
        description="The log's size, root and newest checkpoint as it grows, and new entries where they are wanted.",
    )
