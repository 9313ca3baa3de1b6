"""Hand-made attacks: each fails with the right error and leaves the graph as it was."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from builders import (
    CLAIM,
    SOURCE,
    agent_id,
    agent_key,
    description,
    key_id,
    message_id,
    response_message,
    segment,
    sign,
    signed_endorsement,
    signed_policy,
    signed_registration,
    signed_response,
    signed_statement,
    statement_message,
)
from graph_contents import count_everything, nodes_with_label
from platform_fixture import platform
from scenario import (
    AUTHOR,
    OPERATOR_A,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    settle,
    verified_world,
)

from a2ap.canonical import sha256_digest
from a2ap.errors import (
    A2APError,
    ContentHashError,
    ContextError,
    FieldError,
    JsonTextError,
    SignatureError,
    StatementIdError,
)
from a2ap.identifiers import generate_statement_id
from a2ap.json_text import write_json
from a2ap.signing.signature import sign_message
from graph.errors import ConflictError, EvidenceError, ForbiddenError, NotRegisteredError, TargetError
from graph.log.entry import Receipt
from graph.platform import Platform

__all__ = ["platform"]


async def assert_refused(platform: Platform, document: bytes, error: type[Exception], words: str) -> None:
    """Submit and see the error, the words in it, and that nothing changed."""
    before = await count_everything(platform.store)
    with pytest.raises(error, match=words):
        await platform.submit(document)
    assert await count_everything(platform.store) == before


def altered(document: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return a signed document with something changed after it was signed."""
    message = json.loads(document)
    change(message)
    return write_json(message)


SIGNED_FIELDS: dict[str, Callable[[dict[str, Any]], object]] = {
    "@id": lambda m: m.update({"@id": message_id("another")}),
    "generatedAtTime": lambda m: m.update(generatedAtTime="2025-10-14T10:30:01Z"),
    "agent.name": lambda m: m["agent"].update(name="Somebody else"),
    "agent.version": lambda m: m["agent"].update(version="2"),
    "agent.capabilities": lambda m: m["agent"]["capabilities"].append("root"),
    "claim.confidence": lambda m: m["claim"].update(confidence=1.0),
    "claim.generationMethod": lambda m: m["claim"].update(generationMethod="divination"),
    "evidence.quoteText": lambda m: m["evidence"][0].update(quoteText="The new zoning map"),
    "evidence.timestamp": lambda m: m["evidence"][0]["timestamp"].update(start="00:02:14", startMilliseconds=134000),
    "evidence.relevanceScore": lambda m: m["evidence"][0].update(relevanceScore=1.0),
    "evidence.documentHash": lambda m: m["evidence"][0].update(documentHash="sha256:" + "0" * 64),
    "evidence.sourceDocument": lambda m: m["evidence"][0].update(sourceDocument="urn:doc:test:other"),
    "an unknown member": lambda m: m.update(comment="added on the way"),
    "supports": lambda m: m.update(supports=[{"@id": message_id("x"), "targetHash": "sha256:" + "0" * 64}]),
}


@pytest.mark.parametrize("field", SIGNED_FIELDS)
async def test_a_signed_field_that_was_altered_is_noticed(platform: Platform, field: str) -> None:
    await settle(platform)
    statement = sign(statement_message(AUTHOR, statement_id=message_id("free id")), AUTHOR)
    await assert_refused(platform, altered(statement, SIGNED_FIELDS[field]), SignatureError, "is not by")


@pytest.mark.parametrize("field", ["claim.text", "evidence.byteRange", "evidence.chunkId", "evidence.contentHash"])
async def test_what_the_content_hash_covers_cannot_be_altered(platform: Platform, field: str) -> None:
    changes: dict[str, Callable[[dict[str, Any]], object]] = {
        "claim.text": lambda m: m["claim"].update(text="The council drops the height limit."),
        "evidence.byteRange": lambda m: m["evidence"][0]["byteRange"].update(end=64),
        "evidence.chunkId": lambda m: m["evidence"][0].update(chunkId="urn:chunk:other"),
        "evidence.contentHash": lambda m: m["evidence"][0].update(contentHash="sha256:" + "0" * 64),
    }
    await settle(platform)
    statement = sign(statement_message(AUTHOR, statement_id=message_id("free id")), AUTHOR)
    await assert_refused(platform, altered(statement, changes[field]), ContentHashError, "claim.contentHash")


