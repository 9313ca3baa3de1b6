"""The answers of a platform to an agent's client: receipts, refusals, and answers that are not of this API."""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar

import httpx

from a2ap.errors import A2APError

T = TypeVar("T")

_STATUS = {"TOO_MANY": 429, "UNAVAILABLE": 503, "TIMEOUT": 503}  # of errors in answers of GraphQL
_BUSY = frozenset(
    {
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.TOO_EARLY,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)


class UnreachableError(A2APError):
    """The platform did not answer, or not in the form of this API."""


class ProblemError(A2APError):
    """The platform refused: the problem details of RFC 9457.

    `status` is the HTTP status, `path` the member of the document at fault, or None. The same request may be sent
    again after `retry_after` seconds; None if that changes nothing.
    """

    def __init__(
        self, status: int, title: str, detail: str, path: str | None = None, retry_after: int | None = None
    ) -> None:
        super().__init__(status, title, detail, path)
        self.status = status
        self.title = title
        self.detail = detail
        self.path = path
        self.retry_after = retry_after

    def __str__(self) -> str:
        # GraphQL gives errors the status 200, which tells nobody anything.
        title = self.title if self.status == httpx.codes.OK else f"{self.status} {self.title}"
        return f"{title}: {self.detail}" if self.detail else title


def is_busy(status: int) -> bool:
    """Return whether a platform is busy or away by this HTTP status: the same request is sent again after a pause."""
    return status in _BUSY


def passes(error: ProblemError) -> bool:
    """Return whether a platform may answer a repeated request differently: it is busy, or has a fault of its own."""
    return is_busy(error.status) or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR


@dataclass(frozen=True, slots=True)
class Receipt:
    """The place of a document in the platform's log; `created` is false if it was there before.

    `entry` is the leaf of the log and `proof` leads from it to a signed checkpoint (`a2ap.log.receipt`): a holder of
    both and of the log's key can show anybody that the document was accepted.
    """

    log_index: int
    id: str
    type: str
    signed_hash: str
    document_hash: str
    received_at: str
    entry: str
    proof: str
    created: bool


def receipts(answers: Sequence[Receipt | ProblemError]) -> Iterator[Receipt]:
    """Yield the receipts of `submit_many`; raises the first refusal among them."""
    for answer in answers:
        if isinstance(answer, ProblemError):
            raise answer
        yield answer


def read_line(line: str) -> Receipt | ProblemError:
    """Return the receipt or the problem in one line of an answer to many documents; raises `UnreachableError`."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnreachableError("the platform answered with a line that is not JSON") from error
    if not isinstance(answer, dict):
        raise UnreachableError("the platform answered with a line that is not a JSON object")
    if "logIndex" in answer:
        return read_receipt(answer, bool(answer.get("created", True)))
    return _read_problem(answer, 0)


def read_receipt(answer: Mapping[str, Any], created: bool) -> Receipt:
    """Return the receipt in an answer; raises `UnreachableError` if it is not a receipt."""
    return Receipt(
        log_index=_member(answer, "logIndex", int),
        id=_member(answer, "id", str),
        type=_member(answer, "type", str),
        signed_hash=_member(answer, "signedHash", str),
        document_hash=_member(answer, "documentHash", str),
        received_at=_member(answer, "receivedAt", str),
        entry=_member(answer, "entry", str),
        proof=_member(answer, "proof", str),
        created=created,
    )


def _member(answer: Mapping[str, Any], name: str, kind: type[T]) -> T:
    if name not in answer:
        raise UnreachableError(f"the platform answered with something that is no receipt: {name!r} is missing")
    value = answer[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise UnreachableError(f"the platform answered with something that is no receipt: {name!r} is {value!r}")
    return value


def _read_problem(answer: Mapping[str, Any], status: int) -> ProblemError:
    title, detail, path, stated = (answer.get(name) for name in ("title", "detail", "path", "status"))
    if isinstance(stated, int) and not isinstance(stated, bool):
        status = stated
    later = answer.get("retryAfter")
    return ProblemError(
        status,
        str(title or "refused"),
        str(detail or ""),
        path if isinstance(path, str) else None,
        later if isinstance(later, int) and not isinstance(later, bool) else None,
    )


def problem_of(response: httpx.Response) -> ProblemError:
    """Return the problem that an unsuccessful response reports, or its status and text if it reports none."""
    try:
        return _read_problem(json_object(response), response.status_code)
    except UnreachableError:
        return ProblemError(response.status_code, response.reason_phrase, response.text[:200])


def graphql_data(answer: Any) -> dict[str, Any]:
    """Return the data of a GraphQL answer; raises `ProblemError` with the first of its errors."""
    errors = answer.get("errors") if isinstance(answer, dict) else None
    if errors:
        first = errors[0] if isinstance(errors, list) and isinstance(errors[0], dict) else {"message": errors}
        extensions = first.get("extensions")
        code = extensions.get("code") if isinstance(extensions, dict) else None
        raise ProblemError(_STATUS.get(str(code), httpx.codes.OK), "GraphQL error", str(first.get("message")))
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, dict):
        raise UnreachableError("the platform answered a GraphQL operation without data")
    return data


def json_object(response: httpx.Response) -> dict[str, Any]:
    """Return the JSON object that a response holds; raises `UnreachableError` if it holds none."""
    try:
        answer = response.json()
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise UnreachableError(f"{public_address(str(response.request.url))} did not answer with a JSON object")
    return answer


def public_address(url: str) -> str:
    """Return an address without its user and password, which no error tells."""
    return re.sub(r"//[^/?#]*@", "//", url, count=1)


def what_happened(error: Exception) -> str:
    """Return the cause of a missing answer in words, the system's own if it has some, as "connection refused"."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ConnectionError) and cause.errno:
            return _in_sentence(os.strerror(cause.errno))  # asyncio puts words of its own in its place
        if isinstance(cause, OSError) and cause.strerror:
            return _in_sentence(cause.strerror)
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx.TimeoutException):
        return "timed out"
    return _in_sentence(str(error) or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower())


def _in_sentence(text: str) -> str:
    return (text[:1].lower() + text[1:] if text[1:2].islower() else text).rstrip(".")
