"""A stranger that asks for a stricter class changes no answer of any interface; the owner or the operator closes all.

Two sources are public, one of an endorsed agent and one of a stranger that proved possession of it. Each has words that
nobody can guess: in its bytes, in each member of its registration, and in a verdict on what quotes it. They are looked
for in all that nobody in particular is answered.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import (
    TIME,
    agent_id,
    segment,
    sign,
    signed_endorsement,
    signed_registration,
    signed_response,
    signed_source,
    statement_message,
)
from conftest import HEAP
from http_client import OPERATOR, ask, bearer, open_client
from planted_world import Words
from postgresql_fixture import database, dumped, postgresql
from scenario import (
    AUTHOR,
    OPERATOR_A,
    OPERATOR_B,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    hash_of,
    pieces,
    signed_node_policy,
    signed_node_source,
    source_of,
)
from servers import server_on
from subscribing import streamed, until_quiet, with_readers
from walk_answers import Finder, decoded, texts_of
from walk_graphql import graphql
from walk_names import Asked
from walk_routes import LD, SPARQL, TURTLE

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.possession import possession_mac
from graph.export.format import ExportFormat
from graph.graphql.subscriptions.place import Place, write_place
from graph.mirror.database import open_database
from graph.mirror.following import catch_up
from graph.mirror.original import LocalOriginal
from graph.mirror.state import prepare
from graph.platform import Platform
from graph.settings import Settings
from graph.store import Store

__all__ = ["database", "postgresql"]

PATIENCE = 240.0  # seconds for the engine of the past to start
QUIET = 3.0  # seconds after which no further event is expected
SCHEMA = "mirror_hostage"

LISTS = """{ documents(first: 9%(then)s) { nodes { title boundary licence rightsHolder
    sources { title publisher origin } chunks { nodes { text } } } }
  statements(first: 9%(then)s) { nodes { evidence { text } citations { quote } verifications { reason } } } }"""
SEARCH = '{ search(query: "pool") { hits { evidence { quote { text } } } } }'
VERDICTS = """subscription ($after: String) { verdicts(after: $after) { reason statement { citations { quote } } } }"""
REQUESTS = "{ documents { nodes { boundary boundaryRequests { boundary agent { id } } } } }"
TEXT = "MATCH (d:Document)<-[:PART_OF]-(c:Chunk) RETURN d.title AS title, c.text AS text"

Answers = dict[str, tuple[int, frozenset[str]]]
"""The status of each answer, and the planted words in it."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source, and what is said about it."""

    content: bytes
    members: Mapping[str, Any]
    registration: bytes
    statement: bytes
    verdict: bytes

    @property
    def name(self) -> str:
        """Return its hash."""
        return sha256_digest(self.content)


@dataclass(frozen=True, slots=True)
class Node:
    """A node that is read, the database of its mirror, and what is asked of it."""

    platform: Platform
    client: httpx.AsyncClient
    database: str
    finder: Finder
    asked: list[Asked]


def planted(number: int, words: Words, owner: int, *, has_proof: bool) -> Source:
    """Return a source with a word in each member, a statement of the author that quotes it, and a verdict."""
    word = {one: words.word(f"{one} {number}", Boundary.PUBLIC) for one in ("bytes", "title", "host", "terms", "why")}
    quote = f"The pool {word['bytes']} opens in May."
    content = f"Minutes {number}.\n{quote}\n".encode()
    members: dict[str, Any] = {
        "source_id": f"urn:doc:hostage:{number}",
        "title": f"Meeting {word['title']}",
        "publisher": f"Clerk {word['title']}",
        "origin": f"https://{word['host']}.example.org/",
        "licence": f"Licence {word['terms']}",
        "rights_holder": f"Holder {word['terms']}",
        "media_type": "text/plain",
    }
    evidence = segment(quote, source=content, source_id=members["source_id"])
    claim = f"The pool opens in May, say minutes {number}."
    statement = sign(statement_message(AUTHOR, claim=claim, evidence=[evidence]), AUTHOR)
    verdict = signed_response(statement, VERIFIER_A, reason=f"Because {word['why']}.")
    mac = possession_mac(agent_id(owner), content) if has_proof else None
    registration = signed_source(owner, source=content, possession_mac=mac, **members)
    return Source(content, members, registration, statement, verdict)


async def build(platform: Platform, sources: list[Source]) -> None:
    """Register the agents, of whom author and verifier are endorsed, and the sources with what is said about them."""
    seeds = (OPERATOR_A, OPERATOR_B, AUTHOR, VERIFIER_A, VERIFIER_B, STRANGER)
    await accept(platform, *map(signed_registration, seeds), signed_node_policy(platform))
    endorsed = (signed_endorsement(signed_registration(seed), OPERATOR_A) for seed in (AUTHOR, VERIFIER_A))
    of_author, of_stranger = sources
    await accept(platform, *endorsed, of_author.registration)
    await platform.sources.put(of_author.name, pieces(of_author.content))
    await platform.sources.add(source_of(of_stranger.registration), pieces(of_stranger.content))
    await accept(platform, *(one.statement for one in sources), *(one.verdict for one in sources))


async def ask_for_stricter_classes(platform: Platform, sources: list[Source]) -> None:
    """Have the stranger register the sources as closed, under their own names and under others."""
    mine: dict[str, Any] = {"title": "Mine", "boundary": STRICTEST, "retain_until": TIME + timedelta(minutes=1)}
    for one in sources:
        names = (one.members["source_id"], f"urn:doc:mine:{one.name[-8:]}")
        await accept(platform, *(signed_source(STRANGER, source=one.content, source_id=name, **mine) for name in names))