@pytest.mark.both_engines
async def test_a_verdict_cannot_be_replayed_onto_another_statement(platform: Platform) -> None:
    await settle(platform)
    first, second = signed_statement(AUTHOR), signed_statement(AUTHOR, claim="The map keeps forty feet.")
    await accept(platform, first, second)
    verdict = signed_response(first, VERIFIER_A)
    other = json.loads(second)["@id"]
    moved = altered(verdict, lambda m: m.update(targetStatement=other))
    await assert_refused(platform, moved, SignatureError, "is not by")
    resigned = response_message(first, VERIFIER_A) | {"targetStatement": other}
    await assert_refused(platform, sign(resigned, VERIFIER_A), TargetError, "is sha256:.* here, not sha256:")


async def test_a_verdict_without_target_hash_is_refused(platform: Platform) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement)
    verdict = sign(response_message(statement, VERIFIER_A, bound=False), VERIFIER_A)
    await assert_refused(platform, verdict, TargetError, "targetHash is missing")


async def test_a_statement_cannot_bring_its_own_verification(platform: Platform) -> None:
    await settle(platform)
    claimed = {"verified": True, "validators": [agent_id(2)], "challenges": [], "consensusScore": 0.99}
    document = altered(signed_statement(AUTHOR), lambda m: m.update(verificationStatus=claimed))
    await assert_refused(platform, document, FieldError, "verificationStatus")


@pytest.mark.parametrize(
    "context",
    [
        "https://attacker.example/context.jsonld",
        "http://169.254.169.254/latest/meta-data",
        "file:///etc/passwd",
        {"@vocab": "https://schema.org/", "claim": "https://attacker.example/denial"},
        ["https://williams-librarian.njit.edu/a2ap/v0.1", {"confidence": "https://attacker.example/doubt"}],
    ],
)
async def test_a_hostile_or_remote_context_is_refused(platform: Platform, context: object) -> None:
    await settle(platform)
    message = statement_message(AUTHOR) | {"@context": context}
    await assert_refused(platform, sign(message, AUTHOR), ContextError, "@context")


async def test_a_context_inside_the_claim_is_refused(platform: Platform) -> None:
    await settle(platform)
    message = statement_message(AUTHOR)
    message["claim"]["@context"] = {"text": "https://attacker.example/denial"}
    await assert_refused(platform, sign(message, AUTHOR), ContextError, "claim")


async def test_the_signature_of_another_agent_is_refused(platform: Platform) -> None:
    await settle(platform)
    by_stranger = sign_message(statement_message(AUTHOR), agent_key(STRANGER), key_id(STRANGER))
    await assert_refused(platform, write_json(by_stranger), SignatureError, "belongs to urn:agent:test-21")
    in_authors_name = sign_message(statement_message(AUTHOR), agent_key(STRANGER), key_id(AUTHOR))
    await assert_refused(platform, write_json(in_authors_name), SignatureError, "is not by")


async def test_the_signature_over_another_document_is_refused(platform: Platform) -> None:
    await settle(platform)
    other = json.loads(signed_statement(AUTHOR, claim="Another claim."))
    document = altered(signed_statement(AUTHOR), lambda m: m.update(signature=other["signature"]))
    await assert_refused(platform, document, SignatureError, "is not by")


async def test_an_unregistered_agent_is_refused(platform: Platform) -> None:
    await settle(platform)
    await assert_refused(platform, signed_statement(99), NotRegisteredError, "urn:agent:test-99 is not registered")


