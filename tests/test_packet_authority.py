"""Rights on a loop of a node: the recipient returns, a promoter decides, and no record of another agent counts."""

import json
import re
from typing import Any

import httpx
import pytest
from builders import agent_id, agent_key, description, key_id, signed_registration, signed_statement
from graph_contents import nodes_with_label
from http_client import OPERATOR as OPERATOR_TOKEN
from http_client import READERS, ask, bearer, client
from key_world import size_of
from platform_fixture import platform
from scenario import AUTHOR, OPERATOR_A, STRANGER, accept, verified_world
from test_packet_records import (
    CLERK,
    assembled,
    closed_thread,
    disposed,
    hand_in,
    receipt,
    returned,
    signed,
    state_of,
    with_clerk,
)

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.packet.building import seal_packet
from a2ap.packet.closure_links import Link
from a2ap.packet.document import PacketDocument, open_document, read_document
from a2ap.packet.records import Output, PacketReceipt, read_record, verify_record
from graph.clearance import ANONYMOUS, OPERATOR, Reader
from graph.errors import InputError
from graph.packets.assembly import ORDERED_BY
from graph.packets.order import PacketOrder
from graph.platform import Platform
from graph.services.packet_assembly import assemble_packet, name_of_reader
from graph.services.packet_closure import ThreadClosure, closure_of

__all__ = ["client", "platform"]

OUTSIDER = AUTHOR
"""A registered agent that has no part in the packets of these tests."""


async def closure(platform: Platform, packet: PacketDocument) -> ThreadClosure:
    return await closure_of(platform, OPERATOR, packet.packet_id or "")


async def open_thread(platform: Platform, **changes: Any) -> tuple[PacketDocument, str]:
    """Hand in a packet that the node signed and what its recipient returned; return it, and the state after that."""
    await with_clerk(platform)
    first = await assembled(platform, signed=True, **changes)
    await hand_in(platform, first.data, returned(first))
    return first, await state_of(platform)


async def followed(platform: Platform, first: PacketDocument) -> PacketDocument:
    second = await assembled(platform, supersedes=first.packet_id, signed=True)
    await hand_in(platform, second.data)
    return second


def by(seed: int, record: bytes, **changes: Any) -> bytes:
    """Return a record as another agent signs it, in its own name."""
    value = read_record(record).value
    values = {"by": f"agent:{agent_id(seed)}", **changes}
    fields = {name: getattr(value, name) for name in type(value).__slots__ if name != "ext"}
    return signed(type(value)(**{**fields, **values}), seed)


@pytest.mark.parametrize(
    ("seed", "author"),
    [
        (OUTSIDER, f"agent:{agent_id(OUTSIDER)}"),  # registered, without a part in the packet
        (STRANGER, f"agent:{agent_id(STRANGER)}"),  # the consumer promotes its own return
        (STRANGER, f"human:{agent_id(CLERK)}"),  # … in the name of the clerk
        (OPERATOR_A, f"agent:{agent_id(OPERATOR_A)}"),  # stands for the node, and is no person
        (OPERATOR_A, "human:clerk"),  # … and types that it is one
        (OPERATOR_A, f"human:{agent_id(OPERATOR_A)}"),
        (CLERK, "human:mayor"),  # a person in the name of another
    ],
)
async def test_only_a_promoter_who_is_a_person_decides_where_a_person_is_required(
    platform: Platform, seed: int, author: str
) -> None:
    first, state = await open_thread(platform)
    await hand_in(platform, disposed(first, state, seed, by=author))
    await followed(platform, first)
    assert (await closure(platform, first)).report.state == "open at link 2 (disposition)"
    await hand_in(platform, disposed(first, await state_of(platform), disposition_id="dsp_2"))
    # Whoever wrote the other record, it neither closes the loop nor opens it.
    report = (await closure(platform, first)).report
    wrong = [one for one in report.breaks if one.link is Link.DISPOSITION]
    assert wrong == [] or (seed == OPERATOR_A and author.startswith("agent:")), report


async def test_a_seed_of_the_policy_decides_where_no_person_is_required(platform: Platform) -> None:
    first, state = await open_thread(platform, requires_review=False, promoters=())
    await hand_in(platform, disposed(first, state, OPERATOR_A, by=f"agent:{agent_id(OPERATOR_A)}"))
    await followed(platform, first)
    assert (await closure(platform, first)).report.state == "closed"


async def test_a_return_of_anybody_but_the_recipient_counts_nothing(platform: Platform) -> None:
    await with_clerk(platform)
    first = await assembled(platform, signed=True)
    await hand_in(platform, first.data, by(OUTSIDER, returned(first)))
    await hand_in(platform, disposed(first, await state_of(platform)))
    await followed(platform, first)
    found = (await closure(platform, first)).report
    assert found.state == "open at link 1 (returns)"
    assert "1 records are signed by agents that have no part in the packet, and were not counted" in found.remarks
    # One that has a part, and not that of the recipient, is walked and does not count either.
    await hand_in(platform, by(CLERK, returned(first), by=f"human:{agent_id(CLERK)}", return_id="ret_2"))
    found = (await closure(platform, first)).report
    assert found.state == "open at link 1 (returns)"
    assert any("the return ret_2 does not count: the packet is for" in one for one in found.remarks)


