"""How two things are connected: all shortest paths, for whoever may see what is on them, on both engines."""

import itertools
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import networkx as nx
import pytest
import pytest_asyncio
from builders import (
    SOURCE,
    SOURCE_ID,
    agent_id,
    segment,
    signed_registration,
    signed_source,
    signed_statement,
)
from export_world import MEMO, MEMO_ID, everything
from graph_contents import run_raw
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, accept, hash_of, verified_world

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from graph.app import create_app
from graph.clearance import ANONYMOUS, OPERATOR, Reader
from graph.errors import InputError, NotFoundError
from graph.lineage import names, path
from graph.lineage.names import readable_of
from graph.lineage.path import Found, PathChoice, find_paths
from graph.lineage.shortest import Crossing, ShortestPaths, Side
from graph.lineage.walk import NO_BYTES, Identity, Kind, Relation
from graph.platform import Platform

__all__ = ["platform"]

EDGES: list[tuple[Kind, Relation, Kind, str]] = [
    (Kind.STATEMENT, Relation.GENERATED_BY, Kind.AGENT, "(x:Statement)<-[:GENERATED]-(y:Agent)"),
    (Kind.STATEMENT, Relation.CITES, Kind.CHUNK, "(x:Statement)-[:CITES]->(y:Chunk)"),
    (Kind.CHUNK, Relation.PART_OF, Kind.SOURCE, "(x:Chunk)-[:PART_OF]->(y:Document)"),
    (Kind.STATEMENT, Relation.SUPPORTED_BY, Kind.STATEMENT, "(x:Statement)<-[:SUPPORTS]-(y:Statement)"),
    (Kind.STATEMENT, Relation.CONTRADICTS, Kind.STATEMENT, "(x:Statement)-[:CONTRADICTS]->(y:Statement)"),
    (Kind.STATEMENT, Relation.REVISION_OF, Kind.STATEMENT, "(x:Statement)-[:REVISION_OF]->(y:Statement)"),
    (Kind.VERIFICATION, Relation.ABOUT, Kind.STATEMENT, "(x:Verification {binds: true})-[:VALIDATES]->(y:Statement)"),
    (Kind.VERIFICATION, Relation.PERFORMED_BY, Kind.AGENT, "(x:Verification {binds: true})-[:PERFORMED_BY]->(y:Agent)"),
    (Kind.STATEMENT, Relation.GENERATED_BY, Kind.SOURCE, "(x:Statement)-[:GENERATED_BY]->(y:Document)"),
    (
        Kind.VERIFICATION,
        Relation.GENERATED_BY,
        Kind.SOURCE,
        "(x:Verification {binds: true})-[:GENERATED_BY]->(y:Document)",
    ),
    (Kind.PASSPORT, Relation.RECORD_OF, Kind.SOURCE, "(x:Passport)-[:RECORD_OF]->(y:Document)"),
    (Kind.PACK, Relation.RECORD_OF, Kind.SOURCE, "(x:Pack)-[:RECORD_OF]->(y:Document)"),
    (Kind.PACKET, Relation.RECORD_OF, Kind.SOURCE, "(x:Packet)-[:RECORD_OF]->(y:Document)"),
    (Kind.PACK, Relation.USED, Kind.SOURCE, "(x:Pack)-[:USED]->(y:Document)"),
    (Kind.PACK, Relation.USED, Kind.SOURCE, "(x:Pack)-[:HAS_STEP]->(:Step)-[:GENERATED]->(y:Document)"),
    (Kind.SOURCE, Relation.GENERATED_BY, Kind.PACK, "(x:Document)<-[:GENERATED]-(y:Pack)"),
    (Kind.PACK, Relation.INFORMED_BY, Kind.PACK, "(x:Pack)-[:INFORMED_BY]->(y:Pack)"),
    (Kind.PASSPORT, Relation.DERIVED_FROM, Kind.PASSPORT, "(x:Passport)-[:DERIVED_FROM]->(y:Passport)"),
    (Kind.PASSPORT, Relation.GENERATED_BY, Kind.AGENT, "(x:Passport)-[:ATTRIBUTED_TO]->(y:Agent)"),
    (Kind.PACKET, Relation.ABOUT, Kind.STATEMENT, "(x:Packet)-[:HAS_ITEM]->(:Item)-[:ABOUT]->(y:Statement)"),
    (Kind.PACKET, Relation.ABOUT, Kind.SOURCE, "(x:Packet)-[:HAS_ITEM]->(:Item)-[:ABOUT]->(y:Document)"),
    (Kind.PACKET, Relation.SUPERSEDES, Kind.PACKET, "(x:Packet)-[:SUPERSEDES]->(y:Packet)"),
    (Kind.AGENT, Relation.ENDORSED_BY, Kind.AGENT, "(x:Agent)<-[:ENDORSED]-(y:Agent)"),
    (Kind.SOURCE, Relation.REGISTERED_BY, Kind.AGENT, "(x:Document)<-[:REGISTERED]-(y:Agent)"),
]
KEYS = {
    Kind.AGENT: "agent_id",
    Kind.SOURCE: "document_key",
    Kind.CHUNK: "chunk_key",
    Kind.STATEMENT: "signed_hash",
    Kind.VERIFICATION: "signed_hash",
    Kind.PASSPORT: "record_hash",
    Kind.PACK: "record_hash",
    Kind.PACKET: "record_hash",
}
Edge = tuple[Identity, Relation, Identity]


