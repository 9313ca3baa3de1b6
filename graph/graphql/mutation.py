"""The root of mutations: submission of messages as signed text, so that their bytes are kept, and of sources' bytes."""

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
    strawberry.argument(description=f"Up to {MAX_DOCUMENTS} signed messages of any types, byte for byte as signed."),
]
Contents = Annotated[
    list[str] | None,
    strawberry.argument(
        description="The bytes, in base64, of the passports, packets and records that the messages register."
    ),
]


@strawberry.type(description="Submissions. A document is the signed JSON-LD text, byte for byte as signed.")
class Mutation(MessageMutations, RecordMutations):
    """The root of all mutations."""

    @resolved
    async def submit_batch(
        self, info: Info, documents: Documents, contents: Contents = None
    ) -> list[SubmissionResult | None]:
        """Submit many messages in order; the results are in the same order, and a refusal does not stop later messages.

        A message may depend on an earlier one of the same call, such as a statement on its agent. If this node fails on
        a document, its result is null, an error names its position, and the same document may be sent again.
        """
        return await submit_batch(info, documents, [decode_base64(one, "contents") for one in contents or ()])

    compute_consensus: Consensus = strawberry.mutation(
        resolver=compute_consensus,
        description="A2AP §4.3 by the named method, or the policy's; the stored score is kept current in any case.",
    )
    compute_reputation: Reputation = strawberry.mutation(
        resolver=compute_reputation,
        description="A2AP §6.3 by the named method, or the policy's; the stored reputation is kept current in any "
        "case.",
    )
