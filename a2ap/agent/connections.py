"""The connections of agents to a node: they send the requests of exchanges, blocking or by asyncio."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from types import TracebackType
from typing import Self, TypeVar, Unpack

import httpx

from a2ap.agent.base import DEFAULT_NODE, MAX_FETCHED, AgentBase, Settings, media_type_of, unreachable
from a2ap.agent.content import Content, Spool
from a2ap.agent.exchange import Done, Exchange, Pause, Step, Wait, advance
from a2ap.agent.identity import Identity
from a2ap.client.answers import UnreachableError, public_address
from a2ap.client.events import BlockReader

T = TypeVar("T")


class BlockingConnection(AgentBase):
    """An agent that sends requests and waits for each response."""

    def __init__(
        self,
        identity: Identity,
        node: str = DEFAULT_NODE,
        *,
        transport: httpx.BaseTransport | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        super().__init__(identity, node, **settings)
        self._http = httpx.Client(transport=transport, **self._connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _run(self, exchange: Exchange[T]) -> T:
        """Send the requests of an exchange, and return its value."""
        response: httpx.Response | None = None
        failure: UnreachableError | None = None
        while True:
            step = advance(exchange, response, failure)
            if isinstance(step, Done):
                return step.value
            response, failure = None, None
            try:
                response = self._done(step)
            except httpx.HTTPError as error:
                failure = unreachable(self.node, error)

    def _done(self, step: Step) -> httpx.Response | None:
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return None
        if isinstance(step, Wait):
            return self._first_event(step)
        return self._http.request(step.method, step.path, content=step.body(), headers=dict(step.headers))

    def _first_event(self, step: Wait) -> httpx.Response:
        """Return the first event of a stream as a response, or the refusal of the stream."""
        asked, reader = step.request, BlockReader()
        with self._http.stream(
            asked.method, asked.path, content=step.content, headers=dict(asked.headers), timeout=step.silence
        ) as response:
            if not response.is_success:
                response.read()
                return response
            for line in response.iter_lines():
                block = reader.take(line)
                if block is not None and block.event == "next":
                    return httpx.Response(response.status_code, content=block.data, request=response.request)
        raise httpx.RemoteProtocolError("the stream ended without an event")

    def _fetched(self, url: str) -> tuple[Content, str | None]:
        """Return the bytes at an address, and their media type; raises `UnreachableError`."""
        spool = Spool()
        try:
            with (
                httpx.Client(follow_redirects=True, timeout=self._http.timeout) as http,
                http.stream("GET", url) as response,
            ):
                if not response.is_success:
                    raise UnreachableError(f"{public_address(url)} answered {response.status_code}")
                for piece in response.iter_bytes():
                    spool.write(piece)
                    if spool.length > MAX_FETCHED:
                        raise UnreachableError(f"{public_address(url)} has more than {MAX_FETCHED} bytes")
                return spool.content(), media_type_of(response)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable(url, error) from error


class AsyncConnection(AgentBase):
    """An agent that sends requests by asyncio."""

    def __init__(
        self,
        identity: Identity,
        node: str = DEFAULT_NODE,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        super().__init__(identity, node, **settings)
        self._http = httpx.AsyncClient(transport=transport, **self._connection)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _run(self, exchange: Exchange[T]) -> T:
        """Send the requests of an exchange, and return its value."""
        response: httpx.Response | None = None
        failure: UnreachableError | None = None
        while True:
            step = await asyncio.to_thread(advance, exchange, response, failure)
            if isinstance(step, Done):
                return step.value
            response, failure = None, None
            try:
                response = await self._done(step)
            except httpx.HTTPError as error:
                failure = unreachable(self.node, error)

    async def _done(self, step: Step) -> httpx.Response | None:
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
            return None
        if isinstance(step, Wait):
            return await self._first_event(step)
        body = step.body()
        content = body if body is None or isinstance(body, bytes) else _each(body)
        return await self._http.request(step.method, step.path, content=content, headers=dict(step.headers))

    async def _first_event(self, step: Wait) -> httpx.Response:
        """Return the first event of a stream as a response, or the refusal of the stream."""
        asked, reader = step.request, BlockReader()
        async with self._http.stream(
            asked.method, asked.path, content=step.content, headers=dict(asked.headers), timeout=step.silence
        ) as response:
            if not response.is_success:
                await response.aread()
                return response
            async for line in response.aiter_lines():
                block = reader.take(line)
                if block is not None and block.event == "next":
                    return httpx.Response(response.status_code, content=block.data, request=response.request)
        raise httpx.RemoteProtocolError("the stream ended without an event")

    async def _fetched(self, url: str) -> tuple[Content, str | None]:
        """Return the bytes at an address, and their media type; raises `UnreachableError`."""
        spool = Spool()
        try:
            async with (
                httpx.AsyncClient(follow_redirects=True, timeout=self._http.timeout) as http,
                http.stream("GET", url) as response,
            ):
                if not response.is_success:
                    raise UnreachableError(f"{public_address(url)} answered {response.status_code}")
                async for piece in response.aiter_bytes():
                    spool.write(piece)
                    if spool.length > MAX_FETCHED:
                        raise UnreachableError(f"{public_address(url)} has more than {MAX_FETCHED} bytes")
                return spool.content(), media_type_of(response)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable(url, error) from error


async def _each(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    while piece := await asyncio.to_thread(next, pieces, b""):
        yield piece
