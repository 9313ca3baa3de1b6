"""A node as its peers see it: a log, its documents, and everything that a test may make it lie about.

It has no database. `add` logs a document as an honest node does; the attributes are what it serves, and may be changed.
"""

import json
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from builders import agent_key
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from a2ap.log.checkpoint import Checkpoint, sign_checkpoint
from a2ap.log.entry import LogEntry, entry_bytes
from a2ap.log.merkle import hash_leaf, root_hash
from a2ap.log.signed_note import VerifierKey
from a2ap.log.tiles import TILE_WIDTH, parse_tile_path, write_entry_bundle, write_tile
from a2ap.messages.message import read_message
from a2ap.signing.keys import SigningKey
from graph.cli.server import bind, listening
from graph.log.entry import entry_of
from graph.node import node_from_key
from graph.settings import Settings

RECEIVED = datetime(2025, 10, 14, 11, tzinfo=UTC)


class PeerSimulator:
    """A peer of which everything can be set; `requests` are those that it got."""

    def __init__(self, seed: int = 41, log_seed: int = 42) -> None:
        self.node = node_from_key(agent_key(seed))
        self.key: SigningKey = agent_key(log_seed)
        self.leaves: list[bytes] = []
        self.documents: dict[str, bytes] = {}
        self.redacted: dict[str, tuple[str, str]] = {}
        self.withheld: dict[str, str] = {}
        self.successions: list[str] = []
        self.stated: bytes | None = None
        self.note: str | None = None
        self.bundles: list[bytes] | None = None
        self.status = 200
        self.requests: list[Request] = []
        self.bodies: list[bytes] = []
        self.sources: dict[str, Path] = {}
        self.answer_source: Callable[[Request], Response] | None = None
        self.source_requests: list[Request] = []

    @property
    def origin(self) -> str:
        return self.node.origin

    @property
    def log_key(self) -> VerifierKey:
        return VerifierKey(self.origin, self.key.public_key)

    def add(self, *documents: bytes, **changes: Any) -> list[LogEntry]:
        """Log documents; `changes` are of the entries, so that they lie."""
        return [self._add(document, **changes) for document in documents]

    def _add(self, document: bytes, **changes: Any) -> LogEntry:
        message = read_message(document)
        made = entry_of(message, log_index=len(self.leaves), origin=self.origin, received_at=RECEIVED)
        entry = LogEntry(**{**{name: getattr(made, name) for name in LogEntry.__slots__}, **changes})
        self.leaves.append(entry_bytes(entry))
        self.documents[entry.document_hash] = document
        return entry

    def checkpoint(self, size: int | None = None, *, root: bytes | None = None) -> str:
        """Return the signed checkpoint of the first leaves."""
        leaves = self.leaves[: len(self.leaves) if size is None else size]
        root = root_hash([hash_leaf(leaf) for leaf in leaves]) if root is None else root
        return sign_checkpoint(Checkpoint(self.origin, len(leaves), root), self.key)

    @asynccontextmanager
    async def served(self) -> AsyncIterator[str]:
        """Serve it on a free port; yield its address."""
        routes = [
            Route("/log/checkpoint", self._checkpoint),
            Route("/log/{path:path}", self._tile),
            Route("/messages/fetch", self._fetch, methods=["POST"]),
            Route("/.well-known/a2ap", self._stated),
            Route("/sources/{name}", self._source),
        ]
        settings = Settings(data=Path("peer"), names=("peer.example",))
        async with listening(Starlette(routes=routes), bind("127.0.0.1", 0), settings=settings) as address:
            yield address

    async def _checkpoint(self, request: Request) -> Response:
        self.requests.append(request)
        return Response(self.note or self.checkpoint(), self.status, media_type="text/plain")

    async def _tile(self, request: Request) -> Response:
        self.requests.append(request)
        tile = parse_tile_path(request.path_params["path"])
        start = tile.index * TILE_WIDTH
        if tile.level is None:
            entries = self.leaves if self.bundles is None else self.bundles
            return Response(write_entry_bundle(entries[start : start + tile.width]))
        hashes = [hash_leaf(leaf) for leaf in self.leaves]
        count = TILE_WIDTH**tile.level
        nodes = [root_hash(hashes[place : place + count]) for place in range(0, len(hashes), count)]
        return Response(write_tile(nodes[start : start + tile.width]))

    async def _fetch(self, request: Request) -> Response:
        self.requests.append(request)
        body = await request.body()
        self.bodies.append(body)
        lines = [json.dumps(self._given(name)) for name in json.loads(body)["hashes"]]
        return Response("".join(line + "\n" for line in lines), media_type="application/x-ndjson")

    async def _source(self, request: Request) -> Response:
        self.source_requests.append(request)
        if self.answer_source is not None:
            return self.answer_source(request)
        path = self.sources.get(request.path_params["name"])
        return Response(status_code=404) if path is None else FileResponse(path)

    async def _stated(self, request: Request) -> Response:
        self.requests.append(request)
        if self.stated is not None:
            return Response(self.stated, media_type="application/json")
        return JSONResponse({"logKeySuccessions": self.successions})

    def _given(self, name: str) -> dict[str, Any]:
        document = self.documents.get(name)
        by, redacted_hash = self.redacted.get(name, (None, None))
        shown = None if document is None or name in self.withheld or by else b64encode(document).decode()
        redacted = {"by": by, "documentHash": redacted_hash} if by else None
        return {"hash": name, "document": shown, "withheld": self.withheld.get(name), "redacted": redacted}