async def test_receipts_alone_are_no_return(platform: Platform) -> None:
    await with_clerk(platform)
    first = await assembled(platform, signed=True)
    await hand_in(platform, first.data, receipt(first, "output_emitted"), receipt(first, "memory_update_proposed"))
    await hand_in(platform, disposed(first, await state_of(platform)))
    await followed(platform, first)
    found = (await closure(platform, first)).report
    assert found.state == "open at link 1 (returns)"
    assert any("no return is here that can be held against the contract" in one.words for one in found.breaks)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"outputs": (Output("out_1", "poem", "It stays."),)}, "the contract expects summary"),
        ({"outputs": (Output("out_1", "credential_request", "It."), Output("out_2", "summary", "It."))}, "forbidden"),
        ({"open_loops": None}, "the contract expects open_questions"),
    ],
)
async def test_a_return_that_does_not_meet_the_contract_closes_nothing(
    platform: Platform, changes: dict[str, Any], words: str
) -> None:
    await with_clerk(platform)
    first = await assembled(platform, signed=True)
    await hand_in(platform, first.data, returned(first, **changes))
    await hand_in(platform, disposed(first, await state_of(platform)))
    await followed(platform, first)
    found = (await closure(platform, first)).report
    assert found.state == "open at link 1 (returns)"
    assert any(words in one.words for one in found.breaks), found.breaks


async def test_no_record_of_an_outsider_opens_a_closed_loop(platform: Platform) -> None:
    first, second = await closed_thread(platform)
    before = await closure(platform, second)
    assert before.report.is_closed
    state = await state_of(platform)
    await hand_in(
        platform,
        by(OUTSIDER, returned(first, return_id="ret_other")),
        by(OUTSIDER, receipt(first, "output_emitted", receipt_id="rcp_other")),
        disposed(first, state, OUTSIDER, by=f"agent:{agent_id(OUTSIDER)}", outcome="rejected", disposition_id="dsp_x"),
        signed(
            PacketReceipt("rcp_y", "used", "2026-07-04T13:00:00Z", "agent:y", first.packet_id or "", "b2:" + "0" * 64),
            OUTSIDER,
        ),
    )
    found = await closure(platform, second)
    assert found.report.breaks == () and found.complete
    assert (
        "3 records are signed by agents that have no part in the packet, and were not counted" in found.report.remarks
    )


async def test_no_packet_of_an_outsider_follows_or_stands_in_for_another(platform: Platform) -> None:
    first, second = await closed_thread(platform)
    before = await closure(platform, second)
    lineage = {**first.members["lineage"], "supersedes_packet": first.packet_id}
    own = {"producer": {"id": agent_id(OUTSIDER), "type": "agent"}}
    for changes in ({"packet_id": "cpk_after", "lineage": lineage}, {"packet_id": first.packet_id, **own}):
        members = json.loads(first.data)
        del members["ext"]["a2ap.signature"]
        made = seal_packet({**members, **changes}, key=agent_key(OUTSIDER), key_id=key_id(OUTSIDER))
        await hand_in(platform, open_document(made).data)
    assert await closure(platform, second) == before
    assert await closure_of(platform, OPERATOR, sha256_digest(first.data)) == before
    forged = (await closure_of(platform, OPERATOR, "cpk_after")).report
    assert not forged.is_closed, "nobody gets `closed` for a packet that does not count"


