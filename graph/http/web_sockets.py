"""GraphQL over WebSocket (graphql-transport-ws): Strawberry's handler, with the bounds of the other endpoints.

- The payload of a subscription is read like the body of a request: `extensions` count, and a hash may replace the
  operation.
- A message that cannot be sent because its client does not read ends the connection after a while, and all its
  operations. So does a connection that has nothing under way for a long time.
- An operation that is refused is answered with `error`, and the others on the connection go on.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from graphql import GraphQLError
from strawberry.asgi import ASGIWebSocketAdapter
from strawberry.http.exceptions import NonJsonMessageReceived, WebSocketDisconnected
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler, Operation
from strawberry.types.execution import ExecutionResult, PreExecutionError

from graph.errors import GraphError
from graph.graphql.context import Context
from graph.http.graphql_requests import RequestError, read_operation
from graph.problem_table import problem_of

logger = logging.getLogger(__name__)

SEND_PATIENCE = 30.0
"""Seconds that a client may leave sent bytes unread."""

IDLE_PATIENCE = 600.0
"""Seconds that a connection may have nothing under way."""

MAX_WORD = 80
"""Bytes of the type of a message, and of the name that a client gives an operation."""


class Socket(ASGIWebSocketAdapter):
    """A connection, and whether its client reads."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.stuck = asyncio.Event()

    async def send_json(self, message: Mapping[str, object]) -> None:
        """Send a message; a client that does not take it counts as gone."""
        if self.stuck.is_set():
            raise WebSocketDisconnected
        try:
            async with asyncio.timeout(SEND_PATIENCE):
                await super().send_json(message)
        except TimeoutError as error:
            self.stuck.set()
            raise WebSocketDisconnected from error

    async def iter_json(self, *, ignore_parsing_errors: bool = False) -> AsyncGenerator[object, None]:
        """Yield the messages received: objects whose type and operation name, if they have one, are words."""
        async for message in super().iter_json(ignore_parsing_errors=ignore_parsing_errors):
            if not isinstance(message, dict) or not all(_is_word(message.get(name, "")) for name in ("type", "id")):
                raise NonJsonMessageReceived
            yield message


class Handler(BaseGraphQLTransportWSHandler[Context, None]):
    """One connection and its operations."""

    websocket: Socket

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._extensions: dict[str, dict[str, Any] | None] = {}

    async def handle(self) -> None:
        """Serve the connection until either end leaves it, or its client is silent or does not read."""
        serving, waiting = asyncio.create_task(super().handle()), asyncio.create_task(self._until_left())
        try:
            await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            if not serving.done():
                serving.cancel()
            await asyncio.wait({serving, waiting})
        if not serving.cancelled():
            serving.result()

    async def handle_subscribe(self, message: Any) -> None:
        """Begin an operation, if the message is one."""
        name, payload = message["id"], message["payload"]
        if not self.connection_acknowledged:
            await super().handle_subscribe(message)  # which closes the connection
            return
        try:
            given = read_operation(payload)
        except RequestError as error:
            refused = GraphQLError(str(error), extensions={"code": error.code})
            await self.send_message({"id": name, "type": "error", "payload": [refused.formatted]})
            return
        known = name in self.operations
        payload["query"] = given.query or ""
        await super().handle_subscribe(message)
        if not known and name in self.operations:
            self._extensions[name] = given.extensions

    async def cleanup_operation(self, operation_id: str) -> None:
        """End an operation."""
        self._extensions.pop(operation_id, None)
        await super().cleanup_operation(operation_id)

    async def run_operation(self, operation: Operation[Context, None]) -> None:
        """Run an operation in a context of its own, and send its results."""
        try:
            context = await self.context.of_one_operation()
        except GraphError as error:
            problem = problem_of(error)
            await operation.send_initial_errors([GraphQLError(problem.detail, extensions={"code": problem.code})])
            return
        results = await self.schema.stream(
            operation.query or None,
            variable_values=operation.variables,
            context_value=context,
            root_value=self.root_value,
            operation_name=operation.operation_name,
            operation_extensions=self._extensions.pop(operation.id, None),
        )
        try:
            async with aclosing(results):
                async for result in results:
                    if isinstance(result, PreExecutionError):
                        await operation.send_initial_errors(result.errors or [])
                        return
                    assert isinstance(result, ExecutionResult)  # nothing is deferred by this schema
                    await operation.send_next(result)
            await operation.send_operation_message({"id": operation.id, "type": "complete"})
        except WebSocketDisconnected:
            # The operations under way end with the connection.
            return

    async def _until_left(self) -> None:
        loop = asyncio.get_running_loop()
        busy_at = loop.time()
        while True:
            if self.operations:
                busy_at = loop.time()
            left = busy_at + IDLE_PATIENCE - loop.time()
            if left <= 0:
                await self.websocket.close(1000, "Nothing is under way")
                return
            try:
                async with asyncio.timeout(min(left, IDLE_PATIENCE / 4)):
                    await self.websocket.stuck.wait()
            except TimeoutError:
                continue
            logger.warning("a subscriber left sent data unread for %s seconds, and was disconnected", SEND_PATIENCE)
            return


def _is_word(value: object) -> bool:
    # The reason of a closed connection, which may quote it, has 123 bytes at most.
    return isinstance(value, str) and len(value.encode("utf-8", "replace")) <= MAX_WORD
