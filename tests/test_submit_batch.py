"""Many documents in one call: a result for each, in its place, over GraphQL and HTTP alike."""

import asyncio
import base64
import json
import re
from collections import Counter
from typing import Any

import httpx
import pytest
from builders import (
    TIME,
    agent_id,
    message_id,
    segment,
    sign,
    signed_endorsement,
    signed_record,
    signed_registration,
    signed_statement,
)
from graph_contents import count_everything
from http_client import OPERATOR, ask, client, send
from pack_world import pack_submissions
from packet_world import packet_submissions
from passports import line
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, accept
from servers import log_of, receipts_of

from a2ap.canonical import sha256_digest
from a2ap.client.documents import sequence_of
from a2ap.errors import A2APError
from a2ap.json_text import MAX_BYTES
from a2ap.messages.envelope import MessageType
from a2ap.messages.policy import build_policy
from a2ap.messages.record_registration import RecordFormat, RecordRegistration
from a2ap.passport.building import write_passport
from graph.errors import ContentDamagedError, GraphError, StoreUnavailableError, TooLargeError
from graph.graphql.submission import MAX_DOCUMENTS, MAX_TOTAL
from graph.log.entry import Receipt
from graph.platform import Platform
from graph.records.formats import READERS
from graph.submission.submitter import MAX_LENT, LentContents

__all__ = ["client", "platform"]

BATCH = """mutation ($documents: [String!]!, $contents: [String!]) {
  submitBatch(documents: $documents, contents: $contents) {
    __typename ... on Receipt { logIndex id signedHash created proof } ... on Problem { code path } } }"""
LATE, LATER = 50, 51
POINTER = [segment(document_hash=None, content_hash=None)]
SPOILT = signed_statement(AUTHOR, claim="Spoilt.").replace(b"0.92", b"0.93")
POLICY = build_policy(policy_id=message_id("policy"), issued_at=TIME, issuing_agent=agent_id(AUTHOR))
BAD = {
    17: (b"{", "InvalidDocument", "INVALID_JSON"),
    249: (SPOILT, "VerificationFailed", "INVALID_SIGNATURE"),
    250: (signed_statement(STRANGER), "NotKnown", "NOT_REGISTERED"),
    251: (signed_statement(AUTHOR, claim="Claim 3.", confidence=0.1, evidence=POINTER), "Conflict", "CONFLICT"),
    499: (b" " * (MAX_BYTES + 1), "TooLarge", "TOO_LARGE"),
    998: (sign(POLICY, AUTHOR), "NotAllowed", "FORBIDDEN"),
}


def claims(count: int, first: int = 0, seed: int = AUTHOR) -> list[bytes]:
    """Return statements that cite by pointer alone."""
    return [signed_statement(seed, claim=f"Claim {n}.", evidence=POINTER) for n in range(first, first + count)]


async def hand_in(
    client: httpx.AsyncClient, documents: list[bytes], contents: list[bytes] | None = None
) -> list[dict[str, Any]]:
    encoded = [base64.b64encode(content).decode() for content in contents or []]
    answer = await ask(client, BATCH, {"documents": [one.decode() for one in documents], "contents": encoded})
    results: list[dict[str, Any]] = answer["submitBatch"]
    assert len(results) == len(documents)
    return results


