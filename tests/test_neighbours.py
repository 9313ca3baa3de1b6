"""The neighbours of a thing: everything one step away that the reader may see, on both engines."""

import json
from typing import Any

import httpx
import pytest
from builders import SOURCE, SOURCE_ID, agent_id, signed_statement
from export_world import MEMO, everything, secrets
from graph_contents import run_raw
from http_client import client
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, accept, hash_of, verified_world
from test_paths import KEYS, edges_of

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from graph.clearance import ANONYMOUS, OPERATOR, Reader
from graph.errors import InputError, NotFoundError
from graph.lineage import neighbours
from graph.lineage.names import readable_of
from graph.lineage.neighbours import NeighbourChoice, Neighbours, find_neighbours
from graph.lineage.walk import Identity, Kind, Relation
from graph.platform import Platform

__all__ = ["client", "platform"]

Seen = set[tuple[Relation, bool, Identity]]
"""Neighbours: the relation, whether it goes onward, and the thing."""

KEY_EDGES = {
    "MATCH (x:Statement)<-[:GENERATED]-(:Agent)-[:HAS_KEY]->(y:Key) WHERE x.key_id = y.key_id "
    "RETURN x.signed_hash AS x, y.key_id AS y": (Kind.STATEMENT, Relation.SIGNED_WITH, Kind.KEY),
    "MATCH (x:Verification {binds: true})-[:PERFORMED_BY]->(:Agent)-[:HAS_KEY]->(y:Key) WHERE x.key_id = y.key_id "
    "RETURN x.signed_hash AS x, y.key_id AS y": (Kind.VERIFICATION, Relation.SIGNED_WITH, Kind.KEY),
    "MATCH (x:Passport)-[r:ATTRIBUTED_TO]->(:Agent)-[:HAS_KEY]->(y:Key) WHERE r.key_id = y.key_id "
    "RETURN x.record_hash AS x, y.key_id AS y": (Kind.PASSPORT, Relation.SIGNED_WITH, Kind.KEY),
    "MATCH (x:Key)<-[:HAS_KEY]-(:Agent)-[:HAS_KEY]->(y:Key) WHERE x.registered_by = y.key_id "
    "RETURN x.key_id AS x, y.key_id AS y": (Kind.KEY, Relation.REGISTERED_BY, Kind.KEY),
    "MATCH (x:Key)<-[:HAS_KEY]-(y:Agent) RETURN x.key_id AS x, y.agent_id AS y": (
        Kind.KEY,
        Relation.REGISTERED_BY,
        Kind.AGENT,
    ),
    "MATCH (x:VerificationRequest)-[:TARGETS]->(y:Statement) RETURN x.signed_hash AS x, y.signed_hash AS y": (
        Kind.REQUEST,
        Relation.ABOUT,
        Kind.STATEMENT,
    ),
    "MATCH (x:PacketRecord)-[:ECHOES]->(y:Packet) RETURN x.record_hash AS x, y.record_hash AS y": (
        Kind.PACKET_RECORD,
        Relation.ECHOES,
        Kind.PACKET,
    ),
}


def seen(found: Neighbours) -> Seen:
    return {(one.relation, one.onward, thing.identity) for one in found.groups for thing in one.things}


async def all_edges(platform: Platform) -> set[tuple[Identity, Relation, Identity]]:
    edges = await edges_of(platform)
    for query, (later, relation, earlier) in KEY_EDGES.items():
        rows = await run_raw(platform.store, query)
        assert rows, query
        edges |= {(Identity(later, row["x"]), relation, Identity(earlier, row["y"])) for row in rows}
    return edges


@pytest.mark.both_engines
async def test_the_neighbours_of_everything_are_the_edges_that_the_reader_may_see(platform: Platform) -> None:
    await everything(platform)
    edges = await all_edges(platform)
    ends = {end for later, _, earlier in edges for end in (later, earlier)}
    found_by_name = {*KEYS, Kind.KEY}
    for reader in (OPERATOR, ANONYMOUS):
        readable = await readable_of(platform.store, ends, reader)
        for root in sorted(ends):
            if root.kind not in found_by_name:
                continue
            expected = {(relation, True, y) for x, relation, y in edges if x == root and y in readable}
            expected |= {(relation, False, x) for x, relation, y in edges if y == root and x in readable}
            if root in readable:
                found = await find_neighbours(platform.store, root.name, root.kind, reader=reader)
                known = {one for one in seen(found) if one[2].kind in {*found_by_name, Kind.REQUEST}}
                packets = {one for one in expected if one[2].kind is not Kind.PACKET_RECORD}
                assert known == packets, (root, reader)
                assert all(group.complete for group in found.groups)
            else:
                with pytest.raises(NotFoundError, match="nothing that can be shown is named"):
                    await find_neighbours(platform.store, root.name, root.kind, reader=reader)


async def test_records_about_a_packet_are_neighbours_for_readers_of_both(platform: Platform) -> None:
    await everything(platform)
    rows = await run_raw(
        platform.store,
        "MATCH (x:PacketRecord)-[:ECHOES]->(y:Packet) RETURN x.record_hash AS x, y.record_hash AS y ORDER BY y, x",
    )
    packet = rows[0]["y"]
    found = await find_neighbours(platform.store, packet, Kind.PACKET)
    echoes = {one[2].name for one in seen(found) if one[0] is Relation.ECHOES}
    assert echoes == {row["x"] for row in rows if row["y"] == packet}


