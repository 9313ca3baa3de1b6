"""Sources of an agent that are too large for memory: sent in pieces with progress, of files, streams and addresses."""

import asyncio
import http.server
import inspect
import io
import os
import threading
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from a2ap import Agent, AsyncAgent, Source
from a2ap.agent import content as content_module
from a2ap.agent.content import IN_MEMORY, FileContent
from a2ap.canonical import sha256_digest
from a2ap.client import Client
from a2ap.testing import MakeAgent
from a2ap.testing.node import Node

MIB = 2**20
QUOTE = "keep the height limit at forty feet"
SIZE = 3 * IN_MEMORY


@pytest.fixture(params=[Agent, AsyncAgent], ids=["blocking", "asynchronous"])
def clerk(request: pytest.FixtureRequest, make_a2ap_agent: MakeAgent) -> Agent | AsyncAgent:
    made: Agent | AsyncAgent = make_a2ap_agent("Clerk", kind=request.param)
    return made


@pytest.fixture
def minutes(tmp_path: Path) -> Path:
    """Return a large file, a new one for each test; a quote lies over the end of a piece, and one at the end."""
    path = tmp_path / "minutes.txt"
    line = os.urandom(32).hex().encode() + b"\n"
    with path.open("wb") as file:
        for _ in range(SIZE // MIB):
            file.write((line * (MIB // len(line) + 1))[:MIB])
        file.seek(2 * MIB - 10)
        file.write(QUOTE.encode())
        file.seek(SIZE - 5)
        file.write(b"close")
    return path


async def awaited(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def test_a_large_file_is_sent_in_pieces_and_never_whole_in_memory(
    clerk: Agent | AsyncAgent, minutes: Path, a2ap_node: Node
) -> None:
    told: list[tuple[int, int]] = []
    tracemalloc.start()
    try:
        source = await awaited(clerk.source(minutes, progress=lambda sent, total: told.append((sent, total))))
        receipt = await awaited(clerk.claim("The limit stays.", quote=[QUOTE, "close"], source=source))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < IN_MEMORY
    assert told == [(MIB * number, SIZE) for number in range(1, SIZE // MIB + 1)]
    assert receipt.created and source.title == "minutes.txt"
    with Client(a2ap_node.url) as client:
        assert await asyncio.to_thread(client.source, source.document_hash) == minutes.read_bytes()


async def test_large_bytes_that_the_node_has_are_not_sent_again(clerk: Agent | AsyncAgent, minutes: Path) -> None:
    first = await awaited(clerk.source(minutes, title="Minutes"))
    told: list[tuple[int, int]] = []
    second = await awaited(clerk.source(minutes, title="Again", progress=lambda *sent: told.append(sent)))
    assert told == [(SIZE, SIZE)] and second.document_hash == first.document_hash


async def test_a_small_source_has_progress_too(clerk: Agent | AsyncAgent) -> None:
    told: list[tuple[int, int]] = []
    content = os.urandom(100)
    source = await awaited(clerk.source(content, title="Bytes", progress=lambda *sent: told.append(sent)))
    assert told == [(100, 100)] and source.content == content


async def test_streams_are_sources(clerk: Agent | AsyncAgent, minutes: Path) -> None:
    with minutes.open("rb") as file:
        source = await awaited(clerk.source(file))
    assert source.title == "minutes.txt" and source.document_hash == sha256_digest(minutes.read_bytes())
    assert (await awaited(clerk.claim("So it is.", quote="close", source=source))).created
    small = await awaited(clerk.source(io.BytesIO(b"A short text."), title="Notes"))
    assert small.content == b"A short text."
    with pytest.raises(ValueError, match="a source of bytes has a title"):
        await awaited(clerk.source(io.BytesIO(b"A short text.")))
    with pytest.raises(TypeError, match="the stream of a source gives text, not bytes"):
        await awaited(clerk.source(io.StringIO("A short text."), title="Notes"))  # type: ignore[arg-type]


@pytest.fixture
def site(minutes: Path) -> Iterator[str]:
    class Files(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(minutes.parent))

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


async def test_an_address_is_fetched_and_sent_in_pieces(clerk: Agent | AsyncAgent, minutes: Path, site: str) -> None:
    tracemalloc.start()
    try:
        source = await awaited(clerk.source(f"{site}/minutes.txt"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2 * IN_MEMORY  # up to `IN_MEMORY` the pieces are collected in memory
    assert source.title == "minutes.txt" and source.document_hash == sha256_digest(minutes.read_bytes())


class LostBody(httpx.BaseTransport):
    """Real connections, of which the first body is lost in the middle."""

    def __init__(self) -> None:
        self.lost = False
        self._real = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "PUT" and not self.lost:
            assert isinstance(request.stream, httpx.SyncByteStream)
            for _ in zip(range(3), request.stream, strict=False):
                self.lost = True
            raise httpx.WriteError("connection reset", request=request)
        return self._real.handle_request(request)


def test_progress_begins_anew_when_the_bytes_are_sent_again(
    make_a2ap_agent: MakeAgent, minutes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("a2ap.agent.exchange._FIRST_PAUSE", 0.01)
    clerk = make_a2ap_agent("Clerk")
    told: list[int] = []
    with Agent(clerk._operations.identity, clerk.node, transport=LostBody()) as agent:
        agent.source(minutes, title="Minutes", progress=lambda sent, _: told.append(sent // MIB))
    assert told == [1, 2, *range(1, SIZE // MIB + 1)]


@given(data=st.data())
def test_words_are_found_in_a_file_as_in_bytes(data: st.DataObject) -> None:
    content = data.draw(st.binary(min_size=1, max_size=40).map(lambda some: bytes(one % 3 for one in some)))
    words = data.draw(st.binary(min_size=1, max_size=4).map(lambda some: bytes(one % 3 for one in some)))
    start = data.draw(st.integers(0, len(content)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(content_module, "_PIECE", data.draw(st.integers(1, 7)))
        file = FileContent(io.BytesIO(content))
        assert file.find(words, start) == content.find(words, start)
        assert b"".join(content_module.pieces_of(file)) == content and file[start:] == content[start:]
        assert Source("urn:x", file) == Source("urn:x", content)
