"""Subscribers for tests: over a WebSocket, and over server-sent events."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import httpx
from http_client import OPERATOR, READERS
from served import served
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from graph.platform import Platform

SOON = 15.0  # seconds in which an event must have come
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # reading all authorities for each client would take a while


class Subscriber:
    """One connection; each operation has a number, and what comes for it is waited for."""

    def __init__(self, connection: ClientConnection, platform: Platform) -> None:
        self.connection = connection
        self._platform = platform
        self._waiting: list[dict[str, Any]] = []

    async def subscribe(self, number: str, query: str, **variables: Any) -> None:
        """Send an operation, and wait until the platform follows the log for it, which no message says."""
        before = self._platform.subscribers.count
        await self.send(number, {"query": query, "variables": variables})
        for _ in range(100 if query.startswith("subscription") else 0):
            if self._platform.subscribers.count > before:
                break
            await asyncio.sleep(0.02)

    async def send(self, number: str, payload: Any) -> None:
        """Send an operation as it is."""
        await self.connection.send(json.dumps({"id": number, "type": "subscribe", "payload": payload}))

    async def message(self, number: str) -> dict[str, Any]:
        for known in self._waiting:
            if known.get("id") == number:
                self._waiting.remove(known)
                return known
        while True:
            message: dict[str, Any] = json.loads(await asyncio.wait_for(self.connection.recv(), SOON))
            if message.get("id") == number:
                return message
            self._waiting.append(message)

    async def event(self, number: str) -> dict[str, Any]:
        return (await self.told(number))[0]

    async def told(self, number: str) -> tuple[dict[str, Any], str]:
        """Return the next event of a subscription, and its cursor."""
        message = await self.message(number)
        assert message["type"] == "next" and "errors" not in message["payload"], message
        (found,) = message["payload"]["data"].values()
        event: dict[str, Any] = found
        return event, message["payload"].get("extensions", {}).get("cursor", "")

    async def code(self, number: str) -> str:
        """Return the kind of the error that an operation is answered with."""
        message = await self.message(number)
        errors = message["payload"] if message["type"] == "error" else message["payload"]["errors"]
        code: str = errors[0]["extensions"]["code"]
        return code

    async def is_silent(self) -> bool:
        try:
            await asyncio.wait_for(self.connection.recv(), 1.2)
        except TimeoutError:
            return True
        return False


@asynccontextmanager
async def connected(
    platform: Platform, token: str | None = None, *, in_payload: bool = False
) -> AsyncIterator[Subscriber]:
    """Serve a platform that knows the readers' tokens, and connect to it."""
    authorization = {"authorization": f"Bearer {token}"} if token else {}
    async with with_readers(platform) as address:
        headers = {} if in_payload else authorization
        async with connected_to(platform, address, headers, authorization if in_payload else {}) as subscriber:
            yield subscriber


@asynccontextmanager
async def connected_to(
    platform: Platform, address: str, headers: dict[str, str] | None = None, payload: dict[str, str] | None = None
) -> AsyncIterator[Subscriber]:
    """Connect to a platform that is served at an address."""
    url = address.replace("http://", "ws://") + "/graphql"
    protocols = [Subprotocol("graphql-transport-ws")]
    async with connect(url, subprotocols=protocols, additional_headers=headers or {}, proxy=None) as connection:
        await connection.send(json.dumps({"type": "connection_init", "payload": payload or {}}))
        assert json.loads(await connection.recv())["type"] == "connection_ack"
        yield Subscriber(connection, platform)


@asynccontextmanager
async def with_readers(platform: Platform) -> AsyncIterator[str]:
    """Serve a platform that knows the readers' tokens."""
    tokens = platform.settings.data / "readers.json"
    tokens.write_text(json.dumps({token: boundary for boundary, token in READERS.items()}))
    tokens.chmod(0o600)
    platform.settings = replace(platform.settings, operator_token=OPERATOR, reader_tokens=tokens)
    async with served(platform) as address:
        yield address


@dataclass(frozen=True, slots=True)
class Sent:
    """One block of an event stream: its fields, without which it is a comment."""

    event: str = ""
    id: str = ""
    data: str = ""

    @property
    def result(self) -> dict[str, Any]:
        """The result of GraphQL that it holds."""
        result: dict[str, Any] = json.loads(self.data)
        return result

    @property
    def told(self) -> dict[str, Any]:
        """The event of a subscription that it holds."""
        assert "errors" not in self.result, self.result
        (found,) = self.result["data"].values()
        event: dict[str, Any] = found
        return event

    @property
    def code(self) -> str:
        """The kind of the error that it holds."""
        code: str = self.result["errors"][0]["extensions"]["code"]
        return code


@asynccontextmanager
async def streamed(
    address: str, query: str, variables: dict[str, Any] | None = None, *, method: str = "GET", **headers: str
) -> AsyncIterator[AsyncIterator[Sent]]:
    """Ask for the events of an operation; yield what comes."""
    sent = {"accept": "text/event-stream", **{name.replace("_", "-"): value for name, value in headers.items()}}
    operation = {"query": query, "variables": variables or {}}
    asked: dict[str, Any] = {"json": operation}
    if method == "GET":
        asked = {"params": operation | {"variables": json.dumps(operation["variables"])}}
    async with (
        httpx.AsyncClient(trust_env=False, timeout=SOON, verify=_NO_TLS) as client,
        client.stream(method, f"{address}/graphql", headers=sent, **asked) as response,
    ):
        assert response.status_code == 200, await response.aread()
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        yield _blocks(response)


async def until_quiet(
    blocks: AsyncIterator[Sent], seconds: float, *, first: float | None = None
) -> AsyncIterator[Sent]:
    """Yield events until none has come for so many seconds; the first may take `first` seconds, as long without it."""
    patience = seconds if first is None else first
    while True:
        try:
            yield await asyncio.wait_for(anext(blocks), patience)
        except (TimeoutError, StopAsyncIteration):
            return
        patience = seconds


async def _blocks(response: httpx.Response) -> AsyncIterator[Sent]:
    fields: dict[str, str] = {}
    async for line in response.aiter_lines():
        if line:
            name, _, value = line.partition(":")
            fields |= {name: value.removeprefix(" ")} if name else {}
        else:
            yield Sent(**fields)
            fields = {}
