"""GraphQL over HTTP, SSE and WebSocket: Strawberry's router, with requests read as `graphql_requests` says.

`event_stream` and `web_sockets` have the parts that are peculiar to those two.
"""

import asyncio
from datetime import timedelta
from json import JSONDecodeError
from typing import Any

import strawberry
from cross_web import AsyncHTTPRequestAdapter, HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.websockets import WebSocket
from strawberry.exceptions import ConnectionRejectionError
from strawberry.fastapi import GraphQLRouter
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData, process_result
from strawberry.http.base import BaseRequestProtocol
from strawberry.http.websocket_origin import is_same_origin
from strawberry.schema.exceptions import InvalidOperationTypeError
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType
from strawberry.types.unset import UNSET, UnsetType

from graph.errors import NotAcceptableError, TooManySubscribersError, UnauthenticatedError
from graph.graphql.context import Context, Resuming
from graph.graphql.loaders import Loaders
from graph.http.client_address import client_network
from graph.http.event_stream import EventStream
from graph.http.graphiql import PAGE_HEADERS, page
from graph.http.graphql_requests import (
    EVENT_STREAM,
    GRAPHQL_RESPONSE,
    JSON,
    RequestError,
    answer_type,
    read_body,
    read_json_text,
    read_query_string,
    status_of,
)
from graph.http.readers import readers_of
from graph.http.requests import PlatformOf, ReaderOf, ShareOf
from graph.http.shares import share_of
from graph.http.web_sockets import Handler, Socket

# Bytes; a longer body is parsed in a thread, while the loop serves other requests.
_READ_AT_ONCE = 64 * 1024

_INIT_PATIENCE = timedelta(seconds=10)

# A browser says so itself, of a request without an Origin too (Fetch Metadata §2.3): nobody's page, or this node's.
_OWN_SITES = ("none", "same-origin")

MAX_OPERATIONS = 16
"""The most operations that are under way on one WebSocket."""