async def test_a_memo_is_no_neighbour_for_readers_without_clearance(platform: Platform) -> None:
    clear, _, _ = await secrets(platform)
    for reader, count in ((OPERATOR, 2), (Reader(Boundary.CONFIDENTIAL), 2), (ANONYMOUS, 1)):
        found = await find_neighbours(platform.store, hash_of(clear), reader=reader)
        (chunks,) = [group for group in found.groups if group.kind is Kind.CHUNK]
        assert len(chunks.things) == count
    with pytest.raises(NotFoundError):
        await find_neighbours(platform.store, sha256_digest(MEMO), reader=ANONYMOUS)


async def test_a_choice_narrows_the_neighbours(platform: Platform) -> None:
    world = await verified_world(platform)
    name = hash_of(world.statement)

    async def relations(**choice: Any) -> set[tuple[Relation, bool]]:
        found = await find_neighbours(platform.store, name, choice=NeighbourChoice(**choice))
        return {(group.relation, group.onward) for group in found.groups}

    onward = {(Relation.GENERATED_BY, True), (Relation.CITES, True), (Relation.SIGNED_WITH, True)}
    assert await relations() == onward | {(Relation.ABOUT, False)}
    assert await relations(onward=True) == onward
    assert await relations(relations=frozenset({Relation.CITES})) == {(Relation.CITES, True)}
    assert await relations(kinds=frozenset({Kind.KEY, Kind.PACK})) == {(Relation.SIGNED_WITH, True)}
    with pytest.raises(InputError, match="no neighbours are joined by JUDGED_BY, but by ABOUT, CITES") as refused:
        await relations(relations=frozenset({Relation.JUDGED_BY}))
    assert refused.value.path == "relations"


async def test_as_of_a_size_later_neighbours_are_not_there(platform: Platform) -> None:
    world = await verified_world(platform)
    name = hash_of(world.statement)
    place = (await platform.store.read("statements_by_hash", hashes=[name]))[0]["log_index"]
    found = await find_neighbours(platform.store, name, as_of=place + 1)
    assert {group.relation for group in found.groups} == {
        Relation.GENERATED_BY,
        Relation.CITES,
        Relation.SIGNED_WITH,
    }
    assert found.as_of == place + 1
    with pytest.raises(NotFoundError):
        await find_neighbours(platform.store, name, as_of=place)


async def test_a_group_above_the_limit_is_incomplete(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    await verified_world(platform)
    await accept(platform, *(signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(3)))
    monkeypatch.setattr(neighbours, "MAX_ROWS", 2)
    found = await find_neighbours(platform.store, agent_id(AUTHOR))
    (statements,) = [group for group in found.groups if group.kind is Kind.STATEMENT]
    assert (len(statements.things), statements.complete) == (2, False)
    (keys,) = [group for group in found.groups if group.kind is Kind.KEY]
    assert (len(keys.things), keys.complete) == (1, True)


ASKED = """query ($of: ID!, $after: String) { neighbours(of: $of) {
  asOf of { kind name }
  groups { relation direction kind complete total of { name }
    things(first: 1, after: $after) {
      totalCount pageInfo { hasNextPage endCursor }
      nodes { kind name logIndex node { __typename ... on Statement { claimText } ... on Agent { name } } } } }
} }"""


async def ask(client: httpx.AsyncClient, **variables: Any) -> Any:
    answer = (await client.post("/graphql", json={"query": ASKED, "variables": variables})).json()
    return answer["data"]["neighbours"] if answer.get("data") else answer["errors"][0]


async def test_graphql_shows_groups_of_neighbours_by_pages(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    found = await ask(client, of=hash_of(world.statement))
    assert found["of"] == [{"kind": "STATEMENT", "name": hash_of(world.statement)}]
    assert found["asOf"] == platform.log.size
    groups = {(one["relation"], one["direction"], one["kind"]): one for one in found["groups"]}
    assert list(groups)[-1] == ("ABOUT", "BACKWARD", "VERIFICATION")
    author = groups["GENERATED_BY", "FORWARD", "AGENT"]
    assert (author["total"], author["complete"], author["of"]["name"]) == (1, True, hash_of(world.statement))
    assert author["things"]["nodes"][0]["node"] == {"__typename": "Agent", "name": "Test agent 1"}
    verdicts = groups["ABOUT", "BACKWARD", "VERIFICATION"]
    assert verdicts["total"] == verdicts["things"]["totalCount"] == 3  # with the node's own check
    assert verdicts["things"]["pageInfo"]["hasNextPage"]


async def test_graphql_finds_neighbours_by_any_name(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    (key,) = [
        one["things"]["nodes"][0]["name"]
        for one in (await ask(client, of=hash_of(world.statement)))["groups"]
        if one["kind"] == "KEY"
    ]
    for name, kind in (
        (key, "KEY"),
        (agent_id(VERIFIER_A), "AGENT"),
        (SOURCE_ID, "SOURCE"),
        (sha256_digest(SOURCE), "SOURCE"),
        (hash_of(world.responses[0]), "VERIFICATION"),
    ):
        found = await ask(client, of=name)
        assert {one["kind"] for one in found["of"]} == {kind}
        assert found["groups"]
    refused = await ask(client, of="urn:none")
    assert refused["message"] == "nothing that can be shown is named urn:none"
    assert json.dumps(refused).count("urn:none") == 1