@pytest.mark.both_engines
async def test_a_key_that_is_registered_later_does_not_count_before(platform: Platform) -> None:
    await settle(platform)
    statement, registration = signed_statement(99), signed_registration(99)
    early, registered, late = await platform.submit_many([statement, registration, statement])
    assert isinstance(early, NotRegisteredError)
    assert isinstance(registered, Receipt)
    assert isinstance(late, Receipt)
    assert late.entry.log_index > registered.entry.log_index


async def test_a_second_key_for_an_agent_is_refused_without_the_first(platform: Platform) -> None:
    await settle(platform)
    takeover = signed_registration(98, agent=description(AUTHOR))
    await assert_refused(platform, takeover, ConflictError, "already registered")


async def test_only_the_node_sets_the_policy(platform: Platform) -> None:
    await settle(platform)
    policy = signed_policy(STRANGER, threshold=0.01, quorum=1, seeds=[agent_id(STRANGER)])
    await assert_refused(platform, policy, ForbiddenError, "issuingAgent")


@pytest.mark.both_engines
async def test_the_author_does_not_count_as_its_own_verifier(platform: Platform) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, signed_response(statement, VERIFIER_A), signed_response(statement, AUTHOR))
    row = await statement_row(platform, statement)
    assert not row["verified"]


@pytest.mark.both_engines
async def test_two_agents_of_one_operator_count_as_one(platform: Platform) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    second_of_a = signed_registration(31)
    await accept(platform, second_of_a, signed_endorsement(second_of_a, OPERATOR_A), statement)
    await accept(platform, signed_response(statement, VERIFIER_A), signed_response(statement, 31))
    assert not (await statement_row(platform, statement))["verified"]
    await accept(platform, signed_response(statement, VERIFIER_B))
    assert (await statement_row(platform, statement))["verified"]


@pytest.mark.both_engines
async def test_a_crowd_of_strangers_verifies_nothing(platform: Platform) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    crowd = range(100, 130)
    await accept(platform, statement, *(signed_registration(number) for number in crowd))
    await accept(platform, *(signed_response(statement, number, confidence=1.0) for number in crowd))
    row = await statement_row(platform, statement)
    assert not row["verified"]
    assert row["consensus_score"] < 0.7


@pytest.mark.both_engines
async def test_a_replay_gets_the_first_receipt_again(platform: Platform) -> None:
    world = await verified_world(platform)
    before = await count_everything(platform.store)
    for document in (world.statement, *world.responses):
        assert not (await platform.submit(document)).created
    assert await count_everything(platform.store) == before


@pytest.mark.both_engines
async def test_the_same_id_with_other_bytes_is_a_conflict(platform: Platform) -> None:
    world = await verified_world(platform)
    other = signed_statement(AUTHOR, confidence=0.5)
    assert json.loads(other)["@id"] == json.loads(world.statement)["@id"]
    await assert_refused(platform, other, ConflictError, "already stands for other bytes.*prov:wasRevisionOf")


async def test_an_id_that_looks_derived_and_is_not_is_refused(platform: Platform) -> None:
    await settle(platform)
    foreign = generate_statement_id(agent_id(STRANGER), CLAIM)
    await assert_refused(
        platform, sign(statement_message(AUTHOR, statement_id=foreign), AUTHOR), StatementIdError, "@id"
    )


async def test_an_over_long_id_inside_a_full_batch_fails_alone(platform: Platform) -> None:
    await settle(platform)
    good = [signed_statement(AUTHOR, claim=f"Claim number {number}.") for number in range(99)]
    bad = statement_message(AUTHOR, claim="Over-long.")
    bad["evidence"][0]["chunkId"] = "urn:chunk:" + "x" * 9000
    outcomes = await platform.submit_many([*good[:50], sign(bad, AUTHOR), *good[50:]])
    assert isinstance(outcomes[50], A2APError)
    assert "evidence[0].chunkId" in str(outcomes[50])
    assert all(isinstance(outcome, Receipt) for index, outcome in enumerate(outcomes) if index != 50)