class Playground(GraphQLRouter[Context, None]):
    """Strawberry's router, with the statuses and media types of GraphQL over HTTP."""

    websocket_adapter_class = Socket  # type: ignore[assignment]
    graphql_transport_ws_handler_class = Handler

    async def run(self, request: Any, context: Any = UNSET, root_value: Any = UNSET) -> Any:
        """Answer one request in the media type that it prefers, or serve one WebSocket."""
        if self.is_websocket_request(request):
            return await self._serve(request, context)
        if self.should_render_graphql_ide(self.request_adapter_class(request)):
            return await super().run(request, context, root_value)
        media_type = answer_type(request.headers.get("accept"))
        if media_type is None:
            raise NotAcceptableError(f"GraphQL is answered as {JSON}, {GRAPHQL_RESPONSE} or {EVENT_STREAM}")
        request.state.media_type = JSON if media_type == EVENT_STREAM else media_type
        try:
            if media_type == EVENT_STREAM:
                return await self._stream(request, context)
            answer: Response = await super().run(request, context, root_value)
        except (HTTPException, RequestError) as error:
            problem = error if isinstance(error, RequestError) else _request_error(error, request.method)
            answer = Response(problem.content, problem.status)
            if problem.status == 405:
                answer.headers["allow"] = "POST"
        else:
            answer.status_code = getattr(request.state, "graphql_status", answer.status_code)
        answer.headers["content-type"] = f"{request.state.media_type}; charset=utf-8"
        answer.headers["cache-control"] = "no-cache"
        answer.headers["vary"] = "Accept, Authorization"
        return answer

    async def _stream(self, request: Request, context: Context) -> Response:
        """Answer one operation with events; raise `RequestError` for no operation, or for a page of another origin."""
        if request.headers.get("sec-fetch-site", "none") not in _OWN_SITES:
            raise RequestError("a page of another origin follows nothing here", 403, "FORBIDDEN")
        origin = request.headers.get("origin")
        if origin is not None and not is_same_origin(origin, request.headers.get("host")):
            raise RequestError(f"a page of {origin} follows nothing here", 403, "FORBIDDEN")
        given = await self.parse_http_body(self.request_adapter_class(request))
        context.resuming = Resuming(request.headers.get("last-event-id"))
        results = await self.schema.stream(
            given.query,
            variable_values=given.variables,
            context_value=context,
            operation_name=given.operation_name,
            operation_extensions=given.extensions,
            allowed_operation_types=OperationType.from_http("GET" if request.method == "GET" else "POST"),
        )
        stopping = context.platform.subscribers.ended
        return EventStream(request, results, context.resuming, stopping)

    async def _serve(self, request: WebSocket, context: Context) -> WebSocket:
        """Serve one WebSocket, if there is a place for one more."""
        try:
            with context.platform.connections.one_more(context.share):
                served: WebSocket = await super().run(request, context, None)
                return served
        except TooManySubscribersError as error:
            await request.send_denial_response(PlainTextResponse(str(error), 429))
            return request

    def decode_json(self, data: str | bytes) -> object:
        """Return the JSON value of a message on a WebSocket, which is read as strictly as a body."""
        try:
            return read_json_text(data.encode("utf-8", "replace") if isinstance(data, str) else data, "the message")
        except RequestError as error:
            raise JSONDecodeError(str(error), "", 0) from error

    def should_render_graphql_ide(self, request: BaseRequestProtocol) -> bool:
        """Return whether a page is wanted: a browser sends no query."""
        accepted = request.headers.get("accept") or ""
        return request.method == "GET" and "text/html" in accepted and not _names_an_operation(request)

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData:
        """Return the one operation of a request; raise `RequestError`."""
        if request.method == "GET":
            return read_query_string(request.query_params)
        body = await request.get_body()
        content = body if isinstance(body, bytes) else body.encode()
        if len(content) > _READ_AT_ONCE:
            return await asyncio.to_thread(read_body, content, request.content_type)
        return read_body(content, request.content_type)

    async def process_result(self, request: Request, result: ExecutionResult) -> GraphQLHTTPResponse:
        """Return the response; there is no `data` in it if the operation was not run."""
        answer = process_result(result)
        if result.data is None and all(error.path is None for error in result.errors or ()):
            del answer["data"]
        request.state.graphql_status = status_of(answer, request.state.media_type)
        return answer

    async def render_graphql_ide(self, request: Request) -> HTMLResponse:
        """Return the page that GraphiQL opens in."""
        return HTMLResponse(page(), headers=PAGE_HEADERS)

    async def on_ws_connect(self, context: Context) -> UnsetType | dict[str, object] | None:
        """Take the token of a client that cannot send headers: `authorization` in the payload of connection_init."""
        stated = context.connection_params if isinstance(context.connection_params, dict) else {}
        token = stated.get("authorization", stated.get("Authorization"))
        if token is not None and context.request is not None:
            try:
                stated_token = token if isinstance(token, str) else "?"
                context.reader = readers_of(context.request).find(stated_token)
                context.share = share_of(context.request, stated_token)
            except UnauthenticatedError as error:
                raise ConnectionRejectionError from error
        return await super().on_ws_connect(context)


def graphql_router(schema: strawberry.Schema) -> Playground:
    """Return the routes of `/graphql`."""
    return Playground(
        schema,
        path="/graphql",
        context_getter=operation_context,
        subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL,),
        connection_init_wait_timeout=_INIT_PATIENCE,
        max_subscriptions_per_connection=MAX_OPERATIONS,
    )


async def operation_context(
    platform: PlatformOf, reader: ReaderOf, share: ShareOf, connection: HTTPConnection
) -> Context:
    """Return the context of the operations of one request."""
    loaders, address = Loaders(platform.store, reader, platform.names.look_alikes), client_network(connection)
    return Context(platform, reader, loaders, share, readers_of(connection).again, address)


def _names_an_operation(request: BaseRequestProtocol) -> bool:
    return any(request.query_params.get(name) is not None for name in ("query", "extensions"))


def _request_error(error: HTTPException, method: str) -> RequestError:
    """Return the error for an operation that Strawberry refused: a mutation sent with GET, or a missing operation."""
    if isinstance(error.__cause__, InvalidOperationTypeError) and method == "GET":
        return RequestError(error.reason, 405, "METHOD_NOT_ALLOWED")
    return RequestError(error.reason, error.status_code)
