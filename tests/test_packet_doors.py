"""Packets and their records through HTTP and GraphQL: handed in, given back, shown as far as a reader is cleared."""

import json
from typing import Any

import httpx
import pytest
from builders import agent_id, description, signed_registration
from http_client import OPERATOR, READERS, ask, ask_flat, bearer, client, send
from platform_fixture import platform
from scenario import STRANGER, accept, hash_of, verified_world
from test_packet_records import CLERK, assembled, closed_thread, disposed, receipt, returned, state_of

from a2ap.canonical import sha256_digest
from a2ap.packet.building import seal_packet
from a2ap.packet.document import open_document
from graph.platform import Platform

__all__ = ["accept", "client", "platform"]

PACKET = """query ($name: String!) { packet(name: $name) {
    recordHash boundary held withheld packetId packetHash level claimedLevel recipientId sourceStateRefs document
    items { nodes { id kind epistemicStatus author documentHash statement { signedHash } } }
    records { nodes { kind recordId event by outcome disposesOf signers { id } document } } } }"""


async def post(client: httpx.AsyncClient, path: str, content: bytes, boundary: str = "public") -> dict[str, Any]:
    answer = await client.post(f"{path}?boundary={boundary}", content=content)
    assert answer.status_code in (200, 201), answer.text
    (record,) = answer.json()["records"]
    found: dict[str, Any] = record
    return found