@pytest.mark.parametrize("opening", [b'{"a":', b"["])
async def test_json_that_is_ten_thousand_deep_is_refused(platform: Platform, opening: bytes) -> None:
    closing = {b'{"a":': b"}", b"[": b"]"}[opening]
    await assert_refused(platform, opening * 10_000 + b"1" + closing * 10_000, JsonTextError, "deep")


async def test_a_range_beyond_the_document_is_refused(platform: Platform) -> None:
    await settle(platform)
    beyond = segment() | {"byteRange": {"start": 10, "end": len(SOURCE) + 1}}
    statement = signed_statement(AUTHOR, evidence=[beyond])
    await assert_refused(platform, statement, EvidenceError, r"evidence\[0\].byteRange ends at .*, past the")


async def test_a_quote_that_is_not_there_is_refused(platform: Platform) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR, evidence=[segment() | {"quoteText": "The height limit is gone."}])
    await assert_refused(platform, statement, EvidenceError, r"evidence\[0\].quoteText")


async def test_a_content_hash_that_is_not_of_the_cited_bytes_is_refused(platform: Platform) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR, evidence=[segment(content_hash=sha256_digest(b"something else"))])
    await assert_refused(platform, statement, EvidenceError, r"evidence\[0\].contentHash")


async def test_a_wrong_content_hash_of_the_claim_is_refused(platform: Platform) -> None:
    await settle(platform)
    message = statement_message(AUTHOR)
    message["claim"]["contentHash"] = sha256_digest(b"something else")
    await assert_refused(platform, sign(message, AUTHOR), ContentHashError, "claim.contentHash")


HOSTILE_TEXTS = (
    "'}) DETACH DELETE (n) //",
    '"}) MATCH (n) DETACH DELETE n RETURN {x: "',
    "`) MATCH (n) SET n.verified = true //",
    "$rows {{claim_text}} \\u0027 OR 1=1; CALL dbms.shutdown()",
    "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    "\u202e\u0000\u2028'; DROP DATABASE neo4j;",
)


@pytest.mark.both_engines
@pytest.mark.parametrize("text", HOSTILE_TEXTS)
async def test_cypher_in_a_text_field_is_text(platform: Platform, text: str) -> None:
    await settle(platform)
    agent = description(50, agent_id="urn:agent:hostile", name=text, version=text, publisher=text, capabilities=(text,))
    registration = signed_registration(50, agent=agent)
    evidence = segment(document_hash=None, content_hash=None) | {"quoteText": text}
    message = statement_message(AUTHOR, claim=text, evidence=[evidence], generation_method=text)
    statement = sign(message, AUTHOR)
    response = signed_response(statement, VERIFIER_A, criteria=(text,), reason=text)
    await accept(platform, registration, statement, response)
    row = await statement_row(platform, statement)
    assert row["claim_text"] == text
    assert row["generation_method"] == text
    nodes, _ = await count_everything(platform.store)
    assert nodes["Agent"] == 8
    assert not row["verified"]


async def statement_row(platform: Platform, document: bytes) -> dict[str, Any]:
    """Return a statement's node as the graph has it."""
    wanted = json.loads(document)["@id"]
    (found,) = [node for node in await nodes_with_label(platform.store, "Statement") if node["statement_id"] == wanted]
    return found


@pytest.mark.both_engines
async def test_a_copy_with_a_spoilt_signature_is_no_replay(platform: Platform) -> None:
    world = await verified_world(platform)
    other = json.loads(signed_statement(AUTHOR, claim="Another claim."))["signature"]
    spoilt = altered(world.statement, lambda m: m.update(signature=other))
    await assert_refused(platform, spoilt, SignatureError, "is not by")


async def test_a_list_of_thousands_is_refused(platform: Platform) -> None:
    await settle(platform)
    document = sign(statement_message(AUTHOR) | {"evidence": [segment()] * 501}, AUTHOR)
    await assert_refused(platform, document, FieldError, "evidence has 501 items, more than 500")
