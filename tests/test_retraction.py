"""Retraction and supersession: who may take back what, and what then becomes of it at every door."""

from typing import Any

import httpx
import pytest
from builders import (
    CLAIM,
    agent_id,
    envelope_of,
    message_id,
    reference_to,
    signed_response,
    signed_retraction,
    signed_statement,
)
from graph_contents import whole_graph
from http_client import ask, client
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, settle, verified_world

from a2ap.messages.policy import ConsensusMethod
from a2ap.messages.verification_response import Verdict
from graph.errors import ConflictError, ForbiddenError, TargetError
from graph.platform import Platform
from graph.scores.on_demand import consensus_of_statements

__all__ = ["client", "platform"]

STATE = """query ($id: ID!) { statement(id: $id) {
  verified consensusScore status retraction { id reason retractedAt } supersededBy { id }
  consensus { verified reasons ignored { verifier reason } }
  verifications { machine retraction { id reason } agent { id } }
} }"""
ABOUT = "query ($topic: String!) { statementsAbout(topic: $topic) { id status } }"
AGREED = "query ($topic: String!) { consensusOn(topic: $topic, minScore: 0) { id } }"


async def state_of(client: httpx.AsyncClient, document: bytes) -> dict[str, Any]:
    found: dict[str, Any] = (await ask(client, STATE, {"id": hash_of(document)}))["statement"]
    return found


def revision_of(document: bytes, seed: int = AUTHOR, number: int = 1) -> bytes:
    return signed_statement(
        seed,
        claim=f"The council keeps the limit, at forty feet: {number}.",
        statement_id=message_id("revision", seed, number),
        was_revision_of=reference_to(document),
    )