@pytest.mark.both_engines
async def test_a_packet_is_kept_byte_for_byte_and_given_back_by_each_of_its_names(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    record = await post(client, "/packets", packet.data)
    assert record["recordHash"] == sha256_digest(packet.data)
    for name in (record["recordHash"], packet.packet_hash, packet.packet_id):
        given = await client.get(f"/packets/{name}")
        assert given.content == packet.data
        assert given.headers["x-content-type-options"] == "nosniff"
    assert (await client.get("/packets/cpk_nobody")).status_code == 404
    assert (await client.post("/packets?boundary=public", content=packet.data)).status_code == 200


async def test_records_are_kept_and_given_back_within_their_class(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    content = receipt(packet, "delivered")
    record = await post(client, "/packet-records", content, "internal")
    address = f"/packet-records/{record['recordHash']}"
    assert (await client.get(address)).status_code == 403
    assert (await client.get(address, headers=bearer(READERS["internal"]))).content == content
    assert (await client.get(f"/packets/{record['recordHash']}")).status_code == 404


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b'{"a": 1, "a": 2}', b"[" * 100_000], ids=repr)
@pytest.mark.parametrize("path", ["/packets", "/packet-records"])
async def test_what_is_neither_is_refused(client: httpx.AsyncClient, path: str, body: bytes) -> None:
    answer = await client.post(f"{path}?boundary=public", content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_RECORD"), answer.text


async def test_a_packet_that_is_too_long_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.post("/packets?boundary=public", content=b" " * (4 * 1_048_576 + 1))
    assert answer.status_code == 413, answer.text


async def test_a_packet_is_shown_with_its_items_and_what_became_of_it(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_registration(CLERK, agent=description(CLERK, person=True)))
    packet = await assembled(platform)
    await post(client, "/packets", packet.data)
    for content in (returned(packet), disposed(packet, await state_of(platform))):
        await post(client, "/packet-records", content)
    found = (await ask_flat(client, PACKET, {"name": packet.packet_id}))["packet"]
    assert found["level"] == "CP-Governed"
    assert found["claimedLevel"] == "CP-Governed"
    assert found["recipientId"] == agent_id(STRANGER)
    assert found["document"].encode() == packet.data
    assert found["items"][0]["statement"]["signedHash"] == hash_of(world.statement)
    assert found["items"][-1]["documentHash"].startswith("sha256:")
    back, decided = found["records"]
    assert back["signers"] == [{"id": agent_id(STRANGER)}]
    assert decided["outcome"] == "PROMOTED".lower()
    assert decided["disposesOf"] == [sha256_digest(returned(packet))]
    assert decided["signers"] == [{"id": agent_id(CLERK)}]
    page = await ask(client, "{ packets(first: 1) { nodes { packetId } pageInfo { endCursor } } }")
    assert page["packets"]["nodes"] == [{"packetId": packet.packet_id}]
    after = page["packets"]["pageInfo"]["endCursor"]
    assert (await ask(client, f'{{ packets(after: "{after}") {{ nodes {{ packetId }} }} }}'))["packets"] == {
        "nodes": []
    }


async def test_above_the_clearance_a_packet_is_a_hash_and_a_reason(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    await post(client, "/packets", packet.data, "confidential")
    found = (await ask_flat(client, PACKET, {"name": sha256_digest(packet.data)}))["packet"]
    assert found["withheld"] == "it is confidential, and this reader is cleared for public"
    assert (found["packetId"], found["document"], found["items"], found["records"]) == (None, None, [], [])
    seen = (await ask_flat(client, PACKET, {"name": packet.packet_id}, READERS["confidential"]))["packet"]
    assert seen["packetId"] == packet.packet_id


async def test_the_closure_of_a_thread_is_walked_in_the_graph(platform: Platform, client: httpx.AsyncClient) -> None:
    _, second = await closed_thread(platform)
    query = "query ($n: String!) { packetClosure(name: $n) { state closed packets breaks { link words } remarks } }"
    found = (await ask(client, query, {"n": second.packet_id}))["packetClosure"]
    assert (found["state"], found["closed"], len(found["packets"])) == ("closed", True, 2)
    unknown = await send(client, query, {"n": "cpk_nobody"})
    assert unknown["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_mutations_hand_in_packets_and_records(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    query = """mutation ($packet: String!, $record: String!) {
        registerPacket(document: $packet, boundary: "public") { ... on Receipt { type created } }
        registerPacketRecord(document: $record, boundary: "public") { ... on Receipt { type created } } }"""
    texts = {"packet": packet.data.decode(), "record": receipt(packet, "delivered").decode()}
    found = await ask(client, query, texts, OPERATOR)
    assert found["registerPacket"] == {"type": "RecordRegistration", "created": True}
    assert found["registerPacketRecord"] == {"type": "RecordRegistration", "created": True}
    assert (await client.get(f"/packets/{packet.packet_id}")).content == packet.data


async def test_items_and_records_of_a_packet_are_given_page_by_page(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    await post(client, "/packets", packet.data)
    for event in ("delivered", "opened", "used"):
        await post(client, "/packet-records", receipt(packet, event))
    query = """query ($name: String!, $after: String) { packet(name: $name) { page: %s(first: 2, after: $after) {
        nodes { %s } totalCount pageInfo { hasNextPage endCursor } } } }"""
    items = [item["item_id"] for item in packet.items]
    for field, named, names in (("items", "id", items), ("records", "event", ["delivered", "opened", "used"])):
        found: list[str] = []
        page: dict[str, Any] = {"pageInfo": {"hasNextPage": True, "endCursor": None}}
        while page["pageInfo"]["hasNextPage"]:
            variables = {"name": packet.packet_id, "after": page["pageInfo"]["endCursor"]}
            page = (await ask(client, query % (field, named), variables))["packet"]["page"]
            found += [node[named] for node in page["nodes"]]
            assert page["totalCount"] == len(names)
        assert found == names


async def test_a_record_that_a_reader_may_not_have_is_named_by_nothing(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    await post(client, "/packets", packet.data)
    await post(client, "/packet-records", returned(packet), "confidential")
    await post(client, "/packet-records", disposed(packet, await state_of(platform)))
    (decided,) = (await ask_flat(client, PACKET, {"name": packet.packet_id}))["packet"]["records"]
    assert (decided["outcome"], decided["disposesOf"]) == ("promoted", [])
    found = (await ask_flat(client, PACKET, {"name": packet.packet_id}, READERS["confidential"]))["packet"]["records"]
    assert [one["disposesOf"] for one in found] == [[], [sha256_digest(returned(packet))]]


async def test_an_item_is_about_the_document_that_it_is_joined_to(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    members = json.loads((await assembled(platform)).data)
    bare = "sha256:" + "cd" * 32
    for place, source in enumerate((bare, f"a2ap-document:{bare}", "a2ap-document:sha256:short")):
        members["items"][place]["provenance"]["source"] = source
        members["items"][place]["ext"] = {}
    packet = open_document(seal_packet(members))
    await post(client, "/packets", packet.data)
    found = (await ask_flat(client, PACKET, {"name": sha256_digest(packet.data)}))["packet"]
    assert [item["documentHash"] for item in found["items"]][:3] == [bare, bare, None]