def of(thing: Identity) -> tuple[str, Kind]:
    return thing.name, thing.kind


def walked(found: Found) -> set[tuple[Identity, tuple[Edge, ...]]]:
    """Return each path as where it begins and its edges, each from what is later to what it rests on."""
    shown = set()
    for one in found.paths:
        edges, near = [], one.start
        for step in one.steps:
            edges.append((near, step.relation, step.to) if step.onward else (step.to, step.relation, near))
            near = step.to
        shown.add((one.start, tuple(edges)))
    return shown


def expected(edges: set[Edge], start: Identity, end: Identity) -> set[tuple[Identity, tuple[Edge, ...]]]:
    """Return all shortest paths by networkx."""
    graph = nx.Graph([(later, earlier) for later, _, earlier in edges])
    if start not in graph or end not in graph or not nx.has_path(graph, start, end):
        return set()
    between: dict[frozenset[Identity], list[Edge]] = {}
    for edge in edges:
        between.setdefault(frozenset((edge[0], edge[2])), []).append(edge)
    return {
        (start, chosen)
        for nodes in nx.all_shortest_paths(graph, start, end)
        for chosen in itertools.product(*(between[frozenset(pair)] for pair in itertools.pairwise(nodes)))
    }


@PATIENT
@given(st.data())
def test_two_sides_that_meet_have_all_the_shortest_paths_of_any_graph(data: st.DataObject) -> None:
    nodes = [Identity(Kind.STATEMENT, f"s{number}") for number in range(data.draw(st.integers(2, 9)))]
    pairs = st.tuples(st.sampled_from(nodes), st.sampled_from(nodes)).filter(lambda pair: pair[0] != pair[1])
    relations = st.sampled_from([Relation.SUPPORTED_BY, Relation.REVISION_OF])
    edges = {(x, relation, y) for (x, y), relation in data.draw(st.lists(st.tuples(pairs, relations), max_size=20))}
    start, end = data.draw(pairs)
    sides = [Side.at([start]), Side.at([end])]
    while sides[0].depths.keys().isdisjoint(sides[1].depths) and all(side.frontier for side in sides):
        side = data.draw(st.sampled_from(sides))
        near = set(side.frontier)
        side.take(
            [(y, Crossing(x, relation, True)) for x, relation, y in edges if x in near]
            + [(x, Crossing(y, relation, False)) for x, relation, y in edges if y in near]
        )
    paths = ShortestPaths(*sides)
    found = Found(0, paths, {}, True)
    assert walked(found) == expected(edges, start, end)
    assert paths.total == len(walked(found)) == len(list(paths))
    assert all(len(one.steps) == paths.length for one in paths)
    assert list(paths) == sorted(paths, key=lambda one: (one.start, one.steps))


