"""Records of other formats: kept byte for byte, in the log under a registration, and in the graph by their hash."""

import base64
import json
from typing import Any

import httpx
import pytest
from builders import (
    admission_policy_message,
    envelope_of,
    message_id,
    signed_record,
    signed_registration,
    signed_response,
    signed_source,
    signed_statement,
    source_redaction_message,
)
from graph_contents import count_everything, nodes_with_label, relationships_of_type, run_raw
from http_client import OPERATOR, READERS, ask, bearer, client
from passports import Maker, line
from peer_simulator import PeerSimulator
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import AUTHOR, VERIFIER_A, accept, settle
from test_federation import pulled

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.admission_policy import AdmissionMode
from a2ap.messages.message import read_message
from a2ap.passport.building import write_passport
from graph.errors import RedactedError, TargetError
from graph.platform import Platform
from graph.submission.submission import Submission

__all__ = ["client", "platform"]

RECORDS = [write_passport(record) for record in line(3)]
HASHES = [sha256_digest(record) for record in RECORDS]


async def post(client: httpx.AsyncClient, *records: bytes, boundary: str = "public", **more: Any) -> httpx.Response:
    body = records[0] if len(records) == 1 else b"[" + b",\n".join(records) + b"]"
    return await client.post(f"/passports?boundary={boundary}", content=body, **more)


async def rows_of(platform: Platform) -> list[str]:
    """Return everything in the graph as text, but for the lock of the log."""
    nodes = "MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties"
    edges = """
        MATCH (a)-[r]->(b)
        RETURN type(r) AS type, properties(r) AS properties, properties(a) AS start, properties(b) AS end
    """
    found = [*await run_raw(platform.store, nodes), *await run_raw(platform.store, edges)]
    for row in found:
        row.get("properties", {}).pop("lock", None)
    return sorted(json.dumps(row, sort_keys=True, default=str) for row in found)


async def test_an_unsigned_record_is_registered_by_the_node_and_given_back_byte_for_byte(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    answer = await post(client, RECORDS[0])
    assert answer.status_code == 201
    (record,) = answer.json()["records"]
    assert record["recordHash"] == HASHES[0]
    entries = await platform.store.read("log_entries_from", start=record["logIndex"], first=1)
    assert (entries[0]["type"], entries[0]["agent"]) == ("RecordRegistration", platform.node.agent_id)
    given = await client.get(f"/passports/{HASHES[0]}")
    assert given.content == RECORDS[0]
    assert given.headers["x-content-type-options"] == "nosniff"


async def test_the_same_record_again_gets_the_first_receipt(platform: Platform, client: httpx.AsyncClient) -> None:
    first = await post(client, *RECORDS)
    before = await count_everything(platform.store)
    again = await post(client, *RECORDS)
    assert (first.status_code, again.status_code) == (201, 200)
    assert [one["logIndex"] for one in first.json()["records"]] == [one["logIndex"] for one in again.json()["records"]]
    assert await count_everything(platform.store) == before


async def test_an_agent_registers_its_own_record(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    registration = base64.b64encode(signed_record(AUTHOR, content=RECORDS[0])).decode()
    answer = await post(client, RECORDS[0], headers={"A2AP-Registration": registration})
    assert answer.status_code == 201
    edges = await relationships_of_type(platform.store, "REGISTERED")
    assert [edge for edge in edges if edge.get("format") == "context-passport"]
    wrong = await post(client, RECORDS[1], headers={"A2AP-Registration": registration})
    assert wrong.json()["code"] == "HASH_MISMATCH"


async def test_a_registration_without_the_bytes_is_refused_at_our_own_door(platform: Platform) -> None:
    await settle(platform)
    await platform.content.put_many([RECORDS[0]])
    before = await count_everything(platform.store)
    with pytest.raises(TargetError, match="did not come with their registration"):
        await platform.submit(signed_record(AUTHOR, content=RECORDS[0]))
    assert await count_everything(platform.store) == before


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"schema_version": "1"}',
        b'{"integrity": {}}',
        b"",
        b"{",
        b"[]",
        b"[1]",
        b'"text"',
        b"\xff",
        b'{"a": NaN}',
        b"[" * 100_000,
    ],
    ids=lambda body: repr(body[:9]),
)
async def test_what_is_no_record_is_refused_and_changes_nothing(
    platform: Platform, client: httpx.AsyncClient, body: bytes
) -> None:
    before = await count_everything(platform.store)
    answer = await post(client, body)
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] in ("INVALID_RECORD", "INVALID_INPUT")
    assert await count_everything(platform.store) == before


