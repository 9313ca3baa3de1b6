"""Mutations of one message each, given as its signed text, so that its bytes are kept."""

from typing import Any, TypeVar

import strawberry

from a2ap.messages.message import MessageType
from graph.graphql.arguments import Signed
from graph.graphql.context import Info
from graph.graphql.submission import SubmissionResult, mutated, submit
from graph.kinds.registry import TYPES

T = TypeVar("T")

_ORDER = (
    "register_agent",
    "endorse",
    "submit_statement",
    "request_verification",
    "submit_verification",
    "set_policy",
    "register_key",
    "revoke_key",
    "deactivate_agent",
    "announce_version",
    "retract",
    "decline_verification",
    "answer_challenge",
    "redact",
    "label_gold",
    "dispute_gold",
    "commit_probes",
    "report_equivocation",
    "set_admission_policy",
    "set_peer_agreement",
    "rotate_log_key",
    "record_epoch",
    "record_peer_checkpoint",
)
"""The mutations in the order in which the schema has had them; others come after, in the order of the kinds."""


def _with_mutations(owner: type[T]) -> type[T]:
    """Add the mutation of each kind of message that names one."""
    named = {kind.mutation[0]: (kind.mutation[1], type) for type, kind in TYPES.items() if kind.mutation is not None}
    for name in dict.fromkeys((*_ORDER, *named)):
        setattr(owner, name, _mutation(name, *named[name]))
    return owner


def _mutation(name: str, description: str, type: MessageType) -> Any:
    async def submit_one(self: Any, info: Info, document: Signed) -> SubmissionResult | None:
        return await submit(info, document, type)

    submit_one.__name__, submit_one.__doc__ = name, description
    return mutated(submit_one)


@strawberry.type(description="Mutations that submit one signed message.")
@_with_mutations
class MessageMutations:
    """One mutation for each type of message without accompanying bytes."""
