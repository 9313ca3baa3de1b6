"""Connections with bounds that uvicorn has no setting for: their number, and how long one may wait for its client.

- The head of a request arrives whole within the patience; a body, and the reading of a response, make progress in each
  such time. There is no bound on the whole of an upload or a stream.
- Bytes that cannot be read as HTTP are answered with the status that HTTP has for them, and the bytes that the client
  goes on sending are read and discarded for a moment, because a connection that is closed with unread bytes loses its
  response.
- A connection that became a WebSocket still counts; its pings tell whether its client is there.
"""

import asyncio
import sys
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Self

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from graph.http.client_address import network_of
from graph.problem import MEDIA_TYPE, Problem
from graph.settings import Settings

LEAST_PROGRESS = 1024
"""Bytes of a body that must arrive within the patience."""

_LOOKS = 4  # in the time of the patience
_LINGER = 2.0  # seconds in which a client may take the answer to a request that was given up
_MOST_LINGERING = 64
_MOST_CHUNK = 2**63 - 1  # bytes; no body has a longer chunk

_LATE = Problem(408, "REQUEST_TIMEOUT", "The request did not come in time", "nothing more of it came for too long")
_MALFORMED = Problem(400, "INVALID_INPUT", "The request is not HTTP", "the request cannot be read as HTTP/1.1")
_LARGE_HEAD = Problem(431, "TOO_LARGE", "Larger than allowed", "the head of the request has more bytes than are read")
_BAD_CHUNK = Problem(400, "INVALID_INPUT", "The request is not HTTP", "a chunk of the body cannot be read")
_MANY = Problem(503, "UNAVAILABLE", "Too many connections", "as many connections are open as can be served")
_MANY_OF_ADDRESS = Problem(
    429, "TOO_MANY", "Too many connections", "as many connections of this address are open as one may have"
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Connections in all and of one address, and seconds that one may wait for its client."""

    connections: int = 1024
    of_address: int = 256
    patience: float = 30.0

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the bounds in the settings."""
        return cls(settings.max_connections, settings.max_connections_of_address, settings.client_patience)


@dataclass(slots=True)
class OpenConnections:
    """The connections of one server, by the network of their clients."""

    bounds: Bounds
    _networks: dict[asyncio.BaseTransport, str] = field(default_factory=dict)
    _lingering: set[asyncio.BaseTransport] = field(default_factory=set)

    def refusal(self, transport: asyncio.BaseTransport, host: str) -> Problem | None:
        """Count one more connection, or return the problem for which it is not served."""
        network = network_of(host)
        refusal = self._refusal(network)
        if refusal is not None:
            # Nobody says of a WebSocket that it has ended.
            self._networks = {known: of for known, of in self._networks.items() if not known.is_closing()}
            refusal = self._refusal(network)
        if refusal is None:
            self._networks[transport] = network
        return refusal

    def may_linger(self, transport: asyncio.BaseTransport) -> bool:
        """Return whether one more connection that was given up may stay open for a moment."""
        if len(self._lingering) < _MOST_LINGERING:
            self._lingering.add(transport)
        return transport in self._lingering

    def release(self, transport: asyncio.BaseTransport) -> None:
        """Stop counting a connection."""
        self._networks.pop(transport, None)
        self._lingering.discard(transport)

    def _refusal(self, network: str) -> Problem | None:
        if len(self._networks) >= self.bounds.connections:
            return _MANY
        if sum(1 for one in self._networks.values() if one == network) >= self.bounds.of_address:
            return _MANY_OF_ADDRESS
        return None


class BoundedProtocol(H11Protocol):
    """uvicorn's protocol for HTTP/1.1, which waits for no client forever; `bounded` makes the class for a server."""

    open_connections: OpenConnections

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._patience = self.open_connections.bounds.patience
        self._looking: asyncio.TimerHandle | None = None
        self._given_up = False
        self._received = 0
        self._head_began = False
        self._requests = 0
        self._resumed = 0
        self._state: tuple[object, ...] | None = ("head", 0)
        self._since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, or answer with the problem for which the connection is not served."""
        super().connection_made(transport)
        self._since = self.loop.time()
        refusal = self.open_connections.refusal(transport, self.client[0] if self.client else "")
        if refusal is not None:
            self._give_up(refusal)
            return
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection, and end its timer."""
        self.open_connections.release(self.transport)
        if self._looking is not None:
            self._looking.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take the received bytes, unless the connection was given up."""
        if self._given_up:
            return
        self._received += len(data)
        self._head_began = True
        super().data_received(data)
        if self._chunk_size() > _MOST_CHUNK:
            self._give_up(_BAD_CHUNK)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Leave the connection to the protocol of WebSockets."""
        if self._looking is not None:
            self._looking.cancel()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Answer unreadable bytes with the status that their error names; called while that error is handled."""
        error = sys.exc_info()[1]
        in_body = self.cycle is not None and self.cycle.more_body
        too_long = getattr(error, "error_status_hint", 400) == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        self._give_up(_BAD_CHUNK if in_body else _LARGE_HEAD if too_long else _MALFORMED)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._requests += 1
        # The bytes that were read ahead are of the next one.
        self._head_began = bool(self.conn.trailing_data[0])
        super().on_response_complete()

    def resume_writing(self) -> None:
        """Note that the client reads."""
        self._resumed += 1
        super().resume_writing()

    def shutdown(self) -> None:
        """End at the request of the server."""
        if self._given_up:
            self.transport.abort()
        else:
            super().shutdown()

    def _look_later(self) -> None:
        self._looking = self.loop.call_later(self._patience / _LOOKS, self._look)

    def _look(self) -> None:
        """Give the connection up if it has waited for the same thing from its client for too long."""
        state, now = self._waits_for(), self.loop.time()
        if state is None or state != self._state:
            self._state, self._since = state, now
        elif now - self._since >= self._patience:
            self._end(state[0])
            return
        self._look_later()

    def _waits_for(self) -> tuple[object, ...] | None:
        """Return the client event that the connection waits for, and its progress; None if it waits for none."""
        unsent = self.transport.get_write_buffer_size()
        answered = self.cycle is None or self.cycle.response_complete
        if self.transport.is_closing() or (unsent and (answered or self.flow.write_paused)):
            return "reader", self._resumed, unsent
        if self.conn.their_state is h11.IDLE:
            # uvicorn itself ends a kept connection on which no further request begins.
            return ("head", self._requests) if self._head_began or self.cycle is None else None
        if self.conn.their_state is not h11.SEND_BODY:
            return None
        if answered:
            return "rest", self._requests
        if self.flow.read_paused or self.cycle.waiting_for_100_continue:
            return None
        return "body", self._requests, self._received // LEAST_PROGRESS

    def _end(self, waited_for: object) -> None:
        if waited_for == "body" or (waited_for == "head" and self._head_began):
            self._give_up(_LATE)
        else:
            self.transport.abort()

    def _give_up(self, problem: Problem) -> None:
        """Answer with a problem, if no answer has begun, and close the connection once the client had time to read."""
        self._given_up = True
        self._unset_keepalive_if_required()
        if self._looking is not None:
            self._looking.cancel()
        begun = False
        if self.cycle is not None and not self.cycle.response_complete:
            begun = self.cycle.response_started
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if begun or self.transport.is_closing():
            self.transport.abort()
            return
        self.transport.write(_answer(problem))
        if not self.open_connections.may_linger(self.transport):
            self.transport.close()
            return
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._looking = self.loop.call_later(_LINGER, self.transport.abort)

    def _chunk_size(self) -> int:
        # h11 believes any number of up to 20 digits, and says nowhere else which it was.
        size = getattr(getattr(self.conn, "_reader", None), "_bytes_in_chunk", 0)
        return size if isinstance(size, int) else 0


def bounded(bounds: Bounds) -> type[BoundedProtocol]:
    """Return the protocol of one server's connections."""
    return type("ServerProtocol", (BoundedProtocol,), {"open_connections": OpenConnections(bounds)})


def _answer(problem: Problem) -> bytes:
    """Return a problem as a whole response of HTTP/1.1."""
    lines = [
        f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}",
        f"content-type: {MEDIA_TYPE}",
        f"content-length: {len(problem.content)}",
        "connection: close",
        *([] if problem.retry_after is None else [f"retry-after: {problem.retry_after}"]),
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + problem.content