async def test_a_record_is_given_within_the_clearance_of_its_reader(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await post(client, RECORDS[0], boundary="internal")
    address = f"/passports/{HASHES[0]}"
    assert (await client.get(address)).status_code == 403
    assert (await client.get(f"/sources/{HASHES[0]}")).status_code == 403
    assert (await client.get(address, headers=bearer(READERS["internal"]))).content == RECORDS[0]
    # A class can only be made stricter, by an agent that signs for it.
    await post(client, RECORDS[0], boundary="public")
    assert (await client.get(address)).status_code == 403
    await settle(platform)
    signed = signed_record(AUTHOR, content=RECORDS[0], boundary=Boundary.CONFIDENTIAL)
    await post(client, RECORDS[0], headers={"A2AP-Registration": base64.b64encode(signed).decode()})
    assert (await client.get(address, headers=bearer(READERS["internal"]))).status_code == 403


@pytest.mark.parametrize("as_source", [True, False])
async def test_what_nobody_signed_takes_no_bytes_from_their_readers(
    platform: Platform, client: httpx.AsyncClient, as_source: bool
) -> None:
    await settle(platform)
    if as_source:
        await accept(platform, signed_source(AUTHOR, source=RECORDS[0], boundary=Boundary.PUBLIC))
    else:
        await post(client, RECORDS[0])
    assert (await client.post("/passports", content=RECORDS[0])).status_code == (201 if as_source else 200)
    before = await count_everything(platform.store)
    assert (await post(client, RECORDS[0], boundary="internal")).json()["code"] == "FORBIDDEN"
    assert await count_everything(platform.store) == before
    assert (await client.get(f"/passports/{HASHES[0]}")).content == RECORDS[0]


async def test_without_a_class_a_record_is_for_the_operator_alone(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    assert (await client.post("/passports", content=RECORDS[0])).status_code == 201
    for headers, status in (({}, 403), (bearer(READERS["confidential"]), 403), (bearer(OPERATOR), 200)):
        assert (await client.get(f"/passports/{HASHES[0]}", headers=headers)).status_code == status


async def test_a_source_and_a_record_with_one_hash_are_one_document_of_the_stricter_class(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await accept(platform, signed_source(AUTHOR, source=RECORDS[0], boundary=Boundary.CONFIDENTIAL))
    await post(client, RECORDS[0])
    documents = [
        node for node in await nodes_with_label(platform.store, "Document") if node["document_key"] == HASHES[0]
    ]
    assert [node["boundary"] for node in documents] == ["confidential"]
    assert (await client.get(f"/passports/{HASHES[0]}")).status_code == 403


async def test_statements_and_verdicts_name_records_that_come_before_or_after(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await post(client, RECORDS[0])
    statement = signed_statement(AUTHOR, generated_by=HASHES[:2])
    response = signed_response(statement, VERIFIER_A, generated_by=[HASHES[2]])
    await accept(platform, statement, response)
    await post(client, *RECORDS[1:])
    query = """
        MATCH (m)-[:GENERATED_BY]->(:Document)<-[:RECORD_OF]-(p:Passport)
        RETURN m.signed_hash AS message, p.record_hash AS record ORDER BY record
    """
    found = {(row["message"], row["record"]) for row in await run_raw(platform.store, query)}
    named = envelope_of(statement).signed_hash, envelope_of(response).signed_hash
    assert found == {(named[0], HASHES[0]), (named[0], HASHES[1]), (named[1], HASHES[2])}


async def test_rebuild_makes_the_same_graph_of_records(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await post(client, *RECORDS)
    await accept(platform, signed_statement(AUTHOR, generated_by=[HASHES[1], "sha256:" + "0" * 64]))
    await post(client, RECORDS[2], boundary="internal")
    await accept(platform, signed_registration(31))
    before = await rows_of(platform)
    await rebuilt(platform)
    assert await rows_of(platform) == before


@pytest.mark.parametrize("child_first", [True, False])
async def test_of_nine_twins_the_first_eight_are_parents_live_and_rebuilt(
    platform: Platform, client: httpx.AsyncClient, child_first: bool
) -> None:
    maker = Maker()
    maker.root()
    side = maker.fork(0, "side")
    maker.commit(0, {"output": "joined"}, merged=(side,))
    twins = [write_passport({**maker.records[at], "trace_id": f"{number}"}) for at in (0, side) for number in range(9)]
    merge = write_passport(maker.records[-1])
    for batch in ([merge], twins[:5], twins[5:]) if child_first else (twins, [merge]):
        assert (await post(client, *batch)).status_code == 201
    query = (
        "MATCH (c:Passport {record_hash: $hash})-[r:DERIVED_FROM]->(p) RETURN p.trace_id AS twin, r.merged AS merged"
    )
    found = await run_raw(platform.store, query.replace("$hash", f"'{sha256_digest(merge)}'"))
    assert sorted((row["merged"], row["twin"]) for row in found) == [
        (merged, f"{number}") for merged in (False, True) for number in range(8)
    ]
    before = await rows_of(platform)
    await rebuilt(platform)
    assert await rows_of(platform) == before


async def test_a_redacted_record_keeps_its_hash_and_nothing_else(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await post(client, *RECORDS)
    message = {**source_redaction_message(HASHES[1]), "redactingAgent": platform.node.agent_id}
    redaction = platform.node.sign({**message, "@id": message_id("redaction of a record")})
    await accept(platform, redaction.envelope.received)
    assert not await platform.content.has(HASHES[1])
    node = next(n for n in await nodes_with_label(platform.store, "Passport") if n["record_hash"] == HASHES[1])
    assert {name for name, value in node.items() if value is not None} == {"record_hash", "log_index", "held"}
    assert node["held"] is False
    assert (await client.get(f"/passports/{HASHES[1]}")).status_code == 410
    assert (await post(client, RECORDS[1])).status_code == 410
    with pytest.raises(RedactedError):
        registration = read_message(signed_record(AUTHOR, content=RECORDS[1]))
        (outcome,) = await platform.append([Submission(registration, blobs=(RECORDS[1],))])
        assert isinstance(outcome, Exception)
        raise outcome
    before = await rows_of(platform)
    await rebuilt(platform)
    assert await rows_of(platform) == before


async def test_a_peers_registration_without_bytes_gives_a_node_with_the_hash_alone(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    peer = PeerSimulator()
    statement = signed_statement(1, generated_by=HASHES[:1])
    peer.add(signed_registration(1), signed_record(1, content=RECORDS[0], boundary=Boundary.INTERNAL), statement)
    report = await pulled(platform, peer)
    assert (report.taken, report.waiting, report.left) == (3, 0, 0)
    (node,) = await nodes_with_label(platform.store, "Passport")
    assert {name for name, value in node.items() if value is not None} == {"record_hash", "log_index", "held"}
    assert (await client.get(f"/passports/{HASHES[0]}", headers=bearer(OPERATOR))).status_code == 404
    before = await rows_of(platform)
    await rebuilt(platform)
    assert await rows_of(platform) == before
    # Whoever has the bytes can hand them in, for the class that the peer's agent gave them or a stricter one.
    await post(client, RECORDS[0])
    assert (await client.get(f"/passports/{HASHES[0]}")).status_code == 403
    assert (await client.get(f"/passports/{HASHES[0]}", headers=bearer(READERS["internal"]))).content == RECORDS[0]
    before = await rows_of(platform)
    await rebuilt(platform)
    assert await rows_of(platform) == before


async def test_a_message_of_the_log_cannot_be_read_as_a_record(platform: Platform, client: httpx.AsyncClient) -> None:
    # Its bytes are kept for the log; a record by that hash would give them out in a class of its own.
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement)
    with pytest.raises(TargetError):
        await platform.submit(signed_record(AUTHOR, content=statement))
    assert (await client.get(f"/passports/{sha256_digest(statement)}")).status_code == 404


async def test_where_not_everybody_may_join_what_is_unsigned_needs_the_operator(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    policy = admission_policy_message(platform.node.agent_id, mode=AdmissionMode.INVITATION)
    await accept(platform, platform.node.sign(policy).envelope.received)
    assert (await post(client, RECORDS[0])).status_code == 403
    assert (await post(client, RECORDS[0], headers=bearer(OPERATOR))).status_code == 201


async def test_a_mutation_hands_in_the_same(platform: Platform, client: httpx.AsyncClient) -> None:
    query = """mutation ($document: String!, $boundary: String, $registration: String) {
        registerPassport(document: $document, boundary: $boundary, registration: $registration) {
            ... on Receipts { receipts { type created logIndex } } ... on Problem { code } } }"""
    text = (b"[" + b",".join(RECORDS) + b"]").decode()
    first = await ask(client, query, {"document": text, "boundary": "public"})
    assert [one["created"] for one in first["registerPassport"]["receipts"]] == [True] * 3
    assert (await client.get(f"/passports/{HASHES[1]}")).content == RECORDS[1]
    await settle(platform)
    registration = signed_record(AUTHOR, content=RECORDS[1]).decode()
    found = await ask(client, query, {"document": RECORDS[1].decode(), "registration": registration})
    (own,) = found["registerPassport"]["receipts"]
    assert (own["type"], own["created"]) == ("RecordRegistration", True)
    refused = await ask(client, query, {"document": "{}", "boundary": "secret"})
    assert refused["registerPassport"] == {"code": "INVALID_INPUT"}