def test_a_thing_is_connected_with_itself_by_no_step() -> None:
    one = Identity(Kind.AGENT, "a")
    paths = ShortestPaths(Side.at([one]), Side.at([one]))
    assert (paths.length, paths.total, [found.steps for found in paths]) == (0, 1, [()])


async def edges_of(platform: Platform) -> set[Edge]:
    edges: set[Edge] = set()
    for later, relation, earlier, pattern in EDGES:
        query = f"MATCH {pattern} RETURN x.{KEYS[later]} AS x, y.{KEYS[earlier]} AS y"
        rows = await run_raw(platform.store, query)
        edges |= {(Identity(later, row["x"]), relation, Identity(earlier, row["y"])) for row in rows}
    return {edge for edge in edges if NO_BYTES not in (edge[0].name, edge[2].name)}


@pytest.mark.both_engines
async def test_all_of_a_graph_is_walked_as_its_readers_may_see_it(platform: Platform) -> None:
    await everything(platform)
    edges = await edges_of(platform)
    assert {(later.kind, relation, earlier.kind) for later, relation, earlier in edges} == {one[:3] for one in EDGES}
    of_kind = {kind: sorted({end for x, _, y in edges for end in (x, y) if end.kind is kind}) for kind in KEYS}
    pairs = [(of_kind[first][0], of_kind[second][-1]) for first, second in itertools.pairwise([*KEYS, Kind.AGENT])]
    everybody = {end for x, _, y in edges for end in (x, y)}
    for reader in (OPERATOR, ANONYMOUS):
        seen = await readable_of(platform.store, everybody, reader)
        assert (seen == everybody) is reader.operator
        open_edges = {(x, relation, y) for x, relation, y in edges if {x, y} <= seen}
        for start, end in pairs:
            if {start, end} <= seen:
                found = await find_paths(platform.store, of(start), of(end), PathChoice(), reader=reader)
                assert found.complete
                assert walked(found) == expected(open_edges, start, end), (start, end)
                assert found.paths.total == len(walked(found))
            else:
                with pytest.raises(NotFoundError, match="nothing that can be shown is named"):
                    await find_paths(platform.store, of(start), of(end), PathChoice(), reader=reader)


async def two_that_cite_a_memo(platform: Platform) -> tuple[bytes, bytes]:
    await accept(platform, signed_registration(AUTHOR), signed_registration(STRANGER))
    await accept(platform, signed_source(AUTHOR, source=MEMO, source_id=MEMO_ID, boundary=Boundary.INTERNAL))
    cited = [segment(quote, source=MEMO, source_id=MEMO_ID) for quote in ("The merger", "ninth of May")]
    first, second = (
        signed_statement(seed, claim=f"Claim {seed}.", evidence=[one])
        for seed, one in zip((AUTHOR, STRANGER), cited, strict=True)
    )
    await accept(platform, first, second)
    return first, second


async def test_what_a_reader_may_not_see_is_neither_walked_through_nor_named(platform: Platform) -> None:
    first, second = await two_that_cite_a_memo(platform)
    ends = ((hash_of(first), None), (hash_of(second), None))
    by_source = PathChoice(relations=frozenset({Relation.CITES, Relation.PART_OF}))
    found = await find_paths(platform.store, *ends, by_source, reader=Reader(Boundary.INTERNAL))
    assert found.paths.length == 4
    assert (Kind.SOURCE, sha256_digest(MEMO)) in found.things
    hidden = await find_paths(platform.store, *ends, by_source, reader=ANONYMOUS)
    assert (hidden.paths.length, hidden.paths.total, hidden.complete) == (None, 0, True)
    assert {kind for kind, _ in hidden.things} == {Kind.STATEMENT}
    for name in (MEMO_ID, sha256_digest(MEMO), "urn:doc:none"):
        with pytest.raises(NotFoundError, match=f"nothing that can be shown is named {name}"):
            await find_paths(platform.store, (name, None), ends[0], PathChoice(), reader=ANONYMOUS)