async def test_a_thousand_documents_have_a_result_each_and_cost_like_a_load(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    documents = claims(MAX_DOCUMENTS)
    for place, (document, _, _) in BAD.items():
        documents[place] = document
    documents[0] = signed_registration(AUTHOR)
    documents[600], documents[601] = signed_registration(LATE), signed_statement(LATE, evidence=POINTER)
    documents[700], documents[701] = signed_statement(LATER, evidence=POINTER), signed_registration(LATER)
    documents[640] = documents[3]
    asked: Counter[str] = Counter()
    platform.store.observe = lambda name: asked.update([name])
    results = await hand_in(client, documents)
    platform.store.observe = None
    refused = {place: one for place, one in enumerate(results) if one["__typename"] != "Receipt"}
    assert {place: (one["__typename"], one["code"]) for place, one in refused.items()} == {
        **{place: (kind, code) for place, (_, kind, code) in BAD.items()},
        700: ("NotKnown", "NOT_REGISTERED"),
    }
    receipts = {place: one for place, one in enumerate(results) if place not in refused}
    made = [one["logIndex"] for one in receipts.values() if one["created"]]
    assert made == sorted(set(made)) and len(made) == MAX_DOCUMENTS - len(refused) - 1
    assert (receipts[640]["created"], receipts[640]["logIndex"]) == (False, receipts[3]["logIndex"])
    entries = await log_of(platform.store)
    assert all(entries[one["logIndex"]].signed_hash == one["signedHash"] for one in receipts.values())
    # What a transaction costs is shared: few of them lock the log, and each reads and writes for hundreds.
    assert asked["lock_log_head"] <= 8 and asked.total() < 200, asked
    again = await hand_in(client, documents)
    assert [one.get("logIndex") for place, one in enumerate(again) if place != 700] == [
        one.get("logIndex") for place, one in enumerate(results) if place != 700
    ]
    assert [place for place, one in enumerate(again) if one.get("created")] == [700]


async def test_documents_of_any_types_come_together_with_the_bytes_of_records(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    record, other = map(write_passport, line(2))
    documents = [
        signed_registration(AUTHOR),
        signed_registration(STRANGER),
        signed_endorsement(signed_registration(AUTHOR), STRANGER),
        signed_record(AUTHOR, content=record),
        signed_record(AUTHOR, content=other),
        b'{"@type": "a2ap:Nothing"}',
    ]
    results = await hand_in(client, documents, [record])
    assert [one["__typename"] for one in results] == ["Receipt"] * 4 + ["NotKnown", "InvalidDocument"]
    # The bytes of a record come with its registration, so that nobody has those of others read by naming them.
    assert (results[4]["code"], results[4]["path"]) == ("UNKNOWN_TARGET", "documentHash")


async def test_a_content_counts_for_each_registration_that_names_it(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One content under a thousand registrations would be read a thousand times while nobody else writes."""
    record, other = map(write_passport, line(2))
    monkeypatch.setattr("graph.submission.submitter.MAX_LENT", len(record) + len(other) - 1)
    documents = [
        signed_registration(AUTHOR),
        signed_registration(STRANGER),
        signed_record(AUTHOR, content=record),
        signed_record(STRANGER, content=other),
        signed_record(STRANGER, content=record[:-1]),
    ]
    results = await hand_in(client, documents, [record, other])
    # What is refused takes nothing of what is left, and what brings no bytes is not refused for its size.
    assert [one["__typename"] for one in results] == ["Receipt"] * 3 + ["TooLarge", "NotKnown"]
    assert (results[3]["code"], results[3]["path"]) == ("TOO_LARGE", "documentHash")


def test_one_content_is_lent_as_often_as_it_fits() -> None:
    half = bytes(MAX_LENT // 2)
    contents = LentContents([half])
    name = sha256_digest(half)
    assert [contents.lend(name), contents.lend(name), contents.lend(sha256_digest(b""))] == [(half,), (half,), ()]
    with pytest.raises(TooLargeError):
        contents.lend(name)


async def test_what_is_beyond_a_bound_is_an_error_of_the_call(platform: Platform, client: httpx.AsyncClient) -> None:
    before = await count_everything(platform.store)
    # Each document costs, and an operation may cost so much: not twenty batches at once.
    calls = " ".join(f"c{number}: submitBatch(documents: $d) {{ __typename }}" for number in range(2))
    query = f"mutation ($d: [String!]!) {{ {calls} }}"
    (error,) = (await send(client, query, {"d": ["{}"] * MAX_DOCUMENTS}))["errors"]
    assert error["extensions"]["code"] == "TOO_LARGE" and "costs" in error["message"]
    (error,) = (await send(client, BATCH, {"documents": ["{}"] * (MAX_DOCUMENTS + 1)}))["errors"]
    assert (error["extensions"]["code"], error["extensions"]["path"]) == ("TOO_LARGE", "documents")
    large = {"query": BATCH, "variables": {"documents": [" " * MAX_BYTES] * (MAX_TOTAL // MAX_BYTES)}}
    assert (await client.post("/graphql", json=large)).status_code == 413
    assert await count_everything(platform.store) == before
    assert await hand_in(client, []) == []


async def test_both_doors_say_the_same_of_the_same_documents(platform: Platform, client: httpx.AsyncClient) -> None:
    pretty = json.dumps(json.loads(signed_statement(AUTHOR)), indent=2).encode() + b"\n"
    documents = [signed_registration(AUTHOR), pretty, b"{}", SPOILT, signed_statement(STRANGER), b"", pretty]
    headers = {"content-type": "application/json-seq"}
    response = await client.post("/statements", content=sequence_of(documents), headers=headers)
    lines = [json.loads(one) for one in response.text.splitlines()]
    results = await hand_in(client, documents)
    assert [one.get("code") for one in lines] == [one.get("code") for one in results]
    assert [one.get("logIndex") for one in lines] == [one.get("logIndex") for one in results]
    assert [one.get("created") for one in lines] == [True, True, None, None, None, None, False]
    assert (await client.get(f"/statements/{lines[1]['signedHash']}")).content == pretty


async def test_whoever_goes_away_leaves_whole_entries_and_hears_of_them_again(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR))
    documents = claims(600)
    task = asyncio.create_task(platform.submit_many(documents))
    while not platform._submitter._under_way:  # until the first of them are begun
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await platform.finish()
    written = len(await log_of(platform.store))
    assert platform.log.checkpoint.tree_size == written
    receipts = receipts_of(await platform.submit_many(documents))
    known = [one for one in receipts if not one.created]
    # A message and the node's verdict on it are two entries; what was not begun was not written.
    assert 0 < len(known) < 600 and all(one.entry.log_index < written for one in known)
    assert all(one.entry.log_index >= written for one in receipts if one.created)


async def test_a_failure_of_the_node_is_an_error_at_its_place_and_takes_no_other_receipt(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    (receipt,) = receipts_of(await platform.submit_many([signed_registration(AUTHOR)]))
    outcomes: list[Receipt | A2APError | GraphError] = [
        receipt,
        ContentDamagedError("sha256:0 is sha256:1"),
        StoreUnavailableError("bolt://10.0.0.7 said no"),
    ]

    async def failing(*_: object, **__: object) -> list[Receipt | A2APError | GraphError]:
        return outcomes

    monkeypatch.setattr(platform, "submit_many", failing)
    query = """mutation { submitBatch(documents: ["", "", ""]) {
      __typename ... on TryLater { message retryAfter type } } }"""
    answer = await send(client, query)
    assert answer["data"]["submitBatch"] == [
        {"__typename": "Receipt"},
        None,
        {
            "__typename": "TryLater",
            "message": "The graph database does not answer",
            "retryAfter": 1,
            "type": "urn:a2ap:problem:unavailable",
        },
    ]
    (error,) = answer["errors"]
    assert (error["path"], error["extensions"]["code"]) == (["submitBatch", 1], "DAMAGED")
    assert "sha256" not in str(answer["errors"])


async def test_there_is_a_mutation_for_every_type_of_message(platform: Platform, client: httpx.AsyncClient) -> None:
    described = await ask(client, '{ __type(name: "Mutation") { fields { name args { name type { kind } } } } }')
    taking = {
        one["name"]
        for one in described["__type"]["fields"]
        if {arg["name"] for arg in one["args"] if arg["type"]["kind"] == "NON_NULL"} <= {"document", "contents"}
        and one["args"][0]["name"] == "document"
    } - {"registerPassport", "registerPacket", "registerPacketRecord"}
    found = {}
    await accept(platform, signed_registration(AUTHOR))
    for name in sorted(taking):
        contents = ", contents: []" if name == "registerRecord" else ""
        selection = "... on Problem { message } ... on Receipt { type }"
        query = f"mutation ($d: String!) {{ {name}(document: $d{contents}) {{ {selection} }} }}"
        answer = (await ask(client, query, {"d": signed_registration(AUTHOR).decode()}))[name]
        found[name] = answer.get("type") or re.findall(r"not a2ap:(\w+)", answer["message"])[0]
    assert Counter(found.values()) == Counter(kind.value for kind in MessageType)


async def test_a_record_of_each_format_is_taken_under_its_registration_with_all_that_it_names(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await accept(platform, signed_registration(AUTHOR))
    passport = signed_record(AUTHOR, content=(record := write_passport(line(1)[0])))
    handed: list[tuple[RecordFormat, bytes, tuple[bytes, ...]]] = [(RecordFormat.PASSPORT, passport, (record,))]
    for one in (*pack_submissions(AUTHOR)[:1], *packet_submissions(AUTHOR, sha256_digest(b"a"), sha256_digest(b"b"))):
        assert isinstance(one.message, RecordRegistration)
        handed.append((one.message.format, one.message.envelope.received, one.blobs))
    assert {format for format, _, _ in handed} == set(READERS) == set(RecordFormat)
    query = """mutation ($d: String!, $c: [String!]!) { registerRecord(document: $d, contents: $c) {
      ... on Problem { code } ... on Receipt { type created } } }"""
    for format, registration, contents in handed:
        variables: dict[str, Any] = {"d": registration.decode(), "c": []}
        assert (await ask(client, query, variables, OPERATOR))["registerRecord"] == {"code": "HASH_MISMATCH"}, format
        # In a batch each registration brings the bytes of its record alone.
        if len(contents) > 1:
            (refused,) = await hand_in(client, [registration], list(contents))
            assert refused["__typename"] == "NotKnown", refused
        variables["c"] = [base64.b64encode(content).decode() for content in contents]
        answer = (await ask(client, query, variables, OPERATOR))["registerRecord"]
        assert answer == {"type": "RecordRegistration", "created": True}, format
