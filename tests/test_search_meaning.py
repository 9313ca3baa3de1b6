"""Search by meaning: two stores of vectors that do the same, which follow the log and tell nobody of what is closed."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio
from builders import QUOTE, segment, signed_source, signed_statement
from embedding_server import EmbeddingServer, embedding_server
from graph_contents import run_raw
from platform_fixture import platform
from qdrant_client import AsyncQdrantClient
from scenario import AUTHOR, accept, hash_of, pieces, settle
from test_redaction import erasure_of

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import sha256_digest
from graph.clearance import ANONYMOUS, OPERATOR, Reader
from graph.errors import EmbeddingError, StoreUnavailableError
from graph.export.graph_rows import graph_rows
from graph.export.reader import ExportReader
from graph.platform import Platform
from graph.search import indexing as indexing_module
from graph.search.embedder import LOCAL_MODEL, Embedder
from graph.search.embedding_model import open_embedder
from graph.search.endpoint_embedder import EndpointEmbedder
from graph.search.fusion import FoundBy
from graph.search.graph_vectors import GraphVectors
from graph.search.local_embedder import LocalEmbedder
from graph.search.meaning import Meaning
from graph.search.qdrant_vectors import QdrantVectors
from graph.search.search import Search, open_search
from graph.search.vectors import IndexState, TextKind, TextVector, VectorStore
from graph.services.search_indexing import following, indexing_of
from graph.settings import Settings, SettingsError
from graph.store import Store

__all__ = ["platform"]

CAR = "A car burns on Main Street."
VEHICLE = "Two vehicles collided."
HOUSES = "Homes near the river are dear."
SECRET = "The car of the mayor is paid by the bridge fund."
SECRET_SOURCE = f"Minutes of a closed session.\n{SECRET}\n".encode()


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as running:
        yield running


@pytest.fixture
def model(server: EmbeddingServer) -> EmbeddingServer:
    """Return the endpoint as it was at the start."""
    server.requests.clear()
    server.keys.clear()
    server.status, server.answer, server.dimension = 200, None, 256
    return server


@pytest_asyncio.fixture(params=["graph", "qdrant"])
async def vectors(store: Store, request: pytest.FixtureRequest) -> AsyncIterator[VectorStore]:
    """Yield an empty store of vectors of each kind."""
    kept = GraphVectors(store) if request.param == "graph" else QdrantVectors(AsyncQdrantClient(":memory:"))
    yield kept
    await kept.aclose()


def with_meaning(platform: Platform, model: EmbeddingServer, vectors: VectorStore | None = None) -> Meaning:
    """Give a platform search by meaning."""
    embedder = EndpointEmbedder(model.url, "words", clearance=STRICTEST)
    meaning = Meaning(platform.store, embedder, vectors or GraphVectors(platform.store), 0.4)
    platform.search = Search(platform.store, meaning)
    return meaning


async def caught_up(platform: Platform) -> list[IndexState]:
    indexing = indexing_of(platform)
    assert indexing is not None
    return [state async for state in indexing.catch_up()]


async def found(platform: Platform, text: str, reader: Reader = ANONYMOUS) -> list[str]:
    return (await platform.search.find(reader, text, first=10)).hashes


async def kept_keys(platform: Platform) -> set[str]:
    rows = await run_raw(platform.store, "MATCH (v:SearchVector) RETURN v.vector_key AS key")
    return {row["key"] for row in rows}


def closed_source() -> bytes:
    return signed_source(AUTHOR, source=SECRET_SOURCE, source_id="urn:doc:test:closed", boundary=Boundary.CONFIDENTIAL)


def axis(*numbers: float) -> tuple[float, ...]:
    return tuple(numbers)


@pytest.mark.both_engines
async def test_a_store_keeps_vectors_by_key_kind_and_class(store: Store, vectors: VectorStore) -> None:
    await run_raw(store, "UNWIND ['a', 'b', 'c'] AS key CREATE (:Statement {signed_hash: key})")
    await run_raw(store, "UNWIND ['d', 'e'] AS key CREATE (:Chunk {chunk_key: key, text: 'said'})")
    assert await vectors.state() is None
    state = IndexState("words", 3)
    await vectors.begin(state)
    assert await vectors.state() == state
    claims = {"b": axis(0.6, 0.8, 0.0), "a": axis(0.6, 0.8, 0.0), "c": axis(1.0, 0.0, 0.0)}
    await vectors.put([TextVector(key, TextKind.CLAIM, Boundary.PUBLIC, one) for key, one in claims.items()])
    await vectors.put(
        [
            TextVector("d", TextKind.PASSAGE, Boundary.PUBLIC, axis(0.0, 0.0, 1.0)),
            TextVector("e", TextKind.PASSAGE, Boundary.IP_SENSITIVE, axis(1.0, 0.0, 0.0)),
        ]
    )

    async def nearest(kind: TextKind, *boundaries: Boundary, first: int = 5) -> list[tuple[str, float]]:
        near = await vectors.nearest(axis(1.0, 0.0, 0.0), kind, boundaries, first)
        return [(one.key, round(one.similarity, 5)) for one in near]

    assert await nearest(TextKind.CLAIM, Boundary.PUBLIC) == [("c", 1.0), ("a", 0.6), ("b", 0.6)]
    assert await nearest(TextKind.CLAIM, Boundary.PUBLIC, first=1) == [("c", 1.0)]
    assert await nearest(TextKind.PASSAGE, Boundary.PUBLIC, first=1) == [("d", 0.0)], "a closed text takes no place"
    assert await nearest(TextKind.PASSAGE, *Boundary) == [("e", 1.0), ("d", 0.0)]
    await vectors.put([TextVector("d", TextKind.PASSAGE, Boundary.PRIVATE, axis(1.0, 0.0, 0.0))])
    assert await nearest(TextKind.PASSAGE, Boundary.PUBLIC) == []
    assert await nearest(TextKind.PASSAGE, *Boundary) == [("d", 1.0), ("e", 1.0)]
    await vectors.remove(["c", "d", "nobody"])
    await vectors.remove([])
    assert await nearest(TextKind.CLAIM, Boundary.PUBLIC) == [("a", 0.6), ("b", 0.6)]
    await vectors.advance(replace(state, log_size=7))
    assert await vectors.state() == IndexState("words", 3, 7)
    await vectors.begin(IndexState("other", 2))
    assert await vectors.state() == IndexState("other", 2, 0)
    assert await vectors.nearest(axis(1.0, 0.0), TextKind.CLAIM, (Boundary.PUBLIC,), 5) == []


async def test_what_has_no_word_of_the_question_is_found_by_what_it_means(
    platform: Platform, model: EmbeddingServer, vectors: VectorStore
) -> None:
    await settle(platform)
    documents = [signed_statement(AUTHOR, claim=claim) for claim in (CAR, VEHICLE, HOUSES)]
    await accept(platform, *documents)
    car, vehicle, houses = map(hash_of, documents)
    assert await found(platform, "car") == [car]
    with_meaning(platform, model, vectors)
    assert (await platform.search.find(ANONYMOUS, "car", first=10)).by_meaning is False, "nothing is indexed yet"
    await caught_up(platform)

    answer = await platform.search.find(ANONYMOUS, "car", first=10)

    assert answer.by_meaning and answer.hashes == [car, vehicle]
    assert dict(answer.found[0].places) == {FoundBy.TEXT: 1, FoundBy.MEANING: 2}
    assert dict(answer.found[1].places) == {FoundBy.MEANING: 1}, "half of its words are the question's"
    assert await found(platform, "automobile") == [vehicle, car]
    assert await found(platform, "dwelling") == [houses]
    assert await found(platform, "claim:car") == [car], "who says more gets what it says"
    assert await found(platform, "automobile OR river") == [houses]
    assert await found(platform, "zebra") == []
    asked = await platform.search.find(ANONYMOUS, "automobile", first=10, min_score=0.0)
    assert asked.hashes == [], "nothing is verified"


async def test_a_closed_passage_is_near_to_nobody_below_its_class(
    platform: Platform, model: EmbeddingServer, vectors: VectorStore
) -> None:
    await settle(platform)
    closed = closed_source()
    await accept(platform, closed)
    await platform.sources.put(sha256_digest(SECRET_SOURCE), pieces(SECRET_SOURCE))
    secret = segment(SECRET, source=SECRET_SOURCE, source_id="urn:doc:test:closed")
    statement = signed_statement(AUTHOR, claim="Something was paid.", evidence=[secret])
    await accept(platform, statement)
    with_meaning(platform, model, vectors)
    await caught_up(platform)
    for reader in (ANONYMOUS, Reader(Boundary.INTERNAL)):
        assert await found(platform, "vehicle of the mayor", reader) == []
    for reader in (Reader(Boundary.CONFIDENTIAL), OPERATOR):
        assert await found(platform, "vehicle of the mayor", reader) == [hash_of(statement)]


async def test_an_endpoint_is_given_no_more_than_it_is_cleared_for(platform: Platform, model: EmbeddingServer) -> None:
    await settle(platform)
    closed = closed_source()
    await accept(platform, closed)
    await platform.sources.put(sha256_digest(SECRET_SOURCE), pieces(SECRET_SOURCE))
    secret = segment(SECRET, source=SECRET_SOURCE, source_id="urn:doc:test:closed")
    await accept(platform, signed_statement(AUTHOR, claim="Something was paid.", evidence=[secret, segment()]))
    settings = replace(platform.settings, embeddings_url=model.url, embeddings_model="words")
    for boundary, sent in (("public", False), ("internal", False), ("confidential", True)):
        async with open_search(platform.store, replace(settings, embeddings_boundary=boundary)) as search:
            platform.search = search
            await caught_up(platform)
        assert (SECRET in model.texts) is sent, boundary
        assert QUOTE in model.texts


async def test_a_source_that_gets_a_stricter_class_takes_its_passages_along(
    platform: Platform, model: EmbeddingServer, vectors: VectorStore
) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR, claim="It was said.", evidence=[segment("they want outdoor tables")])
    await accept(platform, statement)
    meaning = with_meaning(platform, model, vectors)
    await caught_up(platform)
    assert await found(platform, "tables outdoor want") == [hash_of(statement)]
    await accept(platform, signed_source(AUTHOR, boundary=Boundary.CONFIDENTIAL, publisher="Again"))
    assert await found(platform, "tables outdoor want") == [], "what is near is looked up as it is classed now"
    await caught_up(platform)
    asked = [float(number) for number in (await meaning.embedder.embed(["tables outdoor want"]))[0]]
    assert await vectors.nearest(asked, TextKind.PASSAGE, (Boundary.PUBLIC,), 5) == []
    assert len(await vectors.nearest(asked, TextKind.PASSAGE, (Boundary.CONFIDENTIAL,), 5)) == 1


async def test_what_is_erased_has_no_vector(platform: Platform, model: EmbeddingServer, vectors: VectorStore) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR, claim="It was said.", evidence=[segment("they want outdoor tables")])
    await accept(platform, statement)
    meaning = with_meaning(platform, model, vectors)
    await caught_up(platform)
    asked = [float(number) for number in (await meaning.embedder.embed(["outdoor tables"]))[0]]
    assert len(await vectors.nearest(asked, TextKind.PASSAGE, tuple(Boundary), 5)) == 1
    await accept(platform, erasure_of(platform))
    if isinstance(vectors, GraphVectors):
        assert await kept_keys(platform) == {hash_of(statement)}, "gone with the transaction that erased it"
    assert await found(platform, "outdoor tables", OPERATOR) == []
    await caught_up(platform)
    assert await vectors.nearest(asked, TextKind.PASSAGE, tuple(Boundary), 5) == []


async def test_passages_get_their_vectors_when_the_bytes_come(platform: Platform, model: EmbeddingServer) -> None:
    await settle(platform)
    late = b"They sell lemonade at the corner."
    statement = signed_statement(
        AUTHOR,
        claim="It was said.",
        evidence=[segment("They sell lemonade", source=late, source_id="urn:doc:test:late")],
    )
    await accept(platform, signed_source(AUTHOR, source=late, source_id="urn:doc:test:late"), statement)
    with_meaning(platform, model)
    await caught_up(platform)
    assert await found(platform, "sell lemonade today") == []
    await platform.sources.put(sha256_digest(late), pieces(late))
    await caught_up(platform)
    assert await found(platform, "sell lemonade today") == [hash_of(statement)]


async def test_it_goes_on_where_it_was_stopped(
    platform: Platform, model: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing_module, "BATCH", 3)
    await settle(platform)
    await accept(platform, *(signed_statement(AUTHOR, claim=f"Claim of car {number}") for number in range(7)))
    meaning = with_meaning(platform, model)
    indexing = indexing_of(platform)
    assert indexing is not None
    async for state in indexing.catch_up():
        if state.log_size > platform.log.size - 6:
            break
    left = state.log_size
    assert await meaning.vectors.state() == IndexState("words", 256, left)
    assert max(len(request["input"]) for request in model.requests) <= 3
    model.requests.clear()
    states = await caught_up(platform)
    assert states[0].log_size == left + 3 and states[-1].log_size == await platform.watch.size()
    assert len(await found(platform, "automobile")) == 7
    model.requests.clear()
    assert await caught_up(platform) == []
    assert model.texts == [], "what is done is not done again"


async def test_another_model_begins_again(platform: Platform, model: EmbeddingServer) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR, claim=CAR)
    await accept(platform, statement)
    with_meaning(platform, model)
    await caught_up(platform)
    for name, dimension in (("other", 256), ("other", 48)):
        model.dimension = dimension
        meaning = Meaning(
            platform.store,
            EndpointEmbedder(model.url, name, clearance=STRICTEST),
            GraphVectors(platform.store),
            closeness=0.4,
        )
        platform.search = Search(platform.store, meaning)
        assert await caught_up(platform)
        assert await meaning.vectors.state() == IndexState(name, dimension, await platform.watch.size())
        assert await found(platform, "automobile") == [hash_of(statement)]


async def test_without_an_answer_of_the_model_words_are_searched(platform: Platform, model: EmbeddingServer) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR, claim=CAR)
    await accept(platform, statement)
    with_meaning(platform, model)
    await caught_up(platform)
    for status, answer in ((503, None), (200, b"no"), (200, b'{"data": []}'), (200, b'{"data": [{"index": 0}]}')):
        with_meaning(platform, model)
        model.status, model.answer = status, answer
        found_now = await platform.search.find(ANONYMOUS, "car", first=10)
        assert found_now.hashes == [hash_of(statement)] and not found_now.by_meaning
        with pytest.raises(EmbeddingError, match=r"^words "):
            await caught_up(platform)


async def test_vectors_are_no_part_of_the_graph(platform: Platform, model: EmbeddingServer) -> None:
    await settle(platform)
    await accept(platform, signed_statement(AUTHOR, claim=CAR))
    before = await rows_of(platform)
    with_meaning(platform, model)
    await caught_up(platform)
    assert await kept_keys(platform)
    after = await rows_of(platform)
    assert after == before and b"Search" not in after


async def rows_of(platform: Platform) -> bytes:
    reader = ExportReader(platform.store, platform.content, platform.log.size, STRICTEST)
    return b"".join([piece async for piece in graph_rows(reader)])


@pytest.mark.both_engines
async def test_a_platform_that_serves_follows_its_log(platform: Platform, model: EmbeddingServer) -> None:
    await settle(platform)
    with_meaning(platform, model)
    async with following(platform):
        statement = signed_statement(AUTHOR, claim=CAR)
        await accept(platform, statement)

        async with asyncio.timeout(60):
            while await found(platform, "automobile") != [hash_of(statement)]:
                await asyncio.sleep(0.05)
    platform.search = Search(platform.store)
    async with following(platform):
        assert indexing_of(platform) is None


async def test_the_settings_say_which_model_and_which_store(
    store: Store, tmp_path: Path, model: EmbeddingServer
) -> None:
    plain = Settings(data=tmp_path)
    async with open_search(store, plain) as search:
        assert search.meaning is None
    served = replace(plain, embeddings_url=model.url, embeddings_model="words", embeddings_key="secret-key")
    async with open_search(store, served) as search:
        assert search.meaning is not None and isinstance(search.meaning.vectors, GraphVectors)
        await search.meaning.embedder.embed(["car", ""])
    assert model.keys == ["Bearer secret-key"] and model.requests[0]["path"] == "/v1/embeddings"
    assert model.requests[0]["model"] == "words" and model.texts == ["car", " "]
    async with open_search(store, replace(served, qdrant_url="http://127.0.0.1:9")) as search:
        assert search.meaning is not None
        with pytest.raises(StoreUnavailableError, match=r"^Qdrant "):
            await search.meaning.prepare()
        assert await search.meaning.find("car", ANONYMOUS) is None
    for settings, said in (
        (replace(plain, embeddings_url=model.url), "A2AP_EMBEDDINGS_MODEL is not set"),
        (replace(plain, embeddings_model="large"), "without A2AP_EMBEDDINGS_URL it is all-MiniLM-L6-v2"),
    ):
        with pytest.raises(SettingsError, match=said):
            open_embedder(settings)


async def test_vectors_have_the_length_one(model: EmbeddingServer) -> None:
    rows = await EndpointEmbedder(f"{model.url}/embeddings", "words").embed([CAR, "", HOUSES])
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1.0, 0.0, 1.0])


async def test_the_local_model_is_nearest_to_what_is_meant(tmp_path: Path) -> None:
    embedder = installed(Settings(data=tmp_path, embeddings_model=LOCAL_MODEL))
    assert isinstance(embedder, LocalEmbedder)
    asked, weather, driving = await embedder.embed(
        ["It's so sunny outside!", "The weather is lovely today.", "He drove to the stadium."]
    )
    assert asked @ weather > 0.4 > asked @ driving


def installed(settings: Settings) -> Embedder | None:
    """Return the model that the settings name; skip where it is not installed, and fail in CI."""
    try:
        return open_embedder(settings)
    except SettingsError as error:
        assert "make embeddings" in str(error)
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))
