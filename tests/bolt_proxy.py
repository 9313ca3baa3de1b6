"""A relay between a driver and a database that can cut the line at a message of the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from graph.database.endpoint import Endpoint

# Bolt: two bytes of length, then a structure of n fields (0xB0 + n) and the message's tag.
COMMIT = b"\x00\x02\xb0\x12\x00\x00"
RUN = b"\xb3\x10"


@dataclass(slots=True)
class BoltProxy:
    """Relays bytes. Once `cut_on` is sent, the line is cut: at once, or when the database has answered."""

    endpoint: Endpoint
    cut_on: bytes | None = None
    answered: bool = False
    cuts: int = 0
    sent: bytearray = field(default_factory=bytearray)
    _target: str = ""

    async def relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one connection until either side ends it or it is cut."""
        target = urlsplit(self._target)
        upstream_reader, upstream_writer = await asyncio.open_connection(target.hostname, target.port)
        down = asyncio.create_task(_copy(upstream_reader, writer))
        try:
            while data := await reader.read(65536):
                self.sent += data
                cut = self.cut_on is not None and self.cut_on in data
                if cut:
                    self.cut_on = None
                    self.cuts += 1
                    down.cancel()
                    await asyncio.wait([down])  # it must not read any more when we do
                    if not self.answered:
                        return
                upstream_writer.write(data)
                await upstream_writer.drain()
                if cut:
                    await upstream_reader.read(65536)
                    return
        except ConnectionError:
            pass
        finally:
            down.cancel()
            for one in (writer, upstream_writer):
                with suppress(ConnectionError):
                    one.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def bolt_proxy(endpoint: Endpoint) -> AsyncIterator[BoltProxy]:
    """Yield a relay before this database; its `endpoint` is the database's with the relay's port."""
    proxy = BoltProxy(endpoint, _target=endpoint.uri)
    server = await asyncio.start_server(proxy.relay, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    proxy.endpoint = replace(endpoint, uri=f"bolt://127.0.0.1:{port}")
    try:
        yield proxy
    finally:
        server.close()