async def accept_them(platform: Platform, of_owner: Source, of_operator: Source) -> None:
    """Have the owner accept the stricter class of one source, and the operator of another, as `a2ap source tighten`."""
    named = {name: of_operator.members[name] for name in ("source_id", "title", "media_type")}
    again = signed_node_source(platform, of_operator.content, boundary=STRICTEST, **named)
    own = signed_source(AUTHOR, source=of_owner.content, boundary=STRICTEST, **of_owner.members)
    await accept(platform, own, again)


def requests(sources: list[Source], size: int) -> list[Asked]:
    """Return requests of every interface whose answers have words of the sources; one of the past, at a size."""
    order = {"recipient": "urn:agent:reader", "purpose": "Sum it up.", "ceiling": "public"}
    messages = [sha256_digest(data) for one in sources for data in (one.registration, one.statement, one.verdict)]
    asked = [
        *(Asked("GET", "/export", {"format": name}) for name in ExportFormat),
        Asked("GET", "/export", {"format": ExportFormat.GRAPH_ROWS, "archive": "true"}),
        Asked("GET", "/search", {"q": "pool"}),
        Asked("POST", "/ask", body={"question": "When does the pool open?"}),
        Asked("POST", "/cypher", body={"text": TEXT}),
        Asked("GET", "/sparql", {"query": SPARQL}, {"accept": "text/csv"}),
        Asked("POST", "/packets/assemble", body={**order, "statements": [hash_of(one.statement) for one in sources]}),
        Asked("POST", "/messages/fetch", body={"hashes": messages}),
        *(Asked("GET", f"/messages/{name}") for name in messages),
        *(graphql(text) for text in (LISTS % {"then": ""}, LISTS % {"then": f", asOf: {{logSize: {size}}}"}, SEARCH)),
    ]
    for one in sources:
        place = f"/statements/{hash_of(one.statement)}"
        asked += [Asked("GET", place, headers={"accept": kind}) for kind in (LD, TURTLE)]
        asked += [Asked("GET", path) for path in (f"{place}/bundle", f"/verifications/{hash_of(one.verdict)}")]
        asked.append(Asked("GET", f"/sources/{one.name}"))
    return asked


async def read_all(node: Node) -> Answers:
    """Read as nobody in particular through every interface at once: the routes, a subscription and the mirror."""
    told, mirrored, answered = await asyncio.gather(events(node.platform), mirror(node), answers(node))
    found = {"subscription": told.encode(), **{f"mirror {table}": rows for table, rows in mirrored.items()}}
    words = {name: node.finder.found_in(text, [decoded(text.decode())]) for name, text in found.items()}
    return {**answered, **{name: (200, frozenset(some)) for name, some in words.items()}}


async def answers(node: Node) -> Answers:
    """Return what is answered to each request."""
    found: Answers = {}
    for one in node.asked:
        answer = await one.of(node.client, None)
        assert b'"errors"' not in answer.content, answer.text
        found[str(one)] = (answer.status_code, frozenset(node.finder.found_in(answer.content, texts_of(answer))))
    return found


async def events(platform: Platform) -> str:
    """Return the verdicts that a subscription gives from the start of the log."""
    start = {"after": write_place(platform.log.origin, Place(0))}
    async with with_readers(platform) as address, streamed(address, VERDICTS, start, method="POST") as blocks:
        return "\n".join([one.data async for one in until_quiet(blocks, QUIET, first=PATIENCE)])


async def mirror(node: Node) -> dict[str, bytes]:
    """Bring the relational copy up to where the log is; return its tables."""
    original = LocalOriginal(node.platform.store, node.platform.content, Boundary.PUBLIC)
    async with open_database(node.database, SCHEMA) as connection:
        await prepare(connection, SCHEMA, clear=False)
        await catch_up(connection, original, 50_000, with_scores=False)
    return dumped(node.database, SCHEMA)


@pytest.mark.both_engines
async def test_a_stranger_changes_no_answer_and_what_owner_or_operator_accept_closes_all(
    store: Store, tmp_path: Path, database: str
) -> None:
    settings = Settings(data=tmp_path, graphql_timeout=PATIENCE, engine_heap=HEAP)
    words = Words()
    sources = [planted(1, words, AUTHOR, has_proof=False), planted(2, words, VERIFIER_B, has_proof=True)]
    async with server_on(store, tmp_path, settings=settings) as platform, open_client(platform, tmp_path) as client:
        await build(platform, sources)
        node = Node(platform, client, database, Finder(words.planted), requests(sources, platform.log.size))
        before = await read_all(node)
        assert {name for name, (status, _) in before.items() if status != 200} == set()
        silent = {name for name, (_, found) in before.items() if not found and not name.startswith("mirror ")}
        assert silent == {str(Asked("GET", "/export", {"format": ExportFormat.LOG}))}
        mirrored = {word for name, (_, found) in before.items() if name.startswith("mirror ") for word in found}
        assert mirrored == words.planted.keys()

        await ask_for_stricter_classes(platform, sources)
        assert await read_all(node) == before
        asking = {"boundary": STRICTEST.value, "agent": {"id": agent_id(STRANGER)}}
        for found in (await ask(client, REQUESTS))["documents"]["nodes"]:
            assert found == {"boundary": "public", "boundaryRequests": [asking, asking]}

        await accept_them(platform, *sources)
        assert {name: found for name, (_, found) in (await read_all(node)).items() if found} == {}
        for one in sources:
            assert (await client.get(f"/sources/{one.name}")).status_code == 403
            assert (await client.get(f"/sources/{one.name}", headers=bearer(OPERATOR))).content == one.content