async def test_a_retracted_statement_is_not_verified_and_says_why(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    before = await state_of(client, world.statement)
    assert before["verified"] and before["status"] == "CURRENT" and before["retraction"] is None

    retraction = signed_retraction(world.statement, AUTHOR)
    await accept(platform, retraction)

    after = await state_of(client, world.statement)
    assert not after["verified"] and not after["consensus"]["verified"]
    assert "Its author has retracted it." in after["consensus"]["reasons"]
    assert after["status"] == "RETRACTED"
    assert after["retraction"]["id"] == envelope_of(retraction).id
    assert after["retraction"]["reason"] == "It was wrong."
    assert after["consensusScore"] == before["consensusScore"]


async def test_a_statement_is_shown_as_retracted_where_it_is_found_and_left_out_of_what_is_agreed_on(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    name = envelope_of(world.statement).id
    assert (await ask(client, AGREED, {"topic": "height limit"}))["consensusOn"] == [{"id": name}]

    await accept(platform, signed_retraction(world.statement, AUTHOR))

    about = (await ask(client, ABOUT, {"topic": "height limit"}))["statementsAbout"]
    assert about == [{"id": name, "status": "RETRACTED"}]
    assert (await ask(client, AGREED, {"topic": "height limit"}))["consensusOn"] == []


async def test_a_retracted_verdict_weighs_nothing(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)

    await accept(platform, signed_retraction(world.responses[0], VERIFIER_A))

    found = await state_of(client, world.statement)
    assert not found["verified"]
    assert {"verifier": agent_id(VERIFIER_A), "reason": "retracted by its verifier"} in found["consensus"]["ignored"]
    retracted = {one["agent"]["id"]: one["retraction"] is not None for one in found["verifications"]}
    assert retracted[agent_id(VERIFIER_A)] and not retracted[agent_id(VERIFIER_B)]
    answer = await client.get(f"/statements/{hash_of(world.statement)}", headers={"accept": "application/ld+json"})
    document = answer.json()
    assert document["verificationStatus"]["validators"] == [agent_id(VERIFIER_B)]


async def test_a_retracted_verdict_weighs_nothing_by_the_literal_method(platform: Platform) -> None:
    await settle(platform, method=ConsensusMethod.LITERAL)
    statement = signed_statement(AUTHOR)
    challenge = signed_response(statement, VERIFIER_A, verdict=Verdict.CHALLENGED, confidence=0.1)
    await accept(platform, statement, signed_response(statement, VERIFIER_B, confidence=0.9), challenge)
    (row,) = await platform.store.read("statements_by_hash", hashes=[hash_of(statement)])
    assert row["consensus_score"] < 0.9

    await accept(platform, signed_retraction(challenge, VERIFIER_A))

    (row,) = await platform.store.read("statements_by_hash", hashes=[hash_of(statement)])
    assert row["consensus_score"] == pytest.approx(0.9)


async def test_a_statement_that_its_author_revises_is_superseded(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    revision, second = revision_of(world.statement), revision_of(world.statement, number=2)

    await accept(platform, revision, second)

    found = await state_of(client, world.statement)
    assert not found["verified"] and found["status"] == "SUPERSEDED"
    assert found["supersededBy"] == {"id": envelope_of(second).id}
    assert "Its author has revised it: another statement takes its place." in found["consensus"]["reasons"]


async def test_somebody_elses_revision_supersedes_nothing(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)

    await accept(platform, revision_of(world.statement, STRANGER))

    found = await state_of(client, world.statement)
    assert found["verified"] and found["status"] == "CURRENT" and found["supersededBy"] is None


async def test_documents_that_are_given_out_show_it(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    retraction = signed_retraction(world.statement, AUTHOR)
    revision = revision_of(world.statement)
    await accept(platform, revision, retraction)
    path = f"/statements/{hash_of(world.statement)}"

    linked = (await client.get(path, headers={"accept": "application/ld+json"})).json()["verificationStatus"]
    turtle = (await client.get(path, headers={"accept": "text/turtle"})).text
    exported = (await client.get("/export", params={"format": "turtle"})).text
    script = (await client.get("/export", params={"format": "cypher"})).text

    assert not linked["verified"]
    assert linked["retraction"] == envelope_of(retraction).id
    assert linked["supersededBy"] == hash_of(revision)
    for text in (turtle, exported):
        assert "prov:wasInvalidatedBy" in text and envelope_of(retraction).id in text
        assert "prov:wasRevisionOf" in text and envelope_of(revision).id in text
    assert "retraction_reason" in script and "superseded_by" in script
    received = await client.get(path, headers={"accept": "application/json"})
    assert received.content == world.statement


async def test_only_its_author_retracts_a_message(platform: Platform) -> None:
    world = await verified_world(platform)
    for document in (signed_retraction(world.statement, STRANGER), signed_retraction(world.responses[0], AUTHOR)):
        with pytest.raises(ForbiddenError, match="is by urn:agent:test-"):
            await platform.submit(document)


async def test_a_message_is_retracted_once(platform: Platform) -> None:
    world = await verified_world(platform)
    first = signed_retraction(world.statement, AUTHOR)
    receipt = await platform.submit(first)
    assert (await platform.submit(first)).entry == receipt.entry
    with pytest.raises(ConflictError, match=f"already retracted, by {envelope_of(first).id}"):
        await platform.submit(signed_retraction(world.statement, AUTHOR, number=2))


async def test_two_retractions_in_one_batch_are_one_too_many(platform: Platform) -> None:
    world = await verified_world(platform)
    documents = [signed_retraction(world.statement, AUTHOR, number=number) for number in (1, 2)]
    _, second = await platform.submit_many(documents)
    assert isinstance(second, ConflictError)


async def test_what_is_not_here_is_not_retracted(platform: Platform) -> None:
    await settle(platform)
    with pytest.raises(TargetError, match="no a2ap:ProvenanceStatement"):
        await platform.submit(signed_retraction(signed_statement(AUTHOR, claim="never said"), AUTHOR))
    statement = signed_statement(AUTHOR)
    with pytest.raises(TargetError, match="no a2ap:VerificationResponse"):
        await platform.submit(signed_retraction(signed_response(statement, AUTHOR), AUTHOR))


async def test_a_statement_is_retracted_in_the_batch_that_makes_it(platform: Platform) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, signed_retraction(statement, AUTHOR))
    (row,) = await platform.store.read("statements_by_hash", hashes=[hash_of(statement)])
    assert row["retracted"]


async def test_what_a_stolen_key_took_back_is_given_back_when_the_key_is_revoked(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    place = (await platform.submit(signed_retraction(world.statement, AUTHOR))).entry.log_index
    await accept(platform, revision_of(world.statement), signed_retraction(world.responses[0], VERIFIER_A))
    assert (await state_of(client, world.statement))["status"] == "RETRACTED"

    for seed in (AUTHOR, VERIFIER_A):
        message = revocation_by_node(platform, seed, place)
        await accept(platform, message)

    found = await state_of(client, world.statement)
    assert found["status"] == "CURRENT" and found["retraction"] is None and found["supersededBy"] is None
    assert found["verified"]


def revocation_by_node(platform: Platform, seed: int, place: int) -> bytes:
    from builders import key_revocation_message

    message = key_revocation_message(seed, revoking_agent=platform.node.agent_id, not_trusted_since=place)
    return platform.node.sign(message).envelope.received


async def test_a_rebuild_takes_back_the_same(platform: Platform) -> None:
    world = await verified_world(platform)
    other = signed_statement(AUTHOR, claim=f"Again: {CLAIM}")
    await accept(
        platform,
        signed_retraction(world.statement, AUTHOR),
        signed_retraction(world.responses[1], VERIFIER_B),
        other,
        revision_of(other),
    )
    before = await whole_graph(platform.store)
    scores = await consensus_of_statements(platform.store, [hash_of(world.statement), hash_of(other)])

    await rebuilt(platform)

    assert await whole_graph(platform.store) == before
    assert await consensus_of_statements(platform.store, [hash_of(world.statement), hash_of(other)]) == scores
