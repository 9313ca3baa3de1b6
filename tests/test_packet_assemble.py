"""Packets assembled out of a graph through the doors: what goes in, what readers may have, the same bytes again."""

import json
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from builders import (
    CLAIM,
    QUOTE,
    agent_id,
    envelope_of,
    segment,
    sign,
    signed_registration,
    signed_request,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
    statement_message,
)
from http_client import OPERATOR, READERS, ask, bearer, client
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, pieces, settle, verified_world

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.verification_response import Verdict
from a2ap.packet.check_packet import check_packet
from a2ap.packet.document import PacketDocument, read_document
from a2ap.packet.reading import read_packet
from a2ap.packet.signature import verify_members
from a2ap.packet.vocabulary import Level
from graph.platform import Platform

__all__ = ["client", "platform"]

READER = agent_id(STRANGER)
SECRET = b"The closed session ended in a settlement of forty thousand."


@pytest.fixture
def order() -> dict[str, Any]:
    return {
        "recipient": READER,
        "purpose": "Write a summary of what the council decided about zoning.",
        "ceiling": "public",
        "topics": ["height limit"],
    }


async def assembled(client: httpx.AsyncClient, order: dict[str, Any], token: str | None = None) -> PacketDocument:
    answer = await client.post("/packets/assemble", json=order, headers=bearer(token) if token else {})
    assert answer.status_code == 200, answer.text
    return read_document(answer.content)


def sources(document: PacketDocument) -> list[str]:
    return [item["provenance"]["source"] for item in document.items]


def reasons(document: PacketDocument) -> dict[str, int]:
    return {one["reason"]: one["count"] for one in document.parts("exclusions")}


async def secret_statement(platform: Platform) -> bytes:
    """Submit a statement that cites a confidential source."""
    name = "urn:doc:test:closed-session"
    source = signed_source(AUTHOR, source=SECRET, source_id=name, boundary=Boundary.CONFIDENTIAL)
    evidence = [segment("The closed session", source=SECRET, source_id=name)]
    statement = sign(statement_message(AUTHOR, claim="The height limit was settled.", evidence=evidence), AUTHOR)
    await accept(platform, source)
    await platform.sources.put(sha256_digest(SECRET), pieces(SECRET))
    await accept(platform, statement)
    return statement


async def test_what_is_assembled_has_the_statement_its_verdicts_and_its_passage(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any]
) -> None:
    world = await verified_world(platform)
    document = await assembled(client, order)
    statement, *others = document.items
    assert statement["content"]["quoted_data"] == CLAIM
    assert statement["epistemic_status"] == "fact"
    assert statement["promotion_state"] == "confirmed"
    assert statement["ext"]["a2ap.statement"] == hash_of(world.statement)
    assert [item["kind"] for item in others] == ["verdict", "verdict", "verdict", "artifact_ref"]
    assert {f"a2ap-verification:{hash_of(one)}" for one in world.responses} < set(sources(document))
    assert others[-1]["content"]["quoted_data"] == QUOTE
    assert others[-1]["provenance"]["trust"] == "external"


@pytest.mark.parametrize(("audited", "level"), [(False, Level.GOVERNED), (True, Level.AUDITED)])
async def test_what_is_assembled_reaches_its_level_as_the_validator_finds(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any], audited: bool, level: Level
) -> None:
    await verified_world(platform)
    document = await assembled(client, {**order, "audited": audited})
    report = check_packet(document, now=platform.clock())
    assert report.claimed is report.level is level
    assert report.conforms(level)
    assert bool(document.parts("receipts")) is audited
    read_packet(document.data)


async def test_the_same_order_of_the_same_graph_at_the_same_time_gives_the_same_bytes(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any]
) -> None:
    await verified_world(platform)
    platform.clock = lambda: datetime(2026, 7, 4, 12, tzinfo=UTC)
    for changes in ({}, {"signed": True}):
        first, second = [await assembled(client, {**order, **changes}) for _ in range(2)]
        assert first.data == second.data
    size = platform.log.checkpoint.tree_size
    assert first.part("reproducibility")["source_state_refs"][0].startswith(f"a2ap-log:{platform.log.origin}@{size}#")
    assert first.members["ext"]["a2ap.checkpoint"].startswith(f"{platform.log.origin}\n{size}\n")


async def test_a_signed_packet_is_signed_by_the_node(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any]
) -> None:
    await verified_world(platform)
    document = await assembled(client, {**order, "signed": True})
    assert verify_members(document.members, platform.node.key.public_key).key_id == platform.node.key_id