@pytest.mark.both_engines
async def test_a_source_that_everybody_cites_is_met_from_the_other_end(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    await run_raw(
        platform.store,
        """MATCH (h:LogHead {name: 'log'}) SET h.size = 1000
        CREATE (d:Document {document_key: 'sha256:hub'})<-[:PART_OF]-(c:Chunk {chunk_key: 'sha256:cited'})
        CREATE (a:Agent {agent_id: 'urn:agent:one', log_index: 0})
        CREATE (a)-[:GENERATED]->(:Statement {signed_hash: 'sha256:own', log_index: 1})-[:CITES]->(c)
        WITH c UNWIND range(2, 60) AS number
        CREATE (s:Statement {signed_hash: 'sha256:of-' + toString(number), log_index: number})-[:CITES]->(c)
        CREATE (:Agent {agent_id: 'urn:agent:of-' + toString(number), log_index: number})-[:GENERATED]->(s)""",
    )
    monkeypatch.setattr(path, "MAX_ROWS", 20)

    async def between(start: str, end: str) -> tuple[int | None, bool]:
        found = await find_paths(platform.store, (start, None), (end, None), PathChoice())
        return found.paths.length, found.complete

    assert await between("sha256:hub", "urn:agent:one") == (3, True)
    assert await between("urn:agent:one", "sha256:hub") == (3, True)
    assert await between("urn:agent:one", "urn:agent:of-9") == (4, True)
    # From either side everything is joined to the passage: that is as far as is looked.
    await run_raw(platform.store, "CREATE (:Document {document_key: 'sha256:alone'})")
    assert await between("sha256:cited", "sha256:alone") == (None, True)
    await run_raw(
        platform.store,
        """MATCH (d:Document {document_key: 'sha256:alone'})
        CREATE (d)<-[:PART_OF]-(c:Chunk {chunk_key: 'sha256:other'}) WITH c UNWIND range(100, 160) AS number
        CREATE (:Statement {signed_hash: 'sha256:of-' + toString(number), log_index: number})-[:CITES]->(c)""",
    )
    assert await between("sha256:hub", "sha256:alone") == (None, False)


async def test_a_choice_narrows_what_is_walked(platform: Platform) -> None:
    world = await verified_world(platform)
    statement, other = hash_of(world.statement), signed_statement(AUTHOR, claim="Another.")
    await accept(platform, other)

    async def lengths(start: str, end: str, **choice: Any) -> tuple[int | None, int]:
        found = await find_paths(platform.store, (start, None), (end, None), PathChoice(**choice))
        return found.paths.length, found.paths.total

    assert await lengths(statement, hash_of(other)) == (2, 2)  # by their author, and by the passage
    assert await lengths(statement, hash_of(other), relations=frozenset({Relation.CITES})) == (2, 1)
    assert await lengths(statement, hash_of(other), onward=True) == (None, 0)
    assert await lengths(statement, SOURCE_ID, onward=True) == (2, 1)
    assert await lengths(sha256_digest(SOURCE), statement, onward=False) == (2, 1)
    assert await lengths(sha256_digest(SOURCE), statement, onward=True) == (None, 0)
    before = await find_paths(platform.store, (statement, None), (hash_of(other), None), PathChoice(length=1))
    assert (before.paths.length, before.complete) == (None, False)
    for length in (0, 25):
        with pytest.raises(InputError, match="maxLength"):
            await find_paths(platform.store, (statement, None), (statement, None), PathChoice(length=length))


@pytest.mark.parametrize("relation", sorted(set(Relation) - {one for _, one, _, _ in EDGES}))
def test_a_relation_that_no_path_goes_by_is_refused_and_those_that_paths_know_are_named(relation: Relation) -> None:
    with pytest.raises(
        InputError, match=f"no path goes by {relation}, but by ABOUT, CITES, CONTRADICTS, .*"
    ) as refused:
        PathChoice(relations=frozenset({relation, Relation.CITES})).check()
    assert refused.value.path == "relations"
    PathChoice(relations=frozenset(one for _, one, _, _ in EDGES)).check()


async def test_as_of_a_size_what_came_later_is_not_there(platform: Platform) -> None:
    world = await verified_world(platform)
    size = platform.log.size
    other = signed_statement(AUTHOR, claim="Another.")
    await accept(platform, other)
    with pytest.raises(NotFoundError):
        await find_paths(platform.store, (hash_of(other), None), (SOURCE_ID, None), PathChoice(), size)
    place = (await platform.store.read("statements_by_hash", hashes=[hash_of(world.statement)]))[0]["log_index"]
    ends = ((agent_id(AUTHOR), None), (sha256_digest(SOURCE), None))
    by_citing = PathChoice(relations=frozenset({Relation.GENERATED_BY, Relation.CITES, Relation.PART_OF}))
    assert (await find_paths(platform.store, *ends, by_citing, place + 1)).paths.length == 3
    assert (await find_paths(platform.store, *ends, by_citing, place)).paths.length is None


async def test_a_name_of_too_many_names_none(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "MOST_NAMED", 2)
    await run_raw(
        platform.store,
        """MATCH (h:LogHead {name: 'log'}) SET h.size = 10
        WITH h UNWIND range(1, 3) AS number
        CREATE (:Statement {signed_hash: 'sha256:' + toString(number), statement_id: 'urn:twin', log_index: number})""",
    )
    with pytest.raises(InputError, match="more than 2 things are named urn:twin"):
        await find_paths(platform.store, ("urn:twin", None), ("sha256:1", None), PathChoice())


@pytest_asyncio.fixture
async def client(platform: Platform) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(platform, platform.settings))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


