"""A client of a peer over HTTP that trusts no answer: bounded in size and time, from the agreed address, in one form.

Answers are not verified here; only their form is checked. The bytes that a peer may give in a day are counted as they
arrive, of any kind.
"""

import asyncio
import base64
import binascii
import json
import re
import ssl
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

import httpx

from a2ap.errors import LogFormatError
from a2ap.json_text import MAX_BYTES
from a2ap.log.signed_note import MAX_NOTE_BYTES
from a2ap.log.tiles import TILE_WIDTH, Tile, entries_path, read_entry_bundle, read_tile
from a2ap.signing.keys import Signer
from graph.audit.node_files import GivenMessage
from graph.database.endpoint import without_certificates
from graph.federation.errors import PeerAnswerError, PeerQuotaError, PeerStatusError
from graph.federation.peer_address import addresses_of
from graph.federation.request_signature import sign_request
from graph.keys.signing_aside import signed_aside

MAX_HASHES = 64
"""Maximum documents requested at once: even if all have the maximum size, the answer is bounded."""

_TIMEOUT = httpx.Timeout(30.0, connect=10.0)  # seconds without a byte
_PATIENCE = 300.0  # seconds for one whole answer
_MAX_LINE = MAX_BYTES * 4 // 3 + 4096
_MAX_BUNDLE = TILE_WIDTH * (2 + 65_535)
_MAX_STATED = 2**20
_LENGTH = re.compile(r"[0-9]{1,18}")
_CONTENT_RANGE = re.compile(r"bytes ([0-9]{1,18})-[0-9]{1,18}/([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class GivenSource:
    """The bytes of a source as they arrive, from byte `start` on; `total` is the stated length of the whole in bytes.

    Nothing of it is verified. `total` is None if the peer does not state it.
    """

    start: int
    total: int | None
    pieces: AsyncIterator[bytes]


class PeerClient:
    """The peer at `url`; `budget` is the number of bytes that it may give, and `spent` the number that it gave.

    `private` states that its address may be in a private network.
    """

    def __init__(
        self,
        http: httpx.AsyncClient,
        url: str,
        signer: Signer | None,
        clock: Callable[[], datetime],
        budget: int,
        *,
        private: bool = False,
    ) -> None:
        self._http = http
        self._url = url
        self._signer = signer
        self._clock = clock
        self._budget = budget
        self._private = private
        self._addresses: list[str] = []
        self.spent = 0

    async def checkpoint(self) -> str:
        """Return the newest checkpoint, as unverified text."""
        return _text(await self._get("/log/checkpoint", MAX_NOTE_BYTES))

    async def successions(self) -> list[str]:
        """Return the notes with which the peer states that its log key was handed over, in order."""
        try:
            stated = json.loads(await self._get("/.well-known/a2ap", _MAX_STATED))
        except (ValueError, RecursionError) as error:
            raise PeerAnswerError(f"{self._url}/.well-known/a2ap is not JSON") from error
        notes = stated.get("logKeySuccessions", []) if isinstance(stated, dict) else None
        if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
            raise PeerAnswerError(f"{self._url}/.well-known/a2ap states no list of successions")
        return notes

    async def tile(self, tile: Tile) -> tuple[bytes, ...]:
        """Return the hashes of a tile, as many as requested."""
        try:
            hashes = read_tile(await self._get(f"/log/{tile.path}", TILE_WIDTH * 32))
        except LogFormatError as error:
            raise PeerAnswerError(f"{self._url}/log/{tile.path}: {error}") from error
        if len(hashes) != tile.width:
            raise PeerAnswerError(f"{self._url}/log/{tile.path} has {len(hashes)} hashes")
        return hashes

    async def entries(self, index: int, width: int) -> tuple[bytes, ...]:
        """Return the entries of a bundle, as many as requested."""
        path = entries_path(index, width)
        try:
            entries = read_entry_bundle(await self._get(f"/log/{path}", _MAX_BUNDLE))
        except LogFormatError as error:
            raise PeerAnswerError(f"{self._url}/log/{path}: {error}") from error
        if len(entries) != width:
            raise PeerAnswerError(f"{self._url}/log/{path} has {len(entries)} entries")
        return entries

    async def messages(self, hashes: Sequence[str]) -> AsyncIterator[GivenMessage]:
        """Yield the messages as the peer gives them, in order, as they arrive; up to `MAX_HASHES` may be requested."""
        body = json.dumps({"hashes": list(hashes)}).encode()
        asked = iter(hashes)
        async with self._answer("POST", "/messages/fetch", body) as response:
            async for line in self._lines(response):
                given = self._read_message(line)
                if given.document_hash != next(asked, None):
                    raise PeerAnswerError(f"{self._url}/messages/fetch gives other messages than were asked for")
                yield given
        if next(asked, None) is not None:
            raise PeerAnswerError(f"{self._url}/messages/fetch gives fewer messages than were asked for")

    @asynccontextmanager
    async def source(self, document_hash: str, start: int, seconds: float) -> AsyncIterator[GivenSource]:
        """Request the bytes of a source from byte `start` on, which must have arrived within `seconds`.

        The peer may give the whole all the same. Raises `PeerStatusError` if it gives nothing.
        """
        path = f"/sources/{document_hash}"
        asked = {"range": f"bytes={start}-"} if start else {}
        async with self._answer("GET", path, b"", asked, min(seconds, _PATIENCE)) as response:
            begin, total = _place(response)
            if begin not in (0, start):
                raise PeerAnswerError(f"{self._url}{path} is answered from byte {begin} on, not from {start}")
            yield GivenSource(begin, total, self._pieces(response))

    def _read_message(self, line: bytes) -> GivenMessage:
        try:
            members: dict[str, Any] = json.loads(line)
            document = members["document"]
            content = None if document is None else base64.b64decode(document, validate=True)
            return GivenMessage.from_members(members, content)
        except (ValueError, KeyError, TypeError, AttributeError, binascii.Error, RecursionError) as error:
            raise PeerAnswerError(f"{self._url}/messages/fetch does not answer as this API does") from error

    async def _get(self, path: str, limit: int) -> bytes:
        pieces, length = [], 0
        async with self._answer("GET", path, b"") as response:
            async for piece in self._pieces(response):
                length += len(piece)
                if length > limit:
                    raise PeerAnswerError(f"{self._url}{path} has more than {limit} bytes")
                pieces.append(piece)
        return b"".join(pieces)

    async def _lines(self, response: httpx.Response) -> AsyncIterator[bytes]:
        kept = bytearray()
        async for piece in self._pieces(response):
            # Only the new bytes are looked through: a line may come byte by byte.
            *ended, rest = piece.split(b"\n")
            for part in ended:
                kept += part
                yield bytes(kept)
                kept.clear()
            kept += rest
            if len(kept) > _MAX_LINE:
                raise PeerAnswerError(f"{self._url} sends a line of more than {_MAX_LINE} bytes")
        if kept:
            yield bytes(kept)

    async def _pieces(self, response: httpx.Response) -> AsyncIterator[bytes]:
        # Nothing is asked for compressed: an answer is as long as it looks.
        async for piece in response.aiter_raw():
            left = self._budget - self.spent
            self.spent += len(piece)
            if len(piece) > left:
                # A line that fits is not lost: a document that is in it is taken.
                yield piece[: max(left, 0)]
                raise PeerQuotaError(f"{self._url} has given the {self._budget} bytes that it may today")
            yield piece

    @asynccontextmanager
    async def _answer(
        self,
        method: str,
        path: str,
        body: bytes,
        headers: Mapping[str, str] = MappingProxyType({}),
        seconds: float = _PATIENCE,
    ) -> AsyncIterator[httpx.Response]:
        request = self._http.build_request(method, f"{self._url}{path}", content=body or None, headers=dict(headers))
        if body:
            request.headers["content-type"] = "application/json"
        request.headers["accept-encoding"] = "identity"
        if (signer := self._signer) is not None:
            await signed_aside(signer, lambda: sign_request(request, body, signer, self._clock()))
        response: httpx.Response | None = None
        try:
            async with asyncio.timeout(seconds):
                response = await self._send(request)
                self._check(response, path)
                yield response
        except (httpx.HTTPError, OSError) as error:
            # TimeoutError is an OSError too: a peer that sends a byte now and then is not waited for.
            raise PeerAnswerError(f"{self._url}{path} is not answered to the end: {type(error).__name__}") from error
        finally:
            if response is not None:
                await response.aclose()

    async def _send(self, request: httpx.Request) -> httpx.Response:
        """Send a request to a checked address; Host, signature and certificate are of the name."""
        if not self._addresses:
            self._addresses = await addresses_of(self._url, private=self._private)
        host, named = request.url.host, request.url
        if named.scheme == "https":
            request.extensions = {**request.extensions, "sni_hostname": host}
        while True:
            request.url = named.copy_with(host=self._addresses[0])
            try:
                return await self._http.send(request, stream=True)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if len(self._addresses) == 1:
                    raise
                del self._addresses[0]

    def _check(self, response: httpx.Response, path: str) -> None:
        status = response.status_code
        if status != httpx.codes.OK and not (
            status == httpx.codes.PARTIAL_CONTENT and "range" in response.request.headers
        ):
            raise PeerStatusError(f"{self._url}{path} is answered {status}", status)
        if response.headers.get("content-encoding", "identity") != "identity":
            raise PeerAnswerError(f"{self._url}{path} is answered in an encoding that nobody asked for")


@asynccontextmanager
async def open_peer(
    url: str, signer: Signer | None, clock: Callable[[], datetime], budget: int, *, private: bool = False
) -> AsyncIterator[PeerClient]:
    """Yield a client of a peer; redirects are not followed.

    Each client has connections of its own: they are found by address, and a certificate was checked for one name.
    """
    trust = ssl.create_default_context() if url.lower().startswith("https:") else without_certificates()
    # No proxy of the environment: it would be asked instead of the peer, and its address is not the peer's.
    async with httpx.AsyncClient(timeout=_TIMEOUT, follow_redirects=False, trust_env=False, verify=trust) as http:
        yield PeerClient(http, url, signer, clock, budget, private=private)


def _place(response: httpx.Response) -> tuple[int, int | None]:
    """Return the first byte of the answer's content, and the length that the answer states for the whole."""
    if response.status_code == httpx.codes.OK:
        length = response.headers.get("content-length", "")
        return 0, int(length) if _LENGTH.fullmatch(length) else None
    stated = _CONTENT_RANGE.fullmatch(response.headers.get("content-range", ""))
    if stated is None:
        raise PeerAnswerError(f"{response.request.url.path} is answered with a part that is not named")
    return int(stated[1]), int(stated[2])


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise PeerAnswerError("the checkpoint is not UTF-8") from error
