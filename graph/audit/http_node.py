"""A node that is audited over HTTP."""

import base64
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx

from a2ap.client import is_loopback
from graph.audit.node_files import GivenMessage, MissingFileError, WithheldError
from graph.errors import AuditError

_TIMEOUT = httpx.Timeout(60.0)  # seconds without a byte
_MAX_LINE = 16 * 2**20
_MAX_FILE = 32 * 2**20
_MAX_MESSAGES = 256 * 2**20


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
        """Return the log key that the node states in `/.well-known/a2ap`, None where it states none."""
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
        """Return what is given of these messages, in order."""
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
            async for piece in response.aiter_bytes():
                yield piece

    async def graph_lines(self, size: int) -> AsyncIterator[bytes]:
        """Yield the rows of the graph at a size of the log."""
        async with self._answer("GET", "/export", params={"format": "graph-ndjson", "size": size}) as response:
            kept = b""
            async for piece in response.aiter_bytes():
                *lines, kept = (kept + piece).split(b"\n")
                if len(kept) > _MAX_LINE:
                    raise AuditError(f"{self._url}/export has a line of more than {_MAX_LINE} bytes")
                for line in lines:
                    yield line
            if kept:
                yield kept

    async def _get(self, path: str) -> bytes:
        async with self._answer("GET", path) as response:
            return await self._read(response, _MAX_FILE)

    async def _read(self, response: httpx.Response, limit: int) -> bytes:
        """Return the body; a node that is audited may send what it likes."""
        body = bytearray()
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > limit:
                raise AuditError(f"{response.url} is answered with more than {limit} bytes")
        return bytes(body)

    @asynccontextmanager
    async def _answer(self, method: str, path: str, **options: Any) -> AsyncIterator[httpx.Response]:
        try:
            async with self._client.stream(method, f"{self._url}{path}", **options) as response:
                if response.is_success:
                    yield response
                    return
                # What an error says is not read: it may have no end.
                said = f"{path} is answered {response.status_code} {response.reason_phrase}"
                if response.status_code in (401, 403):
                    raise WithheldError(said)
                if response.status_code in (404, 410):
                    raise MissingFileError(said)
                raise AuditError(f"{self._url}{said}")
        except httpx.HTTPError as error:
            raise AuditError(f"{self._url}{path} is not answered to the end: {type(error).__name__}") from error


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
