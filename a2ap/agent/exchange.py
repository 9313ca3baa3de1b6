"""Exchanges with a node without I/O: generators that yield requests and receive responses.

An exchange serves a blocking client and an asynchronous one alike: each sends the requests, sleeps through the pauses,
and hands the responses in (`a2ap.agent.agent`, `a2ap.agent.async_agent`).
"""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import httpx

from a2ap.agent.content import Content, Progress, pieces_of
from a2ap.client.answers import ProblemError, UnreachableError, graphql_data, is_busy, json_object, problem_of
from a2ap.errors import A2APError
from a2ap.json_text import write_json

T = TypeVar("T")

ATTEMPTS = 5
"""The number of times that a request is sent before its failure is raised."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0  # seconds


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request: its path is relative to the node's address, and it may be sent again without harm.

    A large content is sent in pieces, and `progress` is told of each.
    """

    method: str
    path: str
    content: Content | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    progress: Progress | None = None

    def body(self) -> bytes | Iterator[bytes] | None:
        """Return the content: in pieces if it is large or its progress is told."""
        if self.content is None or (isinstance(self.content, bytes) and self.progress is None):
            return self.content
        return pieces_of(self.content, self.progress)

    @classmethod
    def get(cls, path: str) -> "Request":
        """Return a request for a resource as JSON."""
        return cls("GET", path, None, {"accept": "application/json"})

    @classmethod
    def post(cls, path: str, content: bytes, media_type: str = "application/ld+json") -> "Request":
        """Return a request with a body."""
        return cls("POST", path, content, {"content-type": media_type})


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of `seconds` before the next request."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Wait:
    """A request for a stream of events that ends with its first event, which is the content of the response.

    After `silence` seconds without a sign of life the node counts as away.
    """

    request: Request
    silence: float = 60.0

    @property
    def content(self) -> bytes | None:
        """Return the bytes of the request."""
        return self.request.content if isinstance(self.request.content, bytes) else None


Step = Request | Pause | Wait
Exchange = Generator[Step, httpx.Response | None, T]
"""A generator of steps that returns a value; it receives the response to each request, and None after a pause."""


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """The end of an exchange, with its value."""

    value: T


def advance(exchange: Exchange[T], response: httpx.Response | None, failure: UnreachableError | None) -> Step | Done[T]:
    """Hand in the response to the last step, or its failure; return the next step, or the end."""
    try:
        return exchange.send(response) if failure is None else exchange.throw(failure)
    except StopIteration as done:
        return Done(done.value)


def send(request: Request) -> Exchange[httpx.Response]:
    """Return the successful response to a request.

    While the node does not answer, or is too busy, the request is sent again after growing pauses, `ATTEMPTS` times in
    all. Raises `ProblemError` if the node refuses it, and `UnreachableError`.
    """
    for attempt in range(ATTEMPTS):
        is_last = attempt + 1 == ATTEMPTS
        pause = min(_FIRST_PAUSE * 2**attempt, _LONGEST_PAUSE)
        try:
            response = yield request
        except UnreachableError:
            if is_last:
                raise
        else:
            assert response is not None
            if response.is_success:
                return response
            problem = problem_of(response)
            if is_last or not is_busy(response.status_code):
                raise problem
            if problem.retry_after is not None:
                pause = min(max(problem.retry_after, 0), _LONGEST_PAUSE)
        yield Pause(pause)
    raise AssertionError("the last attempt returns or raises")


def is_passing(error: A2APError) -> bool:
    """Say whether a failure may pass: the node is away or busy."""
    return isinstance(error, UnreachableError) or (isinstance(error, ProblemError) and is_busy(error.status))


def graphql(query: str, variables: Mapping[str, Any]) -> Exchange[dict[str, Any]]:
    """Return the data of a GraphQL query; raises `ProblemError` with the first of its errors."""
    body = write_json({"query": query, "variables": dict(variables)})
    answer = yield from read_object(Request.post("/graphql", body, "application/json"))
    return graphql_data(answer)


def read_object(request: Request) -> Exchange[dict[str, Any]]:
    """Return the JSON object in the response to a request; raises as `send` does."""
    return json_object((yield from send(request)))
