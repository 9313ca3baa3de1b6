"""The blast radius: what rests on a key, an agent, a source or a statement, on both engines."""

import random
from collections.abc import AsyncIterator
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
from key_world import statement_with
from platform_fixture import platform
from scenario import AUTHOR, OPERATOR_A, STRANGER, VERIFIER_A, VERIFIER_B, World, accept, hash_of, verified_world

from a2ap.canonical import sha256_digest
from graph.app import create_app
from graph.errors import InputError, NotFoundError
from graph.lineage import blast_radius as module
from graph.lineage.blast_radius import BlastRadius, blast_radius
from graph.lineage.walk import Kind, Relation
from graph.platform import Platform

__all__ = ["platform"]


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


async def ask(client: httpx.AsyncClient, arguments: str) -> Any:
    query = f"""{{ blastRadius({arguments}) {{ asOf total complete statements verifications vouchedFor hasNextPage
        items {{ kind name messageId depth relation parent position logIndex }} }} }}"""
    answer = (await client.post("/graphql", json={"query": query})).json()
    return answer["data"]["blastRadius"] if answer.get("data") else answer["errors"][0]


async def test_graphql_gives_it_page_by_page(platform: Platform, client: httpx.AsyncClient) -> None:
    await family(platform)
    name = f'agent: "{agent_id(AUTHOR)}"'
    whole = await ask(client, name)
    assert (whole["complete"], whole["hasNextPage"], whole["total"]) == (True, False, len(whole["items"]))
    pages, after = [], -1
    while True:
        page = await ask(client, f"{name}, asOf: {whole['asOf']}, first: 2, after: {after}")
        pages += page["items"]
        if not page["hasNextPage"]:
            break
        after = pages[-1]["position"]
    assert pages == whole["items"]


async def test_graphql_wants_one_thing(platform: Platform, client: httpx.AsyncClient) -> None:
    for arguments in ("first: 5", 'agent: "urn:agent:a", key: "urn:agent:a#1"'):
        assert "of key, agent, source and statement are given" in (await ask(client, arguments))["message"]
    assert "first is 0" in (await ask(client, f'agent: "{platform.node.agent_id}", first: 0'))["message"]