async def test_strangers_do_not_crowd_out_the_records_that_count(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.services.packet_closure.MAX_RECORDS", 2)
    await with_clerk(platform)
    first = await assembled(platform, signed=True)
    strange = [by(OUTSIDER, receipt(first, "used", receipt_id=f"rcp_{at}")) for at in range(4)]
    await hand_in(platform, first.data, *strange, returned(first))
    await hand_in(platform, disposed(first, await state_of(platform)))
    second = await followed(platform, first)
    found = await closure(platform, second)
    assert found.report.is_closed and found.complete


async def test_a_second_return_under_the_id_of_a_decided_one_opens_the_loop(platform: Platform) -> None:
    first, second = await closed_thread(platform)
    await hand_in(platform, returned(first, outputs=(Output("out_1", "summary", "Another text."),)))
    found = (await closure(platform, second)).report
    assert any("2 returns have the id ret_1" in one.words for one in found.breaks)
    await hand_in(platform, returned(first, return_id="ret_2"))
    found = (await closure(platform, second)).report
    assert any(one.words == "the proposal prop_1 was never dispositioned" for one in found.breaks), found.breaks


async def test_an_unsigned_packet_shows_no_contract(platform: Platform) -> None:
    await with_clerk(platform)
    first = await assembled(platform)
    await hand_in(platform, first.data, returned(first))
    found = (await closure(platform, first)).report
    assert any("nobody signed it, so that its producer is not shown" in one.words for one in found.breaks)


async def test_a_packet_signed_with_an_unregistered_key_is_not_called_unsigned(platform: Platform) -> None:
    await with_clerk(platform)
    first = open_document(seal_packet((await assembled(platform)).members, key=agent_key(77), key_id=key_id(77)))
    await hand_in(platform, first.data, returned(first))
    (words,) = {one.words for one in (await closure(platform, first)).report.breaks if "signed" in one.words}
    assert words == "it is signed with a key of no registered agent, so that its producer is not shown"


async def test_a_recipient_is_no_promoter_of_what_it_orders() -> None:
    order = {"recipient": "urn:agent:x", "purpose": "p", "ceiling": "public", "topics": ["t"]}
    assert PacketOrder.from_members({**order, "promoters": ["urn:agent:y"]}).promoters == ("urn:agent:y",)
    with pytest.raises(InputError, match="does not decide about its own returns"):
        PacketOrder.from_members({**order, "promoters": ["urn:agent:x"]})


async def test_a_person_is_registered_as_one(platform: Platform) -> None:
    await accept(
        platform,
        signed_registration(CLERK, agent=description(CLERK, person=True)),
        signed_registration(STRANGER),
    )
    found = {one["agent_id"]: one.get("person") for one in await nodes_with_label(platform.store, "Agent")}
    assert (found[agent_id(CLERK)], found[agent_id(STRANGER)]) == (True, None)


async def test_a_packet_names_the_reader_that_ordered_it_through_each_interface(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    order = {"recipient": agent_id(STRANGER), "purpose": "Write.", "ceiling": "public", "topics": ["height limit"]}
    query = "query ($order: PacketOrder!) { assembledPacket(order: $order) }"

    async def named(token: str | None) -> str:
        headers = {} if token is None else bearer(token)
        over_http = (await client.post("/packets/assemble", json=order, headers=headers)).text
        over_graphql = (await ask(client, query, {"order": order}, token))["assembledPacket"]
        (name,) = {read_document(one.encode()).members["ext"][ORDERED_BY] for one in (over_http, over_graphql)}
        assert token is None or token not in over_http + over_graphql
        return str(name)

    assert await named(None) == "anonymous"
    assert await named(OPERATOR_TOKEN) == f"operator:{platform.node.agent_id}"
    key = agent_key(61).public_key
    assert name_of_reader(Reader(peer_key=key), platform.node.agent_id) == f"peer:{key.did_key}"
    readers = [await named(token) for token in READERS.values()]
    assert len(set(readers)) == 2 and all(re.fullmatch(r"reader:[0-9a-f]{8}", name) for name in readers), readers


async def test_a_link_that_a_page_of_another_origin_opens_logs_no_delivery(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    order = f'recipient: "{agent_id(STRANGER)}", purpose: "Write.", ceiling: "public", topics: ["height limit"]'
    link = {"query": f"{{ assembledPacket(order: {{ {order}, audited: true }}) }}"}
    opened = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    size = await size_of(platform)
    answer = (await client.get("/graphql", params=link, headers=opened)).json()
    assert answer["errors"][0]["extensions"]["code"] == "FORBIDDEN", answer
    assert await size_of(platform) == size, "what is asked for with GET writes nothing"
    assert (await ask(client, link["query"]))["assembledPacket"]
    assert await size_of(platform) == size + 1


async def test_the_node_logs_that_it_delivered_an_audited_packet(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    size = platform.log.checkpoint.tree_size
    plain = await assembled(platform)
    await platform.log.refresh()
    assert platform.log.checkpoint.tree_size == size, "nothing is registered for a packet that is not audited"
    audited = await assembled(platform, audited=True, signed=True)
    await hand_in(platform, plain.data, audited.data)
    query = """query ($name: String!) { packet(name: $name) {
        records { nodes { event by document signers { id } } } } }"""
    (logged,) = (await ask(client, query, {"name": audited.packet_id}))["packet"]["records"]["nodes"]
    assert (logged["event"], logged["by"]) == ("delivered", f"system:{platform.node.agent_id}")
    assert logged["signers"] == [{"id": platform.node.agent_id}]
    record = read_record(logged["document"].encode())
    verify_record(record, platform.node.key.public_key)
    assert record.value.packet_hash == audited.packet_hash
    assert record.members["ext"][ORDERED_BY] == audited.members["ext"][ORDERED_BY] == "anonymous"
    (none,) = [(await ask(client, query, {"name": plain.packet_id}))["packet"]["records"]["nodes"]]
    assert none == []


async def test_what_was_delivered_above_public_is_in_the_log_as_a_hash_alone(platform: Platform) -> None:
    await verified_world(platform)
    await accept(platform, signed_statement(claim="Another claim."))
    order = PacketOrder(agent_id(STRANGER), "Write.", Boundary.INTERNAL, topics=("height limit",), audited=True)
    content = await assemble_packet(platform, OPERATOR, order, platform.clock())
    await hand_in(platform, content, boundary=Boundary.INTERNAL)
    (record,) = await nodes_with_label(platform.store, "PacketRecord")
    documents = await nodes_with_label(platform.store, "Document")
    (kept,) = [one for one in documents if one.get("document_key") == record["record_hash"]]
    assert kept["boundary"] == "internal"
    assert ANONYMOUS.clearance is Boundary.PUBLIC
