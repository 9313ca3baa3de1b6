"""Search by words on both engines: phrases, fields, beginnings, and nothing of what a reader may not see."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx
import pytest
import pytest_asyncio
from builders import agent_id, segment, signed_source, signed_statement
from cli_runner import Ended, Run, a2ap
from graph_contents import run_raw
from http_client import OPERATOR, READERS, ask, bearer, open_client, send
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scenario import AUTHOR, STRANGER, accept, hash_of, pieces, settle
from served import served
from servers import server_on
from test_search_query import QUERIES

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from graph.clearance import ANONYMOUS
from graph.errors import InputError
from graph.platform import Platform
from graph.search.statements import search_statements

__all__ = ["a2ap"]

HEIGHT, TABLES = "keeps the height limit at forty feet", "they want outdoor tables"
SECRET = "The merger with Elm Street Holdings closes in March."
SECRET_SOURCE = f"Minutes of a closed session.\n{SECRET}\n".encode()
CLAIMS = {
    "rezone": "The council rezoned Elm Street for cafés.",
    "hearing": "A public hearing on zoning is set for May.",
    "public": "The hearing was public, and the zones stay.",
    "parking": "Parking near the river doubles in price.",
    "merger": "A merger was discussed.",
}
SEARCH = """query ($query: String!, $first: Int! = 20) { search(query: $query, first: $first) { byMeaning hits {
  rank score foundBy statement { signedHash claimText } claim { text highlights { start end } }
  evidence { chunkId sourceDocument withheld quote { text highlights { start end } } } } } }"""


@dataclass(frozen=True)
class World:
    """A platform with statements about a town, one of which cites a confidential source; their names by hash."""

    platform: Platform
    client: httpx.AsyncClient
    names: dict[str, str]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(_session_store: Any, tmp_path_factory: Any) -> AsyncIterator[World]:
    """Yield the world, on each engine; no test changes it."""
    store, _ = _session_store
    await run_raw(store, "MATCH (n) DETACH DELETE n")
    folder = tmp_path_factory.mktemp("node")
    async with server_on(store, folder) as platform, open_client(platform, folder) as client:
        await settle(platform)
        closed = signed_source(
            AUTHOR,
            source=SECRET_SOURCE,
            source_id="urn:doc:test:closed",
            boundary=Boundary.CONFIDENTIAL,
            title="Closed session",
        )
        await accept(platform, closed)
        await platform.sources.put(sha256_digest(SECRET_SOURCE), pieces(SECRET_SOURCE))
        secret = segment(SECRET, source=SECRET_SOURCE, source_id="urn:doc:test:closed")
        cited = {name: [segment(HEIGHT)] for name in ("rezone", "parking")} | {"merger": [secret, segment(HEIGHT)]}
        statements = {
            name: signed_statement(
                STRANGER if name == "parking" else AUTHOR, claim=claim, evidence=cited.get(name, [segment(TABLES)])
            )
            for name, claim in CLAIMS.items()
        }
        await accept(platform, *statements.values())
        yield World(platform, client, {hash_of(document): name for name, document in statements.items()})


@pytest.mark.both_engines
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("zoning", {"hearing", "public"}),
        ('"public hearing"', {"hearing"}),
        ('"public hearings" zone', {"hearing"}),
        ("claim:river", {"parking"}),
        ('evidence:"they want outdoor tables"', {"hearing", "public"}),
        ('evidence:"outdoor they"', set()),
        ("title:meeting claim:hearing", {"hearing", "public"}),
        ("title:river", set()),
        ("rezon*", {"rezone"}),
        ("zonin*", {"hearing"}),
        ("claim:park* OR caf*", {"parking", "rezone"}),
        ("hearing -public", set()),
        ("zones -may", {"public"}),
        ("title:meeting NOT (claim:hearing OR claim:elm OR merger)", {"parking"}),
        (f"agent:{agent_id(STRANGER)}", {"parking"}),
        (f"title:meeting agent:{agent_id(AUTHOR)} -evidence:outdoor -merger", {"rezone"}),
        ("agent:urn:nobody OR river", {"parking"}),
        ("agent:urn:nobody zoning", set()),
        ("river may", {"hearing", "parking"}),
        ("the", set()),
        ('"to be or not to be" OR river', {"parking"}),
    ],
)
async def test_a_query_finds_what_it_asks_for(world: World, query: str, expected: set[str]) -> None:
    found = await search_statements(world.platform.store, ANONYMOUS, query, first=10)
    assert {world.names[one] for one in found} == expected
    assert len(found) == len(expected)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.one_of(QUERIES, st.text(max_size=30)))
async def test_the_engine_takes_whatever_is_asked(world: World, query: str) -> None:
    try:
        found = await search_statements(world.platform.store, ANONYMOUS, query, first=3)
    except InputError as error:
        assert "\n" not in str(error)
        return
    assert len(found) <= 3 and set(found) <= set(world.names)


async def test_graphql_shows_where_the_words_stand(world: World) -> None:
    answer = (await ask(world.client, SEARCH, {"query": "zoning outdoor"}))["search"]
    assert answer["byMeaning"] is False
    hits = answer["hits"]
    assert [hit["rank"] for hit in hits] == [1, 2]
    assert [hit["score"] for hit in hits] == [pytest.approx(1 / 61), pytest.approx(1 / 62)]
    for hit in hits:
        assert hit["foundBy"] == ["TEXT"]
        assert hit["claim"]["text"] == hit["statement"]["claimText"]
        (evidence,) = hit["evidence"]
        assert evidence["withheld"] is None and marked(evidence["quote"]) == ["outdoor"]
    assert sorted(marked(hit["claim"]) for hit in hits) == [["zones"], ["zoning"]]


async def test_http_and_graphql_say_the_same(world: World) -> None:
    query = "council OR hearing"
    shown = (await ask(world.client, SEARCH, {"query": query}))["search"]["hits"]
    answer = (await world.client.get("/search", params={"q": query})).json()
    assert answer["query"] == query and answer["byMeaning"] is False
    assert [hit["statement"]["hash"] for hit in answer["hits"]] == [hit["statement"]["signedHash"] for hit in shown]
    assert [hit["claim"] for hit in answer["hits"]] == [hit["claim"] for hit in shown]
    for one, other in zip(answer["hits"], shown, strict=True):
        assert [evidence["quote"] for evidence in one["evidence"]] == [
            evidence["quote"] for evidence in other["evidence"]
        ]
    assert len(answer["hits"]) == 5, "the title of the meeting has the word council"


@pytest.mark.parametrize("token", [None, READERS["internal"]], ids=["anonymous", "internal"])
@pytest.mark.parametrize("query", ["Holdings", '"Elm Street Holdings"', "hold*", "evidence:merger", "title:closed"])
async def test_what_is_withheld_is_not_searched(world: World, query: str, token: str | None) -> None:
    headers = bearer(token) if token else {}
    assert (await world.client.get("/search", params={"q": query}, headers=headers)).json()["hits"] == []
    assert (await ask(world.client, SEARCH, {"query": query}, token=token))["search"]["hits"] == []
    cleared = (await ask(world.client, SEARCH, {"query": query}, token=READERS["confidential"]))["search"]["hits"]
    assert [world.names[hit["statement"]["signedHash"]] for hit in cleared] == ["merger"]


async def test_what_is_withheld_is_neither_shown_nor_marked_nor_left_out_by(world: World) -> None:
    for query in ("merger", "merger -holdings", "merger NOT title:closed"):
        (hit,) = (await ask(world.client, SEARCH, {"query": query}))["search"]["hits"]
        assert hit["evidence"][0]["quote"]["text"] == ""
        assert hit["evidence"][0]["quote"]["highlights"] == []
        assert "confidential" in hit["evidence"][0]["withheld"]
        assert SECRET not in json.dumps(hit)
    assert (await ask(world.client, SEARCH, {"query": "merger -holdings"}, token=OPERATOR))["search"]["hits"] == []
    (hit,) = (await ask(world.client, SEARCH, {"query": "merger"}, token=OPERATOR))["search"]["hits"]
    assert marked(hit["evidence"][0]["quote"]) == ["merger"]


@pytest.mark.parametrize(
    ("parameters", "status", "said"),
    [
        ({"q": "-zoning"}, 400, "only excludes words"),
        ({"q": "zoning", "first": "0"}, 400, "first is 0"),
        ({"q": "zoning", "first": "201"}, 400, "first is 201"),
        ({"q": "z" * 4001}, 400, "4001 characters"),
        ({}, 400, "Field required"),
    ],
)
async def test_what_cannot_be_searched_for_is_said_in_a_sentence(
    world: World, parameters: dict[str, str], status: int, said: str
) -> None:
    response = await world.client.get("/search", params=parameters)
    assert response.status_code == status and said in response.json()["detail"]


async def test_graphql_gives_the_error_a_code(world: World) -> None:
    (error,) = (await send(world.client, SEARCH, {"query": "NOT zoning"}))["errors"]
    assert error["extensions"]["code"] == "INVALID_INPUT"


async def test_the_command_prints_what_was_found(world: World, a2ap: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(world.platform) as address:
        monkeypatch.setenv("A2AP_URL", address)

        def run(*arguments: object, status: int = 0) -> Ended:
            return a2ap("search", *arguments, status=status)

        found = await asyncio.to_thread(run, '"public hearing"')
        assert "1. A public hearing on zoning is set for May." in found.out
        assert "> they want outdoor tables" in found.out
        assert found.only_error == "1 statement by words"
        answer = json.loads((await asyncio.to_thread(run, "find", "merger", "--json")).out)
        assert [hit["claim"]["text"] for hit in answer["hits"]] == [CLAIMS["merger"]]
        shown = await asyncio.to_thread(run, "claim:merger", "--first", "1")
        assert "withheld: the source is confidential" in shown.out and SECRET not in shown.out
        refused = await asyncio.to_thread(partial(run, "--", "-zoning", status=1))
        assert "only excludes words" in refused.only_error


def marked(shown: dict[str, Any]) -> list[str]:
    return [shown["text"][span["start"] : span["end"]] for span in shown["highlights"]]