async def ask(client: httpx.AsyncClient, query: str) -> Any:
    answer = (await client.post("/graphql", json={"query": query})).json()
    return answer["data"] if answer.get("data") else answer["errors"][0]


async def test_graphql_shows_a_path_with_what_is_on_it(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    statement = hash_of(world.statement)
    names = await ask(
        client,
        f"""{{ statement(id: "{statement}") {{ id globalId evidence {{ globalId }} }}
            agent(id: "{agent_id(AUTHOR)}") {{ globalId }} }}""",
    )
    chunk = names["statement"]["evidence"][0]["globalId"]
    asked = """{ path(from: FROM, to: TO, relations: [CITES, GENERATED_BY]) { complete length asOf paths(first: 1) {
        start { kind name globalId node { ... on Chunk { byteStart } } }
        steps { relation direction to { kind id logIndex node { __typename ... on Agent { name } } } } } } }"""
    for start, end in (
        (chunk, names["agent"]["globalId"]),
        (chunk, agent_id(AUTHOR)),
    ):
        found = (await ask(client, asked.replace("FROM", json.dumps(start)).replace("TO", json.dumps(end))))["path"]
        assert (found["complete"], found["length"], found["asOf"]) == (True, 2, platform.log.size)
        (one,) = found["paths"]
        assert (one["start"]["kind"], one["start"]["globalId"]) == ("CHUNK", chunk)
        assert one["start"]["node"]["byteStart"] >= 0
        assert [(step["relation"], step["direction"], step["to"]["kind"]) for step in one["steps"]] == [
            ("CITES", "BACKWARD", "STATEMENT"),
            ("GENERATED_BY", "FORWARD", "AGENT"),
        ]
        assert one["steps"][0]["to"]["id"] == names["statement"]["id"]
        assert one["steps"][1]["to"]["node"]["__typename"] == "Agent"


async def test_graphql_says_what_leads_nowhere(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    entry = (await ask(client, "{ logEntries(first: 1) { nodes { globalId } } }"))["logEntries"]["nodes"][0]["globalId"]
    found = await ask(client, f'{{ path(from: "{entry}", to: "{SOURCE_ID}") {{ length }} }}')
    assert found["message"] == "from is a LogEntry, which nothing leads through"
    found = await ask(client, f'{{ path(from: "urn:none", to: "{SOURCE_ID}") {{ length }} }}')
    assert found["message"] == "nothing that can be shown is named urn:none"