async def test_nothing_above_the_ceiling_or_the_clearance_gets_into_a_packet(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any]
) -> None:
    await verified_world(platform)
    secret = hash_of(await secret_statement(platform))
    document = await assembled(client, order)
    assert f"a2ap-statement:{secret}" not in sources(document)
    (exclusion,) = document.parts("exclusions")
    assert (exclusion["reason"], exclusion["boundary"], exclusion["count"]) == ("boundary", "confidential", 1)
    assert b"closed session" not in document.data
    refused = await client.post("/packets/assemble", json={**order, "ceiling": "confidential"})
    assert (refused.status_code, refused.json()["code"]) == (403, "FORBIDDEN")
    allowed = await assembled(client, {**order, "ceiling": "confidential"}, READERS["confidential"])
    assert f"a2ap-statement:{secret}" in sources(allowed)
    assert b"The closed session" in allowed.data


async def test_only_the_operator_has_a_packet_made_that_allows_more_than_drafts(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any]
) -> None:
    await verified_world(platform)
    wanted = {**order, "use": "internal_write"}
    refused = await client.post("/packets/assemble", json=wanted, headers=bearer(READERS["confidential"]))
    assert (refused.status_code, refused.json()["code"]) == (403, "FORBIDDEN")
    document = await assembled(client, wanted, OPERATOR)
    assert document.part("scope")["allowed_use"] == ["read_only", "draft_only", "internal_write"]


async def test_open_requests_and_challenges_are_open_loops_and_contest_the_claim(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any]
) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    challenge = signed_response(statement, VERIFIER_B, verdict=Verdict.CHALLENGED)
    await accept(platform, statement, signed_request(statement, VERIFIER_A), challenge)
    document = await assembled(client, order)
    questions = [loop["question"] for loop in document.parts("open_loops")]
    assert any(envelope_of(challenge).id in question for question in questions)
    assert any("waits" in question for question in questions)
    assert document.items[0]["epistemic_status"] == "contested"
    assert check_packet(document).conforms(Level.GOVERNED)


async def test_what_its_author_took_back_is_left_out_and_said_so(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any]
) -> None:
    await verified_world(platform)
    other = signed_statement(AUTHOR, claim="The height limit is gone.")
    await accept(platform, other)
    await accept(platform, signed_retraction(other, AUTHOR))
    document = await assembled(client, order)
    assert f"a2ap-statement:{hash_of(other)}" not in sources(document)
    assert reasons(document) == {"superseded": 1}


async def test_statements_are_ordered_by_their_names_and_come_first(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any]
) -> None:
    world = await verified_world(platform)
    other = signed_statement(AUTHOR, claim="The height limit stays as it is.")
    await accept(platform, other)
    document = await assembled(client, {**order, "statements": [envelope_of(other).id]})
    assert document.items[0]["ext"]["a2ap.statement"] == hash_of(other)
    alone = await assembled(client, {**order, "topics": [], "statements": [hash_of(world.statement)]})
    assert {item["ext"]["a2ap.statement"] for item in alone.items} == {hash_of(world.statement)}


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"statements": ["urn:uuid:00000000-0000-4000-8000-000000000000"]}, 404),
        ({"topics": ["nothing of the kind"]}, 404),
        ({"purpose": ""}, 400),
        ({"ceiling": "everything"}, 400),
        ({"topics": []}, 400),
    ],
)
async def test_an_order_that_cannot_be_met_is_refused(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any], change: dict[str, Any], status: int
) -> None:
    await accept(platform, signed_registration(AUTHOR))
    answer = await client.post("/packets/assemble", json={**order, **change})
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"recipient": 1}', b"\xff"])
async def test_what_is_no_order_is_refused(client: httpx.AsyncClient, body: bytes) -> None:
    answer = await client.post("/packets/assemble", content=body)
    assert answer.status_code == 400, answer.text


async def test_assembling_registers_nothing(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any]
) -> None:
    await verified_world(platform)
    (before,) = await platform.store.read("log_size")
    await assembled(client, order)
    assert await platform.store.read("log_size") == [before]


async def test_the_delivery_of_an_audited_packet_is_in_the_log_and_in_the_next_state(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any]
) -> None:
    await verified_world(platform)
    size = platform.log.checkpoint.tree_size
    for place in range(2):
        packet = await assembled(client, {**order, "audited": True, "signed": True})
        state = packet.part("reproducibility")["source_state_refs"][0]
        assert state.startswith(f"a2ap-log:{platform.log.origin}@{size + place}#")


async def test_a_packet_is_assembled_through_graphql_too(
    platform: Platform, client: httpx.AsyncClient, order: dict[str, Any]
) -> None:
    await verified_world(platform)
    platform.clock = lambda: datetime(2026, 7, 4, 12, tzinfo=UTC)
    query = "query ($order: PacketOrder!) { assembledPacket(order: $order) }"
    data = await ask(client, query, {"order": order}, OPERATOR)
    assert read_document(data["assembledPacket"].encode()).data == (await assembled(client, order, OPERATOR)).data
    json.loads(data["assembledPacket"])
