"""Refusals of submissions: one type for each action that the sender can take."""

import logging
from typing import Any

import strawberry

from graph.problem import Problem as ToldProblem
from graph.problem import ProblemKind
from graph.problem_table import problem_of

logger = logging.getLogger(__name__)


@strawberry.interface(description="A refusal of a submission.")
class Problem:
    """The members common to all refusals: those of a problem over HTTP (RFC 9457)."""

    message: str = strawberry.field(description="A description of the fault and its place.")
    code: str = strawberry.field(description="The code of the fault, as in HTTP and in errors of operations.")
    type: str = strawberry.field(description="The same code as a URI, HTTP's `type`.")
    title: str = strawberry.field(description="The fault in words.")
    path: str | None = strawberry.field(
        description="The member of the document at fault, such as `evidence[0].byteRange`, or the argument."
    )


@strawberry.type(
    description="The document cannot be read: not strict JSON, an unknown type of message, or a wrong member or "
    "argument."
)
class InvalidDocument(Problem):
    """The sender must correct the document."""


@strawberry.type(description="The document fails verification: a signature, a hash, a disclosed text, or its evidence.")
class VerificationFailed(Problem):
    """The document was read, and its statements about itself are false."""


@strawberry.type(
    description="The document names something unknown to this node: an agent, a key, a source, or a referenced message."
)
class NotKnown(Problem):
    """The sender must submit the named thing first, or correct the name."""


@strawberry.type(
    description="The document conflicts with stored data: other bytes with that id, or a key no longer in use."
)
class Conflict(Problem):
    """The sender can no longer submit this, or not with this key."""


@strawberry.type(description="The caller, or the agent that signed the document, is not permitted.")
class NotAllowed(Problem):
    """Another caller may be permitted; an unknown token identifies no caller."""


@strawberry.type(description="The document exceeds a size limit.")
class TooLarge(Problem):
    """The sender must submit less."""


@strawberry.type(description="A temporary refusal; the same document may be sent again.")
class TryLater(Problem):
    """The document is not at fault."""

    retry_after: int = strawberry.field(description="The number of seconds to wait.")


@strawberry.type(description="The document was erased under law, and is not accepted again.")
class Erased(Problem):
    """The document cannot be submitted again."""


_TYPES: dict[ProblemKind, type[Problem]] = {
    ProblemKind(kind.__name__): kind
    for kind in (InvalidDocument, VerificationFailed, NotKnown, Conflict, NotAllowed, TooLarge, TryLater, Erased)
}


def told_problem(error: Exception) -> Problem | None:
    """Return the refusal for an error; None for an internal failure, whose details are not disclosed."""
    told = problem_of(error)
    if told.kind is None:
        return None
    if told.status >= 500:
        logger.warning("the submission could not be taken: %s", error)
    return _shown(told, told.kind)


def _shown(told: ToldProblem, kind: ProblemKind) -> Problem:
    members: dict[str, Any] = {
        "message": told.detail,
        "code": told.code,
        "type": told.type,
        "title": told.title,
        "path": told.path or None,
    }
    if kind is ProblemKind.LATER:
        members["retry_after"] = told.retry_after
    return _TYPES[kind](**members)
