"""A node that is audited over HTTP."""

import base64
import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx

from a2ap.client import is_loopback
from graph.audit.node_files import GivenMessage, MissingFileError, TooLongError, WithheldError
from graph.errors import AuditError

MAX_SOURCE = 2**32
"""Maximum bytes of a source that an auditor takes; the default maximum of a node is a quarter of it."""

_TIMEOUT = httpx.Timeout(60.0)  # seconds without a byte
_PATIENCE = 300.0  # seconds for a whole answer, and one more for each
_SLOWEST = 16 * 2**10  # bytes of it
_MAX_LINE = 16 * 2**20
_MAX_FILE = 32 * 2**20
_MAX_MESSAGES = 256 * 2**20
# The rows that one entry of the log may add to the graph: a message has a mebibyte, and cites a mebibyte of text in up
# to a thousand places, with as many chunks, documents and relationships.
_MAX_ROWS_AN_ENTRY = 10_000
_MAX_ROW_BYTES_AN_ENTRY = 16 * 2**20


class HttpNode:
    """The files of a running node; `open_http_node` makes one."""

    def __init__(self, client: httpx.AsyncClient, url: str) -> None:
        self._client = client
        self._url = url

    @property
    def name(self) -> str:
        """Return the address."""
        return self._url

    async def checkpoint(self) -> str:
        """Return the newest checkpoint."""
        return (await self._get("/log/checkpoint")).decode("utf-8", "replace")

    async def log_key(self) -> str | None:
        """Return the log key that the node states in `/.well-known/a2ap`, None if it states none."""
        try:
            stated = json.loads(await self._get("/.well-known/a2ap"))
        except (MissingFileError, ValueError, RecursionError):
            return None
        key = stated.get("logKey") if isinstance(stated, dict) else None
        return key if isinstance(key, str) else None

    async def tile(self, path: str) -> bytes:
        """Return a tile or an entry bundle."""
        return await self._get(f"/log/{path}")

    async def messages(self, hashes: Sequence[str]) -> list[GivenMessage]:
        """Return the messages as the node gives them, in order."""
        async with self._answer("POST", "/messages/fetch", json={"hashes": list(hashes)}) as response:
            lines = (await self._read(response, _MAX_MESSAGES)).split(b"\n")
        try:
            given = [_read_message(line) for line in lines if line]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise AuditError(f"{self._url}/messages/fetch does not answer as this API does") from error
        if [message.document_hash for message in given] != list(hashes):
            raise AuditError(f"{self._url}/messages/fetch gives other messages than were asked for")
        return given

    async def source(self, document_hash: str) -> AsyncIterator[bytes]:
        """Yield the bytes of a source."""
        async with self._answer("GET", f"/sources/{document_hash}") as response:
            length = 0
            async for piece in _pieces(response, 2 * MAX_SOURCE):
                length += len(piece)
                if length > MAX_SOURCE:
                    raise TooLongError(f"sources of more than {MAX_SOURCE} bytes")
                yield piece

    async def graph_lines(self, size: int) -> AsyncIterator[bytes]:
        """Yield the rows of the graph at a tree size."""
        async with self._answer("GET", "/export", params={"format": "graph-ndjson", "size": size}) as response:
            kept, rows = b"", 0
            async for piece in _pieces(response, _MAX_ROW_BYTES_AN_ENTRY * (size + 1)):
                *lines, kept = (kept + piece).split(b"\n")
                rows += len(lines)
                if len(kept) > _MAX_LINE:
                    raise AuditError(f"{self._url}/export has a line of more than {_MAX_LINE} bytes")
                if rows > _MAX_ROWS_AN_ENTRY * (size + 1):
                    raise AuditError(f"{self._url}/export has more rows than a log of {size} entries can make")
                for line in lines:
                    yield line
            if kept:
                yield kept

    async def _get(self, path: str) -> bytes:
        async with self._answer("GET", path) as response:
            return await self._read(response, _MAX_FILE)

    async def _read(self, response: httpx.Response, limit: int) -> bytes:
        """Return the body, up to `limit` bytes; an audited node may send anything."""
        return b"".join([piece async for piece in _pieces(response, limit)])

    @asynccontextmanager
    async def _answer(self, method: str, path: str, **options: Any) -> AsyncIterator[httpx.Response]:
        try:
            async with self._client.stream(method, f"{self._url}{path}", **options) as response:
                if response.is_success:
                    yield response
                    return
                # The body of an error is not read: it may have no end.
                said = f"{path} is answered {response.status_code} {response.reason_phrase}"
                if response.status_code in (401, 403):
                    raise WithheldError(said)
                if response.status_code in (404, 410):
                    raise MissingFileError(said)
                raise AuditError(f"{self._url}{said}")
        except httpx.HTTPError as error:
            raise AuditError(f"{self._url}{path} is not answered to the end: {type(error).__name__}") from error


async def _pieces(response: httpx.Response, limit: int) -> AsyncIterator[bytes]:
    """Yield a body of up to `limit` bytes, for as long as it comes fast enough. Raises AuditError."""
    length, begun = 0, time.monotonic()
    async for piece in response.aiter_bytes():
        length += len(piece)
        if length > limit:
            raise AuditError(f"{response.url} is answered with more than {limit} bytes")
        if time.monotonic() - begun > _PATIENCE + length / _SLOWEST:
            raise AuditError(f"{response.url} has sent {length} bytes in {_PATIENCE:.0f} seconds and more")
        yield piece


@asynccontextmanager
async def open_http_node(url: str, token: str | None = None) -> AsyncIterator[HttpNode]:
    """Yield the files of the node at an address, as far as the token may read them."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(headers=headers, timeout=_TIMEOUT, trust_env=not is_loopback(url)) as client:
        yield HttpNode(client, url)


def _read_message(line: bytes) -> GivenMessage:
    members = json.loads(line)
    document = members["document"]
    return GivenMessage.from_members(
        members, base64.b64decode(document, validate=True) if document is not None else None
    )
