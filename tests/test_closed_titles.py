"""What describes a source above a reader's class leaves by no door: title, publisher, origin, licence, holder, type.

Every descriptive member of the registrations of three sources has a word of its own, and every door is asked for it.
"""

import base64
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest
import pytest_asyncio
from builders import agent_id, envelope_of, segment, signed_source, signed_statement
from export_fixture import text_of
from http_client import OPERATOR, READERS, ask, bearer, open_client, send
from scenario import AUTHOR, VERIFIER_A, accept, hash_of, pieces, settle
from servers import server_on

from a2ap.boundary import STRICTEST, Boundary
from a2ap.bundle.bundle import verify_bundle
from a2ap.canonical import sha256_digest
from graph.export import ExportFormat
from graph.platform import Platform
from graph.store import Store

MEMBERS = ("title", "publisher", "origin", "mediatype", "licence", "holder")
CLASSES = {"open": Boundary.PUBLIC, "inner": Boundary.INTERNAL, "closed": Boundary.CONFIDENTIAL}
TOKENS = {"nobody": None, "internal": READERS["internal"], "operator": OPERATOR}
CLEARANCES = {"nobody": Boundary.PUBLIC, "internal": Boundary.INTERNAL, "operator": STRICTEST}
SEEN = {"nobody": {"open"}, "internal": {"open", "inner"}, "operator": {"open", "inner", "closed"}}
QUOTED = "Pelicans were counted on the roof."


def bytes_of(name: str) -> bytes:
    return f"Minutes of the {name} session.\n{QUOTED}\n".encode()


def urn_of(name: str) -> str:
    return f"urn:doc:test:{name}"


def word(name: str, member: str) -> str:
    return f"{name}{member}word"


def registration_of(name: str, seed: int, boundary: Boundary) -> bytes:
    return signed_source(
        seed,
        source=bytes_of(name),
        source_id=urn_of(name),
        boundary=boundary,
        title=f"About {word(name, 'title')}",
        publisher=word(name, "publisher"),
        origin=f"https://example.org/{word(name, 'origin')}",
        media_type=f"text/{word(name, 'mediatype')}",
        licence=word(name, "licence"),
        rights_holder=word(name, "holder"),
    )


