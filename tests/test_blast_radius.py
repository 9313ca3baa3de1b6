"""The blast radius: what rests on a key, an agent, a source or a statement, on both engines."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from builders import (
    SOURCE,
    SOURCE_ID,
    agent_id,
    key_id,
    message_id,
    reference_to,
    segment,
    signed_key_registration,
    signed_registration,
    signed_response,
    signed_source,
    signed_statement,
)
from cli_runner import Ended, Run, a2ap
from graph_contents import run_raw
from key_world import statement_with
from platform_fixture import platform
from scenario import AUTHOR, OPERATOR_A, STRANGER, VERIFIER_A, VERIFIER_B, World, accept, hash_of, verified_world
from served import served

from a2ap.canonical import sha256_digest
from graph.app import create_app
from graph.clearance import ANONYMOUS, OPERATOR
from graph.errors import InputError, NotFoundError
from graph.lineage import blast_radius as module
from graph.lineage.blast_radius import BlastRadius, blast_radius, impact_of
from graph.lineage.walk import Kind, Relation
from graph.platform import Platform

__all__ = ["a2ap", "platform"]


def names(found: BlastRadius, kind: Kind = Kind.STATEMENT) -> list[str]:
    return [item.name for item in found.items if item.kind is kind]


async def family(platform: Platform) -> tuple[World, bytes, bytes, bytes]:
    """Submit a statement, one that supports it, a revision of it, and one that supports the supporting one."""
    world = await verified_world(platform)
    second = signed_statement(AUTHOR, claim="It supports the first.", supports=[reference_to(world.statement)])
    revision = signed_statement(
        STRANGER,
        claim="In other words.",
        statement_id=message_id("revision"),
        was_revision_of=reference_to(world.statement),
    )
    await accept(platform, second, revision)
    third = signed_statement(STRANGER, claim="It supports the second.", supports=[reference_to(second)])
    await accept(platform, third)
    return world, second, revision, third


async def test_what_a_statement_supports_and_what_revises_it_rests_on_it(platform: Platform) -> None:
    world, second, revision, third = await family(platform)
    found = await blast_radius(platform.store, Kind.STATEMENT, hash_of(third))
    assert [(item.name, item.depth, item.relation) for item in found.items] == [
        (hash_of(second), 1, Relation.SUPPORTED_BY),
        (hash_of(world.statement), 2, Relation.SUPPORTED_BY),
        (hash_of(revision), 3, Relation.REVISION_OF),
    ]
    assert found.items[2].parent == hash_of(world.statement)
    assert found.complete
    assert (await blast_radius(platform.store, Kind.STATEMENT, hash_of(revision))).items == ()


async def test_a_statement_is_found_by_its_id(platform: Platform) -> None:
    world, _, revision, _ = await family(platform)
    found = await blast_radius(platform.store, Kind.STATEMENT, reference_to(world.statement).id)
    assert names(found) == [hash_of(revision)]


async def test_as_of_an_earlier_size_later_statements_are_not_seen(platform: Platform) -> None:
    world, second, revision, third = await family(platform)
    whole = await blast_radius(platform.store, Kind.AGENT, agent_id(STRANGER))
    place = next(item.log_index for item in whole.items if item.name == hash_of(third))
    earlier = await blast_radius(platform.store, Kind.AGENT, agent_id(STRANGER), place)
    assert earlier.as_of == place
    assert names(earlier) == [hash_of(revision)]
    assert set(names(whole)) == {hash_of(one) for one in (world.statement, second, revision, third)}


async def test_an_answer_as_of_a_size_stays_the_same(platform: Platform) -> None:
    world, *_ = await family(platform)
    before = await blast_radius(platform.store, Kind.SOURCE, SOURCE_ID)
    await accept(platform, signed_statement(AUTHOR, claim="One more."), signed_response(world.statement, STRANGER))
    assert await blast_radius(platform.store, Kind.SOURCE, SOURCE_ID, before.as_of) == before
    assert len((await blast_radius(platform.store, Kind.SOURCE, SOURCE_ID)).items) == len(before.items) + 1


async def test_a_source_by_hash_and_by_name(platform: Platform) -> None:
    world, second, revision, third = await family(platform)
    other = b"Another source says something."
    await accept(platform, signed_source(AUTHOR, source=other, source_id="urn:doc:test:other"))
    apart = signed_statement(
        AUTHOR, claim="Apart.", evidence=[segment("Another source", source=other, source_id="urn:doc:test:other")]
    )
    await accept(platform, apart)
    expected = {hash_of(one) for one in (world.statement, second, revision, third)}
    for name in (SOURCE_ID, sha256_digest(SOURCE)):
        found = await blast_radius(platform.store, Kind.SOURCE, name)
        assert set(names(found)) == expected
        assert found.items[0].relation is Relation.CITES
    assert names(await blast_radius(platform.store, Kind.SOURCE, "urn:doc:test:other")) == [hash_of(apart)]


async def test_an_operator_s_endorsement_carries_the_verdicts_of_who_is_endorsed(platform: Platform) -> None:
    world, _, revision, _ = await family(platform)
    found = await blast_radius(platform.store, Kind.AGENT, agent_id(OPERATOR_A))
    assert [(item.kind, item.relation, item.depth) for item in found.items] == [
        (Kind.VOUCHED_FOR, Relation.ENDORSED_BY, 1),
        (Kind.VERIFICATION, Relation.PERFORMED_BY, 2),
        (Kind.STATEMENT, Relation.JUDGED_BY, 3),
        (Kind.STATEMENT, Relation.REVISION_OF, 4),
    ]
    assert names(found) == [hash_of(world.statement), hash_of(revision)]
    assert names(found, Kind.VOUCHED_FOR) == [agent_id(VERIFIER_A)]


async def test_a_key_carries_what_it_signed_and_what_the_keys_that_it_registered_signed(platform: Platform) -> None:
    await family(platform)
    await accept(platform, signed_key_registration(STRANGER, 121))
    with_second = statement_with(STRANGER, 121, "key-2", "With the second key.")
    await accept(platform, with_second)
    first = await blast_radius(platform.store, Kind.KEY, key_id(STRANGER))
    second = await blast_radius(platform.store, Kind.KEY, f"{agent_id(STRANGER)}#key-2")
    assert names(first, Kind.KEY) == [f"{agent_id(STRANGER)}#key-2"]
    assert hash_of(with_second) in names(first)
    assert names(second) == [hash_of(with_second)]


async def test_a_verdict_that_binds_nothing_carries_nothing(platform: Platform) -> None:
    world = await verified_world(platform)
    found = await blast_radius(platform.store, Kind.AGENT, agent_id(VERIFIER_B))
    assert names(found, Kind.VERIFICATION) == [hash_of(world.responses[1])]
    assert names(await blast_radius(platform.store, Kind.AGENT, agent_id(STRANGER))) == []


async def test_a_circle_ends(platform: Platform) -> None:
    world = await verified_world(platform)
    second = signed_statement(STRANGER, claim="It supports the first.", supports=[reference_to(world.statement)])
    await accept(platform, second)
    # first <- revised by third, which supports second, which supports first.
    third = signed_statement(
        STRANGER,
        claim="Revised and supporting.",
        statement_id=message_id("circle"),
        was_revision_of=reference_to(world.statement),
        supports=[reference_to(second)],
    )
    await accept(platform, third)
    found = await blast_radius(platform.store, Kind.STATEMENT, hash_of(world.statement))
    assert names(found) == [hash_of(third), hash_of(second)]


async def test_the_number_of_queries_depends_on_the_depth_alone(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR))
    asked: list[str] = []
    counts = []
    for width in (2, 20):
        roots = signed_statement(AUTHOR, claim=f"The root of {width}.")
        await accept(platform, roots)
        branches = [signed_statement(AUTHOR, claim=f"{width}, {number}.") for number in range(width)]
        await accept(platform, *branches)
        top = signed_statement(
            AUTHOR, claim=f"Over {width}.", supports=[reference_to(one) for one in (roots, *branches)]
        )
        await accept(platform, top)
        platform.store.observe = asked.append
        found = await blast_radius(platform.store, Kind.STATEMENT, hash_of(top))
        platform.store.observe = None
        assert len(found.items) == width + 1
        counts.append(len(asked))
        asked.clear()
    assert counts[0] == counts[1]


async def test_it_finds_what_a_plain_walk_finds(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR))
    chance = random.Random(7)
    documents: list[bytes] = []
    edges: dict[str, set[str]] = {}
    for number in range(40):
        supports = chance.sample(documents, min(len(documents), chance.randrange(3)))
        revised = chance.choice(documents) if documents and chance.random() < 0.3 else None
        document = signed_statement(
            AUTHOR,
            claim=f"Claim {number}.",
            statement_id=message_id("walk", number),
            supports=[reference_to(one) for one in supports],
            was_revision_of=None if revised is None else reference_to(revised),
        )
        edges[hash_of(document)] = {hash_of(one) for one in supports}
        if revised is not None:
            edges[hash_of(revised)].add(hash_of(document))
        documents.append(document)
        await accept(platform, document)
    for document in documents[::5]:
        expected, waiting = set[str](), [hash_of(document)]
        while waiting:
            for name in edges[waiting.pop()] - expected:
                expected.add(name)
                waiting.append(name)
        found = await blast_radius(platform.store, Kind.STATEMENT, hash_of(document))
        assert set(names(found)) == expected - {hash_of(document)}
        assert [item.depth for item in found.items] == sorted(item.depth for item in found.items)


async def test_a_walk_that_is_cut_short_says_so(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    *_, third = await family(platform)
    monkeypatch.setattr(module, "MAX_ITEMS", 2)
    found = await blast_radius(platform.store, Kind.STATEMENT, hash_of(third))
    assert (len(found.items), found.complete) == (2, False)
    monkeypatch.undo()
    monkeypatch.setattr(module, "MAX_DEPTH", 1)
    found = await blast_radius(platform.store, Kind.STATEMENT, hash_of(third))
    assert (len(found.items), found.complete) == (1, False)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Kind.KEY, "urn:agent:nobody#1"),
        (Kind.AGENT, "urn:agent:nobody"),
        (Kind.SOURCE, "urn:doc:none"),
        (Kind.STATEMENT, "urn:uuid:none"),
        (Kind.STATEMENT, f"sha256:{'0' * 64}"),
    ],
)
async def test_what_is_not_here_has_none(platform: Platform, kind: Kind, name: str) -> None:
    with pytest.raises(NotFoundError, match="is here"):
        await blast_radius(platform.store, kind, name)


async def test_the_log_has_not_had_every_size(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR))
    for size in (-1, 10_000):
        with pytest.raises(InputError, match="asOf"):
            await blast_radius(platform.store, Kind.AGENT, agent_id(AUTHOR), size)


@pytest_asyncio.fixture
async def client(platform: Platform, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(platform, platform.settings))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


async def ask(client: httpx.AsyncClient, arguments: str, page: str = "first: 200") -> Any:
    query = f"""{{ blastRadius({arguments}) {{ asOf total complete statements verifications vouchedFor
        items({page}) {{ nodes {{ kind name messageId depth relation parent position logIndex }}
          pageInfo {{ hasNextPage endCursor }} totalCount }} }} }}"""
    answer = (await client.post("/graphql", json={"query": query})).json()
    return answer["data"]["blastRadius"] if answer.get("data") else answer["errors"][0]


async def test_graphql_gives_it_page_by_page(platform: Platform, client: httpx.AsyncClient) -> None:
    await family(platform)
    name = f'agent: "{agent_id(AUTHOR)}"'
    whole = await ask(client, name)
    items = whole["items"]
    assert (whole["complete"], items["pageInfo"]["hasNextPage"]) == (True, False)
    assert whole["total"] == items["totalCount"] == len(items["nodes"])
    pages, after = [], "null"
    while True:
        page = (await ask(client, f"{name}, asOf: {{logSize: {whole['asOf']}}}", f"first: 2, after: {after}"))["items"]
        pages += page["nodes"]
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = json.dumps(page["pageInfo"]["endCursor"])
    assert pages == items["nodes"]


async def test_graphql_gives_the_object_of_each_item(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    query = f"""{{ blastRadius(agent: "{agent_id(OPERATOR_A)}") {{ items {{ nodes {{
        kind name
        thing {{ kind name node {{ __typename ... on Agent {{ id }} ... on Statement {{ signedHash }} }} }}
        }} }} }} }}"""
    items = (await client.post("/graphql", json={"query": query})).json()["data"]["blastRadius"]["items"]["nodes"]
    assert {item["kind"] for item in items} >= {"VOUCHED_FOR", "VERIFICATION", "STATEMENT"}
    for item in items:
        assert item["thing"]["name"] == item["name"]
        assert item["thing"]["kind"] == ("AGENT" if item["kind"] == "VOUCHED_FOR" else item["kind"])
        assert item["thing"]["node"].get("id", item["name"]) == item["name"]


async def test_graphql_gives_all_of_an_impact_at_once(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    query = f"""{{ impact(of: "{agent_id(OPERATOR_A)}") {{ total allItems {{ name position }}
        items(first: 200) {{ nodes {{ name position }} }} }} }}"""
    found = (await client.post("/graphql", json={"query": query})).json()["data"]["impact"]
    assert found["allItems"] == found["items"]["nodes"]
    assert found["total"] == len(found["allItems"]) > 0


async def test_graphql_wants_one_thing(platform: Platform, client: httpx.AsyncClient) -> None:
    for arguments in ("asOf: {logSize: 0}", 'agent: "urn:agent:a", key: "urn:agent:a#1"'):
        assert "of key, agent, source and statement are given" in (await ask(client, arguments))["message"]
    assert "first is 0" in (await ask(client, f'agent: "{platform.node.agent_id}"', "first: 0"))["message"]


IMPACT = """query ($of: ID!, $kind: LineageKind, $asOf: AsOf, $first: Int) {
  impact(of: $of, kind: $kind, asOf: $asOf) { asOf complete total counts { kind count } of { kind name globalId }
    items(first: $first) { nodes { kind name depth } pageInfo { hasNextPage } totalCount } } }"""


async def impact(client: httpx.AsyncClient, of: str, **variables: Any) -> Any:
    answer = (await client.post("/graphql", json={"query": IMPACT, "variables": {"of": of, **variables}})).json()
    return answer["data"]["impact"] if answer.get("data") else answer["errors"][0]


@pytest.mark.both_engines
async def test_impact_is_the_blast_radius_of_whatever_has_the_name(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world, *_ = await family(platform)
    statement = hash_of(world.statement)
    for kind, name in (
        (Kind.KEY, key_id(AUTHOR)),
        (Kind.AGENT, agent_id(AUTHOR)),
        (Kind.SOURCE, SOURCE_ID),
        (Kind.SOURCE, sha256_digest(SOURCE)),
        (Kind.STATEMENT, statement),
        (Kind.STATEMENT, reference_to(world.statement).id),
    ):
        expected = await blast_radius(platform.store, kind, name)
        found = await impact(client, name, first=200)
        assert [(one["kind"], one["name"], one["depth"]) for one in found["items"]["nodes"]] == [
            (item.kind, item.name, item.depth) for item in expected.items
        ]
        assert (found["complete"], found["asOf"]) == (True, platform.log.size)
        assert found["total"] == found["items"]["totalCount"] == sum(one["count"] for one in found["counts"])
        assert [one["kind"] for one in found["of"]] == [kind]
    verdict = hash_of(world.responses[0])
    judged = await impact(client, verdict)
    assert {one["name"] for one in judged["items"]["nodes"] if one["depth"] == 1} == {statement}
    (chunk,) = (await platform.store.read("citations_of", hashes=[statement]))[:1]
    cited = await impact(client, chunk["chunk_key"])
    assert statement in {one["name"] for one in cited["items"]["nodes"] if one["depth"] == 1}
    by_id = await impact(client, cited["of"][0]["globalId"])
    assert (by_id["of"], by_id["total"]) == (cited["of"], cited["total"])
    place = next(item.log_index for item in expected.items)
    earlier = await impact(client, statement, asOf={"logSize": place})
    assert earlier["asOf"] == place and earlier["total"] < found["total"]


async def test_impact_of_nothing_is_said(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    for name, kind in (("urn:none", None), (hash_of(world.statement), "AGENT")):
        assert (await impact(client, name, kind=kind))["message"] == f"nothing that can be shown is named {name}"


async def test_a_packet_is_found_by_what_it_calls_itself_by_its_readers_alone(platform: Platform) -> None:
    await run_raw(
        platform.store,
        """CREATE (p:Packet {record_hash: 'sha256:packet', packet_id: 'cpk_closed', log_index: 0})
        CREATE (p)-[:RECORD_OF]->(:Document {document_key: 'sha256:packet', boundary: 'private'})
        CREATE (p)-[:HAS_ITEM]->(:Item {item_key: 'sha256:packet#0'})-[:ABOUT]->(:Document {document_key: 'sha256:of'})
        """,
    )
    for name in ("cpk_closed", "sha256:of"):
        assert (await impact_of(platform.store, name, reader=OPERATOR)).of
        with pytest.raises(NotFoundError, match="nothing that can be shown"):
            await impact_of(platform.store, name, reader=ANONYMOUS)
    assert {one.kind for one in (await impact_of(platform.store, "sha256:packet", reader=OPERATOR)).of} == {
        Kind.PACKET,
        Kind.SOURCE,
    }
    with pytest.raises(NotFoundError, match="nothing that can be shown is named sha256:packet"):
        await impact_of(platform.store, "sha256:packet", reader=ANONYMOUS)


@pytest.mark.both_engines
async def test_what_a_reader_may_not_see_is_neither_counted_nor_walked_through(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    await run_raw(
        platform.store,
        """MATCH (h:LogHead {name: 'log'}) SET h.size = 10
        CREATE (used:Document {document_key: 'sha256:used', boundary: 'public'})
        CREATE (made:Document {document_key: 'sha256:made', boundary: 'public'})
        CREATE (closed:Pack {record_hash: 'sha256:closed', log_index: 1})
        CREATE (closed)-[:RECORD_OF]->(:Document {document_key: 'sha256:closed', boundary: 'private'})
        CREATE (open:Pack {record_hash: 'sha256:open', log_index: 2})
        CREATE (open)-[:RECORD_OF]->(:Document {document_key: 'sha256:open', boundary: 'public'})
        CREATE (later:Pack {record_hash: 'sha256:later', log_index: 3})
        CREATE (later)-[:RECORD_OF]->(:Document {document_key: 'sha256:later', boundary: 'public'})
        CREATE (closed)-[:USED]->(used) CREATE (open)-[:USED]->(used)
        CREATE (closed)-[:GENERATED]->(made) CREATE (later)-[:USED]->(made)""",
    )
    reached = {"sha256:closed", "sha256:open", "sha256:made", "sha256:later"}
    for reader, expected in ((OPERATOR, reached), (ANONYMOUS, {"sha256:open"})):
        found = await impact_of(platform.store, "sha256:used", reader=reader)
        assert {item.name for item in found.items} == expected and found.complete
        assert found.items == (await blast_radius(platform.store, Kind.SOURCE, "sha256:used", reader=reader)).items
    assert "sha256:later" in names(await blast_radius(platform.store, Kind.SOURCE, "sha256:closed"), Kind.PACK)
    with pytest.raises(NotFoundError, match="no source sha256:closed is here"):
        await blast_radius(platform.store, Kind.SOURCE, "sha256:closed", reader=ANONYMOUS)
    # So many that are closed would fill what one query may give.
    await run_raw(
        platform.store,
        """MATCH (used:Document {document_key: 'sha256:used'})
        UNWIND ['a', 'b', 'c', 'd'] AS name
        CREATE (closed:Pack {record_hash: name, log_index: 0})
        CREATE (closed)-[:RECORD_OF]->(:Document {document_key: name, boundary: 'private'})
        CREATE (closed)-[:USED]->(used)""",
    )
    monkeypatch.setattr(module, "MAX_ITEMS", 1)
    found = await impact_of(platform.store, "sha256:used", reader=ANONYMOUS)
    assert (names(found, Kind.PACK), found.complete) == (["sha256:open"], True)


@pytest.mark.both_engines
async def test_commands_show_paths_impact_and_what_came(
    platform: Platform, a2ap: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, _, revision, _ = await family(platform)
    statement = reference_to(world.statement).id
    async with served(platform) as url:
        run = partial(asyncio.to_thread, a2ap)
        shown: Ended = await run(
            "path", statement, SOURCE_ID, "--relation", "CITES", "--relation", "PART_OF", "--url", url
        )
        first, second, third = shown.out.splitlines()
        assert first == f"statement {statement}"
        assert second.startswith("-- cites --> chunk ") and third == f"-- part of --> source {SOURCE_ID}"
        assert shown.err.startswith("1 path of 2 steps as of")
        nothing = await run("path", statement, SOURCE_ID, "--max-length", 1, "--url", url)
        assert "not everything was looked at" in nothing.err
        fallen = await run("impact", statement, "--url", url)
        assert f"1  statement {reference_to(revision).id}  revision of {hash_of(world.statement)}" in fallen.out
        assert fallen.err.startswith("1 as of") and "1 statement" in fallen.err
        counted = json.loads((await run("stats", "--by", "MONTH", "--json", "--url", url)).out)
        assert counted["buckets"][-1]["total"]["entries"] == counted["asOf"] == platform.log.size
        table = (await run("stats", "--total", "--url", url)).out
        assert table.split()[:2] == ["from", "statements"]
