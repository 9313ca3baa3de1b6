"""GraphQL over HTTP (the GraphQL Foundation's draft): the form of a request, the status and media type of a response.

A response is `application/json` unless the client prefers `application/graphql-response+json`. In the first, 200 says
only that the request had an operation; in the second, that it was run. A browser can send forms and plain text from any
page, so neither is taken, and a GET runs no mutation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any, NoReturn

from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData

from graph.http.accept import choose_type

JSON = "application/json"
GRAPHQL_RESPONSE = "application/graphql-response+json"
EVENT_STREAM = "text/event-stream"

MAX_VALUES = 20_000
"""Values in one request: reading as many as fit into a body takes many seconds, in which no other request is served."""

_STATUSES = {"TIMEOUT": 503, "UNAVAILABLE": 503, "TOO_MANY": 429}
"""The status of an operation that was not run, by the code of its error; any other is 400."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
# Possessive, and to the end where a quote is missing: linear whatever the input.
_PIECE = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[,\[{]', re.DOTALL)
_OBJECTS = ("variables", "extensions")


class RequestError(Exception):
    """A request that is no operation: the message, the status, and the code of the error."""

    def __init__(self, message: str, status: int = 400, code: str = "INVALID_REQUEST") -> None:
        super().__init__(message)
        self.status = status
        self.code = code

    @property
    def content(self) -> bytes:
        """Return the error as the body of a response."""
        error = {"message": str(self), "extensions": {"code": self.code}}
        return json.dumps({"errors": [error]}).encode()


def answer_type(accept: str | None) -> str | None:
    """Return the media type of the response; None if the client accepts none of them."""
    return choose_type(accept, (JSON, GRAPHQL_RESPONSE, EVENT_STREAM))


def status_of(answer: GraphQLHTTPResponse, media_type: str) -> int:
    """Return the status of a response: without `data` the operation was not run."""
    if "data" in answer or media_type == JSON:
        return 200
    codes = [error["extensions"]["code"] for error in answer.get("errors") or () if isinstance(error, dict)]
    return next((_STATUSES[code] for code in codes if code in _STATUSES), 400)


def read_query_string(parameters: Mapping[str, Any]) -> GraphQLRequestData:
    """Return the operation of a GET, whose variables and extensions are JSON. Raises `RequestError`."""
    given: dict[str, Any] = {name: parameters.get(name) or None for name in ("query", "operationName")}
    for name in _OBJECTS:
        text = parameters.get(name)
        given[name] = read_json_text(text.encode("utf-8", "replace"), name) if text else None
    return read_operation(given)


def read_body(body: bytes, content_type: str | None) -> GraphQLRequestData:
    """Return the operation of a POST. Raises `RequestError`."""
    media_type = (content_type or "").partition(";")[0].strip().lower()
    if media_type != JSON:
        raise RequestError(f"the content type of an operation is {JSON}", 415, "UNSUPPORTED_MEDIA_TYPE")
    given = read_json_text(body, "the body")
    if isinstance(given, list):
        raise RequestError("one request has one operation, and the body is an array")
    if not isinstance(given, dict):
        raise RequestError("the body is not an object")
    return read_operation(given)


def read_operation(given: object) -> GraphQLRequestData:
    """Return the operation that an object names, over HTTP or WebSocket. Raises `RequestError`."""
    if not isinstance(given, Mapping):
        raise RequestError("the operation is not an object")
    for name in ("query", "operationName"):
        if not isinstance(given.get(name), str | None):
            raise RequestError(f"{name} is not a string")
    for name in _OBJECTS:
        if not isinstance(given.get(name), dict | None):
            raise RequestError(f"{name} is not an object")
    if not given.get("query") and "persistedQuery" not in (given.get("extensions") or {}):
        raise RequestError("there is no query")
    return GraphQLRequestData(
        query=given.get("query") or None,
        variables=given.get("variables"),
        operation_name=given.get("operationName"),
        extensions=given.get("extensions"),
    )


def read_json_text(content: bytes, what: str) -> Any:
    """Return a JSON value in UTF-8 with finite numbers and whole characters; raise `RequestError` for any other."""
    _check_values(content, what)
    try:
        value = json.loads(content.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_read_decimal)
        if _SURROGATE.search(content):
            # Half a character cannot be stored, compared or sent back.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise RequestError(f"{what} is not JSON in UTF-8") from error
    return value


def _check_values(content: bytes, what: str) -> None:
    # Counting bytes costs next to nothing, and long documents in it are texts, whatever stands in these.
    if sum(map(content.count, (b",", b"[", b"{"))) <= MAX_VALUES:
        return
    # A sign that begins a value or divides two is a piece, and so is each text.
    for number, _ in enumerate(_PIECE.finditer(content)):
        if number > 2 * MAX_VALUES:
            raise RequestError(f"{what} has more than {MAX_VALUES} values", 413, "TOO_LARGE")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _read_decimal(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError("a number is beyond 64 bits")
    return value
