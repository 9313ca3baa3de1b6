"""The original of a mirror: the graph of a running platform, or of a local database, as `graph-ndjson` rows."""

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import httpx

from a2ap.boundary import Boundary
from a2ap.client import UnreachableError, is_loopback
from a2ap.errors import LogError
from a2ap.log.checkpoint import open_checkpoint, read_checkpoint
from a2ap.log.signed_note import VerifierKey, read_note
from graph.content.content_store import ContentStore
from graph.export import ExportFormat, Wanted, open_reader
from graph.export.graph_rows import graph_rows
from graph.log.entry import log_size
from graph.mirror.errors import MirrorError
from graph.past.score_history import ScoreHistory, history_rows
from graph.past.score_replay import COLUMNS, ScoreChange
from graph.store import Store, scratch_store
from graph.transparency.log_root import LogRoot, checkpoint_at

_ENTRIES = 1000
_TIMEOUT = httpx.Timeout(300.0, connect=30.0)  # seconds without a byte
_PATIENCE = 3600.0  # seconds that a node may take to find scores: after a start it replays its log
_PAUSE = 1.0  # seconds until it is asked again


@dataclass(frozen=True, slots=True)
class LogHead:
    """A log and its size; `log` is "" before the first entry."""

    log: str
    size: int
    root: bytes
    checkpoint: str | None


class Original(Protocol):
    """A source that a mirror copies from."""

    async def head(self) -> LogHead:
        """Return the present head of the log."""

    def rows(self, since: int, size: int) -> AsyncIterator[bytes]:
        """Yield the rows of the graph of the first `size` entries, or the changes since, in pieces of any size."""

    def scores(self, since: int, size: int) -> AsyncIterator[ScoreChange]:
        """Yield the changes of scores after `since` entries and up to `size`, in the order of the log."""


class LocalOriginal:
    """The database of the local platform."""

    def __init__(self, store: Store, content: ContentStore, clearance: Boundary, heap: str = "512m") -> None:
        self._store = store
        self._content = content
        self._clearance = clearance
        self._heap = heap
        self._root = LogRoot(store)
        self._history: ScoreHistory | None = None

    async def head(self) -> LogHead:
        """Return the present head of the log."""
        size = await log_size(self._store)
        root = await self._root.at(size)
        first = await self._store.read("log_entries_from", start=0, first=1)
        note = await checkpoint_at(self._content, size, root)
        return LogHead(first[0]["agent"] if first else "", size, root, note)

    async def rows(self, since: int, size: int) -> AsyncIterator[bytes]:
        """Yield the rows of the graph."""
        async with open_reader(self._store, self._content, Wanted(self._clearance, size, since=since)) as reader:
            async for piece in graph_rows(reader):
                yield piece

    async def scores(self, since: int, size: int) -> AsyncIterator[ScoreChange]:
        """Yield the changes of scores, from a replay of the log in a separate engine."""
        if self._history is None:
            self._history = ScoreHistory(self._store, self._content, self._scratch, begin=since)
        async for change in history_rows(self._history, since, size, _ENTRIES):
            yield change

    async def aclose(self) -> None:
        """Stop the separate engine."""
        if self._history is not None:
            await self._history.aclose()

    @asynccontextmanager
    async def _scratch(self) -> AsyncIterator[Store]:
        with tempfile.TemporaryDirectory(prefix="a2ap-mirror-") as folder:
            async with scratch_store(Path(folder), heap=self._heap, brief=True) as store:
                yield store


class _NotReadyError(UnreachableError):
    """The node is still computing the response; a later request will get it."""


class RemoteOriginal:
    """A running platform, read with the clearance of a token; with `key`, its log is the one signed by that key."""

    def __init__(self, url: str, token: str | None, key: VerifierKey | None) -> None:
        self._url = url
        self._key = key
        self._headers = {"authorization": f"Bearer {token}"} if token else {}

    async def head(self) -> LogHead:
        """Return the present head of the log, from its newest checkpoint."""
        note = b"".join([piece async for piece in self._get("/log/checkpoint", {})]).decode("utf-8", "replace")
        try:
            found = open_checkpoint(note, self._key) if self._key else read_checkpoint(read_note(note).text)
        except LogError as error:
            raise MirrorError(f"the checkpoint of {self._url}: {error}") from error
        return LogHead(found.origin, found.tree_size, found.root_hash, note)

    async def rows(self, since: int, size: int) -> AsyncIterator[bytes]:
        """Yield the rows of the graph."""
        asked = {"format": ExportFormat.GRAPH_ROWS.value, "size": size, **({"since": since} if since else {})}
        async for piece in self._get("/export", asked):
            yield piece

    async def scores(self, since: int, size: int) -> AsyncIterator[ScoreChange]:
        """Yield the changes of scores; the node returns them in parts."""
        while since < size:
            text = await self._scores(since, size)
            head, *lines = [json.loads(line) for line in text.splitlines()]
            reached = int(head["scores"]["logSize"])
            if reached <= since:
                raise MirrorError(f"{self._url} gives no scores behind {since} entries of the log")
            for row in lines:
                kind = next(one for one in COLUMNS if one in row)
                values = tuple(row[name] for name in COLUMNS[kind])
                yield ScoreChange(kind, row[kind], int(row["logSize"]), values)
            since = reached

    async def _scores(self, since: int, size: int) -> bytes:
        """Return one part of the changes of scores, once the node has computed them."""
        clock = asyncio.get_running_loop().time
        end = clock() + _PATIENCE
        while True:
            try:
                return b"".join([piece async for piece in self._get("/scores", {"since": since, "size": size})])
            except _NotReadyError:
                if clock() > end:
                    raise
            await asyncio.sleep(_PAUSE)

    async def aclose(self) -> None:
        """Do nothing: every response is read to its end."""

    async def _get(self, path: str, parameters: dict[str, Any]) -> AsyncIterator[bytes]:
        try:
            async with (
                httpx.AsyncClient(
                    headers=self._headers, timeout=_TIMEOUT, trust_env=not is_loopback(self._url)
                ) as client,
                client.stream("GET", f"{self._url}{path}", params=parameters) as response,
            ):
                if not response.is_success:
                    await response.aread()
                    raise _refused(self._url, response)
                async for piece in response.aiter_bytes():
                    yield piece
        except httpx.HTTPError as error:
            raise UnreachableError(f"{self._url} does not answer to the end") from error


def _refused(url: str, response: httpx.Response) -> Exception:
    try:
        problem = response.json()
        detail, code = str(problem["detail"]), problem.get("code")
    except (ValueError, KeyError, TypeError):
        detail, code = response.reason_phrase, None
    answer = f"{url} answered {response.status_code}: {detail}"
    if response.status_code == 503 and code == "NOT_READY":
        return _NotReadyError(answer)
    # A node that starts, or has too much to do, answers later.
    return (
        UnreachableError(answer) if response.status_code >= 500 or response.status_code == 429 else MirrorError(answer)
    )
