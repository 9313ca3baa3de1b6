"""The results of mutations, and the submission of documents to the platform: a receipt or a refusal for each."""

import base64
import binascii
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import Annotated, Any, TypeVar, cast

import strawberry

from a2ap.errors import A2APError
from a2ap.messages.message import MessageType
from graph.errors import GraphError, InputError, TooLargeError
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.log_entry import Receipt
from graph.graphql.problem import (
    Conflict,
    Erased,
    InvalidDocument,
    NotAllowed,
    NotKnown,
    TooLarge,
    TryLater,
    VerificationFailed,
    told_problem,
)
from graph.log.entry import Outcome

MAX_DOCUMENTS = 1_000
MAX_TOTAL = 16 * 2**20
"""The maximum total size in bytes of the documents and contents of one call; also that of an HTTP body."""

_Refused = InvalidDocument | VerificationFailed | NotKnown | Conflict | NotAllowed | TooLarge | TryLater | Erased

SubmissionResult = Annotated[
    Receipt | _Refused,
    strawberry.union(
        "SubmissionResult", description="A receipt if the message is in the log; any other type is the refusal."
    ),
]


@strawberry.type(description="The receipts of records submitted together, in their order.")
class Receipts:
    """The response to the submission of several records at once."""

    receipts: list[Receipt] = strawberry.field(description="One receipt per record.")


RecordsResult = Annotated[
    Receipts | _Refused,
    strawberry.union("RecordsResult", description="The receipts of all records, or the refusal of one of them."),
]

Method = TypeVar("Method", bound=Callable[..., Awaitable[Any]])


def mutated(method: Method) -> Method:
    """Make a method the resolver of a mutation; refusals become its result, internal failures an error with null."""

    @wraps(method)
    async def answer(*args: Any, **kwargs: Any) -> Any:
        try:
            return await method(*args, **kwargs)
        except (A2APError, GraphError) as error:
            if (problem := told_problem(error)) is None:
                raise
            return problem

    return resolved(cast(Method, answer))


async def submit(info: Info, document: str, expected: MessageType) -> Receipt:
    """Submit one document of a type; raise the errors of `Platform.submit`."""
    receipt = await info.context.platform.submit(
        encode_document(document),
        expected=expected,
        authenticated=info.context.reader.operator,
        clearance=info.context.reader.clearance,
        caller=info.context.caller,
    )
    return Receipt.from_receipt(receipt)


async def submit_batch(info: Info, documents: Sequence[str], contents: Sequence[bytes]) -> list[Any]:
    """Submit many; return a receipt or a problem for each, in order, or the error if this node failed."""
    if len(documents) > MAX_DOCUMENTS:
        raise TooLargeError(f"there are {len(documents)} documents, and {MAX_DOCUMENTS} are taken at once", "documents")
    encoded = [encode_document(document) for document in documents]
    if (total := sum(map(len, encoded)) + sum(map(len, contents))) > MAX_TOTAL:
        raise TooLargeError(
            f"the documents have {total} bytes together, and {MAX_TOTAL} are taken at once", "documents"
        )
    outcomes = await info.context.platform.submit_many(
        encoded,
        authenticated=info.context.reader.operator,
        clearance=info.context.reader.clearance,
        contents=contents,
        caller=info.context.caller,
    )
    # One error of the store can be that of many documents, and is told, and logged, once.
    problems = {id(one): told_problem(one) for one in _distinct(outcomes)}
    return [_result(outcome, problems) for outcome in outcomes]


def encode_document(document: str) -> bytes:
    """Return the bytes of a text; a lone surrogate gives bytes that are no UTF-8, and are refused as such."""
    return document.encode("utf-8", "surrogatepass")


def decode_base64(content: str, argument: str) -> bytes:
    """Return the bytes of a text in base64. Raises `InputError`."""
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError("it is not base64", argument) from error


def _distinct(outcomes: Sequence[Outcome]) -> list[Exception]:
    return list({id(one): one for one in outcomes if isinstance(one, Exception)}.values())


def _result(outcome: Outcome, problems: dict[int, Any]) -> Any:
    if isinstance(outcome, Exception):
        return problems[id(outcome)] or outcome
    return Receipt.from_receipt(outcome)
