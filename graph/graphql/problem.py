"""Why what is handed in is not accepted: a few types, one for each thing that whoever sent it can do about it."""

import logging
from typing import Any

import strawberry

from graph.problem import Problem as ToldProblem
from graph.problem import ProblemKind
from graph.problem_table import problem_of

logger = logging.getLogger(__name__)


@strawberry.interface(description="Why something that was handed in was not accepted.")
class Problem:
    """What all of them have: the members of a problem over HTTP (RFC 9457)."""

    message: str = strawberry.field(description="What was found, and where.")
    code: str = strawberry.field(description="The kind of the fault, as HTTP and errors of operations tell it.")
    type: str = strawberry.field(description="The same kind as a URI, HTTP's `type`.")
    title: str = strawberry.field(description="The kind in words.")
    path: str | None = strawberry.field(
        description="The member of the document at fault, as `evidence[0].byteRange`, or the argument."
    )


@strawberry.type(description="It cannot be read: not strict JSON, no such message, or a member or argument is wrong.")
class InvalidDocument(Problem):
    """What the sender has to write otherwise."""


@strawberry.type(description="It does not hold: a signature, a hash, a disclosed text, or what it cites.")
class VerificationFailed(Problem):
    """What was read, and is not as it says."""


@strawberry.type(description="It names what is not here: an agent, key or source, or what it points at.")
class NotKnown(Problem):
    """What has to be handed in first, or named otherwise."""


@strawberry.type(description="What is here already does not allow it: other bytes of that id, or a key out of use.")
class Conflict(Problem):
    """What cannot be said here any more, or not with this key."""


@strawberry.type(description="This caller, or the agent that signed it, may not do that.")
class NotAllowed(Problem):
    """What somebody else may do; an unknown token is nobody's."""


@strawberry.type(description="It is larger than what is taken.")
class TooLarge(Problem):
    """What has to be handed in as less."""


@strawberry.type(description="The same may be accepted later, and may be sent again as it is.")
class TryLater(Problem):
    """What is no fault of what was handed in."""

    retry_after: int = strawberry.field(description="Seconds to wait.")


@strawberry.type(description="It was erased under law, and is not taken again.")
class Erased(Problem):
    """What cannot come back."""


_TYPES: dict[ProblemKind, type[Problem]] = {
    ProblemKind(kind.__name__): kind
    for kind in (InvalidDocument, VerificationFailed, NotKnown, Conflict, NotAllowed, TooLarge, TryLater, Erased)
}


def told_problem(error: Exception) -> Problem | None:
    """Return what a sender is told of an error; None of a failure inside, of which nobody is told more than that."""
    told = problem_of(error)
    if told.kind is None:
        return None
    if told.status >= 500:
        logger.warning("what was handed in could not be taken: %s", error)
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