@dataclass(frozen=True, slots=True)
class World:
    """A platform with a public, an internal and a confidential source, each registered twice, and a client of it."""

    platform: Platform
    client: httpx.AsyncClient
    registrations: dict[str, list[bytes]]
    statements: dict[str, bytes]

    async def get(self, path: str, reader: str, **more: object) -> httpx.Response:
        token = TOKENS[reader]
        return await self.client.get(path, headers=bearer(token) if token else {}, **more)  # type: ignore[arg-type]

    async def post(self, path: str, reader: str, body: object) -> httpx.Response:
        token = TOKENS[reader]
        return await self.client.post(path, headers=bearer(token) if token else {}, json=body)


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def world(module_store: Store, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """Yield the world that all tests of this module read."""
    folder = tmp_path_factory.mktemp("closed")
    async with server_on(module_store, folder) as platform:
        await settle(platform)
        registrations = {
            # Another agent states that it is public; the class of the source counts for both.
            name: [registration_of(name, AUTHOR, boundary), registration_of(name, VERIFIER_A, Boundary.PUBLIC)]
            for name, boundary in CLASSES.items()
        }
        statements = {}
        for name, documents in registrations.items():
            await accept(platform, *documents)
            await platform.sources.put(sha256_digest(bytes_of(name)), pieces(bytes_of(name)))
            evidence = [segment(QUOTED, source=bytes_of(name), source_id=urn_of(name))]
            # With the quote or its hash in it, the statement would be withheld as a whole.
            del evidence[0]["quoteText"], evidence[0]["contentHash"]
            statements[name] = signed_statement(AUTHOR, claim=f"A claim of the {name} session.", evidence=evidence)
            await accept(platform, statements[name])
        async with open_client(platform, folder) as client:
            yield World(platform, client, registrations, statements)


def words_in(text: str) -> set[str]:
    """Return the names of the sources that any descriptive word of is in a text."""
    return {name for name in CLASSES for member in MEMBERS if word(name, member) in text}


readers = pytest.mark.parametrize("reader", TOKENS)


@pytest.mark.both_engines
@readers
async def test_a_registration_is_given_to_readers_of_its_source_alone(world: World, reader: str) -> None:
    for name, documents in world.registrations.items():
        for document in documents:
            answer = await world.get(f"/messages/{envelope_of(document).document_hash}", reader)
            if name in SEEN[reader]:
                assert answer.content == document
            else:
                assert answer.status_code == 403 and f"the source is {CLASSES[name]}" in answer.json()["detail"]
                assert not words_in(answer.text)
    hashes = [envelope_of(one).document_hash for documents in world.registrations.values() for one in documents]
    answer = await world.post("/messages/fetch", reader, {"hashes": hashes})
    given = [json.loads(line) for line in answer.text.splitlines()]
    found = "".join(base64.b64decode(one["document"]).decode() for one in given if one["document"])
    assert words_in(found) == SEEN[reader]
    assert sum(one["withheld"] is not None for one in given) == 2 * (3 - len(SEEN[reader]))


@pytest.mark.parametrize("format", list(ExportFormat))
async def test_no_export_describes_a_closed_source(world: World, format: ExportFormat) -> None:
    texts = {reader: await text_of(world.platform, format, clearance) for reader, clearance in CLEARANCES.items()}
    if format in (ExportFormat.LOG, ExportFormat.IN_TOTO):
        assert not words_in(texts["operator"]), "it has entries, statements and verdicts alone"
        return
    assert {reader: words_in(text) for reader, text in texts.items()} == SEEN
    for text in texts.values():
        assert all(sha256_digest(bytes_of(name)).removeprefix("sha256:") in text for name in CLASSES)


EVERYTHING_DESCRIBED = """{ documents(first: 20, orderBy: {field: TITLE}) { nodes {
    id hash title boundary mediaType licence rightsHolder held registered withheld boundaryRequests { boundary }
    source { id title publisher origin } sources { id title publisher origin } } }
  statements(first: 20) { nodes { evidence { document { title mediaType licence rightsHolder
    sources { title publisher origin } } } } }
  logEntries(first: 40) { nodes { type id signedHash agent } } }"""


@pytest.mark.both_engines
@readers
async def test_no_field_of_graphql_describes_a_closed_source(world: World, reader: str) -> None:
    answer = await ask(world.client, EVERYTHING_DESCRIBED, token=TOKENS[reader])
    assert words_in(json.dumps(answer)) == SEEN[reader]
    nodes = answer["documents"]["nodes"]
    found = {node["id"]: node for node in nodes if node["hash"] is not None}
    for name, boundary in CLASSES.items():
        node = found[urn_of(name)]
        assert node["boundary"] == boundary and node["registered"] and node["sources"][0]["id"] == urn_of(name)
        assert (node["withheld"] is None) == (name in SEEN[reader])
    titles = [node["title"] or "" for node in nodes]
    assert titles == sorted(titles), "what is withheld is ordered as nothing"


@readers
@pytest.mark.parametrize(
    ("member", "value"),
    [("publisher", "{}"), ("licence", "{}"), ("mediaType", "text/{}")],
    ids=["publisher", "licence", "media type"],
)
@pytest.mark.parametrize("order", ["HASH", "TITLE"])
async def test_no_filter_tells_what_describes_a_closed_source(
    world: World, reader: str, member: str, value: str, order: str
) -> None:
    query = """query ($filter: DocumentFilter, $by: DocumentOrderBy) {
      documents(filter: $filter, orderBy: $by) { totalCount } }"""
    for name in CLASSES:
        wanted = {member: value.format(word(name, member.lower()))}
        named = {**wanted, "name": urn_of(name)}
        for asked in (wanted, named):
            variables = {"filter": asked, "by": {"field": order}}
            answer = await ask(world.client, query, variables, token=TOKENS[reader])
            assert answer["documents"]["totalCount"] == (name in SEEN[reader]), (name, asked)


@readers
async def test_a_name_that_stands_for_a_closed_source_too_is_described_to_nobody_below_it(
    world: World, reader: str
) -> None:
    # The first registration under a name describes it, whatever is registered under it later.
    other = signed_source(
        AUTHOR, source=b"A public extract.", source_id=urn_of("closed"), title="An extract", publisher=None, origin=None
    )
    if (await world.get(f"/messages/{envelope_of(other).document_hash}", "operator")).status_code == 404:
        await accept(world.platform, other)
    query = (
        "query ($name: String) { documents(filter: {name: $name}) { nodes { title sources { id title publisher } } } }"
    )
    answer = await ask(world.client, query, {"name": sha256_digest(b"A public extract.")}, token=TOKENS[reader])
    (found,) = answer["documents"]["nodes"]
    assert found["title"] == "An extract" and found["sources"][0]["id"] == urn_of("closed")
    assert (word("closed", "publisher") in json.dumps(answer)) == ("closed" in SEEN[reader])


@pytest.mark.both_engines
@readers
async def test_no_query_of_a_readers_own_reads_what_describes_a_closed_source(world: World, reader: str) -> None:
    found = "MATCH (:Agent)-[:REGISTERED]->(d:Document)-[:SOURCED_FROM]->(s:Source)"
    answer = await world.post("/cypher", reader, {"text": f"{found} RETURN d, s LIMIT 50"})
    assert answer.status_code == 200, answer.text
    assert words_in(answer.text) == (SEEN[reader] if reader == "operator" else set())
    for label, name in (
        ("Document", "title"), ("Document", "media_type"), ("Document", "licence"), ("Document", "rights_holder"),
        ("Source", "title"), ("Source", "publisher"), ("Source", "origin"),
    ):  # fmt: skip
        text = f"{found} WHERE {label[0].lower()}.{name} CONTAINS 'word' RETURN count(DISTINCT s) AS number"
        answer = await world.post("/cypher", reader, {"text": text})
        assert answer.json()["rows"] == [[len(SEEN[reader])]], (label, name, answer.text)


@readers
async def test_no_search_finds_a_statement_by_a_closed_source(world: World, reader: str) -> None:
    for name in CLASSES:
        asked = f"title:{word(name, 'title')}"
        found = (await world.get("/search", reader, params={"q": asked})).json()["hits"]
        assert bool(found) == (name in SEEN[reader]), asked
    hits = (await world.get("/search", reader, params={"q": "evidence:pelicans"})).json()["hits"]
    claims = " ".join(hit["claim"]["text"] for hit in hits)
    assert {name for name in CLASSES if name in claims} == SEEN[reader]


@readers
async def test_a_bundle_does_not_describe_a_closed_source(world: World, reader: str) -> None:
    for name in CLASSES:
        answer = await world.get(f"/statements/{hash_of(world.statements[name])}/bundle", reader)
        assert answer.status_code == 200, answer.text
        verified = verify_bundle(answer.content, world.platform.log.verifier_key)
        members = [
            base64.b64decode(entry["document"]).decode() for entry in answer.json()["entries"] if entry["document"]
        ]
        assert words_in("".join(members)) == ({name} & SEEN[reader])
        assert verified.statement.envelope.agent_id == agent_id(AUTHOR)


async def test_what_a_question_names_by_a_closed_title_is_not_found(world: World) -> None:
    for reader, seen in SEEN.items():
        for name in CLASSES:
            body = {"question": f"Which statements rest on About {word(name, 'title')}?"}
            answer = await world.post("/ask", reader, body)
            told = answer.status_code == 200 and sha256_digest(bytes_of(name)) in answer.text
            assert name in seen or not told, (reader, name)


async def test_a_cursor_of_a_title_cannot_be_made_up(world: World) -> None:
    query = "{ documents(first: 1, orderBy: {field: TITLE, direction: DESC}) { pageInfo { endCursor } } }"
    answer = await send(world.client, query)
    assert word("closed", "title") not in json.dumps(answer)
