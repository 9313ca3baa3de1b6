"""What can be handed in: each message as its signed text, so that its bytes survive, and the bytes of sources."""

from typing import Annotated

import strawberry

from graph.graphql.computed import compute_consensus, compute_reputation
from graph.graphql.consensus import Consensus
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.message_mutations import MessageMutations
from graph.graphql.record_mutations import RecordMutations
from graph.graphql.reputation import Reputation
from graph.graphql.submission import MAX_DOCUMENTS, SubmissionResult, decode_base64, submit_batch

Documents = Annotated[
    list[str],
    strawberry.argument(description=f"Signed messages of any types, each as it was signed, {MAX_DOCUMENTS} at most."),
]
Contents = Annotated[
    list[str] | None,
    strawberry.argument(description="The bytes, in base64, of passports, packets and their records registered there."),
]


@strawberry.type(description="What can be handed in. A document is the signed JSON-LD text, exactly as it was signed.")
class Mutation(MessageMutations, RecordMutations):
    """The root of all changes."""

    @resolved
    async def submit_batch(
        self, info: Info, documents: Documents, contents: Contents = None
    ) -> list[SubmissionResult | None]:
        """Hand in many messages in order: a result for each, in its place, and a refusal stops none of the others.

        What one needs, as a statement its agent, may be ahead of it in the same call. Errors name the place of a
        document where this node failed, with null for its result: the same may be sent again.
        """
        return await submit_batch(info, documents, [decode_base64(one, "contents") for one in contents or ()])

    compute_consensus: Consensus = strawberry.mutation(
        resolver=compute_consensus,
        description="A2AP §4.3 by the method named, else the policy's; the stored score is kept current anyway.",
    )
    compute_reputation: Reputation = strawberry.mutation(
        resolver=compute_reputation,
        description="A2AP §6.3 by the method named, else the policy's; the stored one is kept current anyway.",
    )
