"""Packets, receipts, returns and dispositions in the graph: what they are joined to, rebuilt, and erased."""

import json
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from builders import (
    agent_id,
    agent_key,
    description,
    key_id,
    message_id,
    signed_registration,
    signed_statement,
    source_redaction_message,
)
from graph_contents import count_everything, nodes_with_label, run_raw
from http_client import ask, client
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import STRANGER, accept, hash_of, verified_world

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.errors import RecordTextError
from a2ap.messages.record_registration import RecordFormat
from a2ap.packet.building import seal_packet
from a2ap.packet.document import PacketDocument, open_document, read_document
from a2ap.packet.records import (
    Output,
    PacketDisposition,
    PacketReceipt,
    PacketRecord,
    PacketReturn,
    Proposal,
    ProposalAction,
    write_record,
)
from a2ap.packet.vocabulary import Outcome
from graph.clearance import ANONYMOUS, OPERATOR, Reader
from graph.errors import InputError, NotFoundError
from graph.export import ExportFormat, export
from graph.lineage.blast_radius import blast_radius
from graph.lineage.walk import Kind
from graph.packets.order import PacketOrder
from graph.platform import Platform
from graph.records.packet_record_rows import format_of
from graph.services import packet_closure
from graph.services.packet_assembly import assemble_packet
from graph.services.packet_closure import closure_of
from graph.services.record_submission import register_received

__all__ = ["client", "platform"]

AT = "2026-07-04T13:00:00Z"
CLERK = 31
"""A person, who decides about what comes back."""


async def hand_in(platform: Platform, *contents: bytes, boundary: Boundary = Boundary.PUBLIC) -> None:
    for content in contents:
        try:
            format = format_of(content)
        except RecordTextError:
            format = RecordFormat.PACKET
        await register_received(platform, OPERATOR, format, [content], boundary)


async def assembled(platform: Platform, **changes: Any) -> PacketDocument:
    values: dict[str, Any] = {
        "recipient": agent_id(STRANGER),
        "purpose": "Write a summary.",
        "ceiling": Boundary.PUBLIC,
        "topics": ("height limit",),
        "promoters": (agent_id(CLERK),),
    }
    order = PacketOrder(**{**values, **changes})
    return read_document(await assemble_packet(platform, ANONYMOUS, order, platform.clock()))


def signed(record: PacketRecord, seed: int = STRANGER) -> bytes:
    return write_record(record, key=agent_key(seed), key_id=key_id(seed))


def receipt(packet: PacketDocument, event: str, **changes: Any) -> bytes:
    values: dict[str, Any] = {
        "receipt_id": f"rcp_{event}",
        "event": event,
        "at": AT,
        "by": f"agent:{agent_id(STRANGER)}",
        "packet_id": packet.packet_id,
        "packet_hash": packet.packet_hash,
        "observability_ref": "trace:1",
    }
    return signed(PacketReceipt(**{**values, **changes}))


def returned(packet: PacketDocument, **changes: Any) -> bytes:
    values: dict[str, Any] = {
        "return_id": "ret_1",
        "packet_id": packet.packet_id,
        "packet_hash": packet.packet_hash,
        "at": AT,
        "by": f"agent:{agent_id(STRANGER)}",
        "outputs": (Output("out_1", "summary", "The limit stays."),),
        "proposals": (Proposal("prop_1", ProposalAction.APPEND, "The limit stays."),),
        "open_loops": (),
        "observability_ref": "trace:1",
    }
    return signed(PacketReturn(**{**values, **changes}))


def disposed(packet: PacketDocument, state: str, seed: int = CLERK, **changes: Any) -> bytes:
    values: dict[str, Any] = {
        "disposition_id": "dsp_1",
        "from_packet": packet.packet_id,
        "outcome": Outcome.PROMOTED,
        "at": AT,
        "by": f"human:{agent_id(CLERK)}",
        "result_state": state,
        "packet_hash": packet.packet_hash,
        "return_id": "ret_1",
        "proposal": "prop_1",
    }
    return signed(PacketDisposition(**{**values, **changes}), seed)


def sealed_with_words(members: Any, about: str) -> PacketDocument:
    """Return a packet about a statement that has words of its own wherever a name may stand."""
    item = {
        **members["items"][0],
        "item_id": "secretive-item",
        "supersedes": "secretive-older",
        "provenance": {**members["items"][0]["provenance"], "author": "agent:secretive"},
        "ext": {"a2ap.statement": about},
    }
    return open_document(
        seal_packet(
            {
                **json.loads(json.dumps(members)),
                "packet_id": "cpk_secretive",
                "task_ref": "secretive-task",
                "scope": {**members["scope"], "workspace": "secretive", "project": "secretive"},
                "recipient": {"id": "agent:secretive", "type": "agent"},
                "items": [item],
            }
        )
    )


async def rows_of(platform: Platform) -> list[str]:
    """Return everything in the graph as text, but for the lock of the log."""
    edges = """
        MATCH (a)-[r]->(b)
        RETURN type(r) AS type, properties(r) AS properties, properties(a) AS start, properties(b) AS end
    """
    nodes = "MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties"
    found = [*await run_raw(platform.store, nodes), *await run_raw(platform.store, edges)]
    for row in found:
        row.get("properties", {}).pop("lock", None)
    return sorted(json.dumps(row, sort_keys=True, default=str) for row in found)


async def state_of(platform: Platform) -> str:
    """Return the state of the graph as a packet names it."""
    packet = await assembled(platform)
    reference: str = packet.part("reproducibility")["source_state_refs"][0]
    return reference


async def test_items_of_a_packet_are_about_statements_and_documents(platform: Platform) -> None:
    world = await verified_world(platform)
    packet = await assembled(platform)
    await hand_in(platform, packet.data)
    query = """
        MATCH (n:Packet)-[:HAS_ITEM]->(i:Item)-[:ABOUT]->(t)
        RETURN n.packet_id AS packet, i.kind AS kind, labels(t) AS labels,
               coalesce(t.signed_hash, t.document_key) AS about ORDER BY kind
    """
    rows = await run_raw(platform.store, query)
    assert {row["packet"] for row in rows} == {packet.packet_id}
    about = {(row["kind"], row["labels"][0]) for row in rows}
    assert about == {("fact", "Statement"), ("verdict", "Statement"), ("artifact_ref", "Document")}
    assert hash_of(world.statement) in {row["about"] for row in rows}
    (node,) = await nodes_with_label(platform.store, "Packet")
    assert node["packet_hash"] == packet.packet_hash
    assert node["level"] == "CP-Governed"
    assert node["claimed_level"] == "CP-Governed"
    assert node["items"] == len(packet.items)


async def test_a_packet_is_about_no_statement_that_came_after_it(platform: Platform) -> None:
    world = await verified_world(platform)
    packet = await assembled(platform)
    later = signed_statement(claim="Another claim.")
    text = packet.data.decode().replace(hash_of(world.statement), hash_of(later))
    await hand_in(platform, text.encode())
    await accept(platform, later)
    rows = await run_raw(platform.store, "MATCH (:Item)-[:ABOUT]->(s:Statement) RETURN s.signed_hash AS hash")
    assert rows == []


async def test_no_words_of_a_packet_are_in_the_graph(platform: Platform) -> None:
    await verified_world(platform)
    packet = await assembled(platform, purpose="Unmistakable words of a purpose.")
    await hand_in(platform, packet.data)
    assert not any("Unmistakable" in row for row in await rows_of(platform))


@pytest.mark.parametrize("packet_first", [True, False])
async def test_records_are_joined_to_the_packet_whose_hash_they_echo(platform: Platform, packet_first: bool) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    records = [receipt(packet, "delivered"), disposed(packet, await state_of(platform)), returned(packet)]
    await hand_in(platform, *([packet.data, *records] if packet_first else [*records, packet.data]))
    echoes = await run_raw(
        platform.store, "MATCH (r:PacketRecord)-[:ECHOES]->(p:Packet) RETURN r.kind AS kind ORDER BY kind"
    )
    assert [row["kind"] for row in echoes] == ["packet-disposition", "packet-receipt", "packet-return"]
    disposes = await run_raw(
        platform.store,
        "MATCH (d:PacketRecord)-[:DISPOSES]->(r:PacketRecord) RETURN d.record_id AS one, r.record_id AS other",
    )
    assert disposes == [{"one": "dsp_1", "other": "ret_1"}]


async def test_a_record_that_echoes_another_hash_is_joined_to_nothing(platform: Platform) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    await hand_in(platform, packet.data, receipt(packet, "delivered", packet_hash="b2:" + "0" * 64))
    assert await run_raw(platform.store, "MATCH (:PacketRecord)-[r:ECHOES]->() RETURN type(r) AS type") == []


async def test_a_packet_that_is_not_what_its_hash_says_is_known_by_no_hash(platform: Platform) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    changed = packet.data.replace(b"Write a summary.", b"Write an attack.")
    await hand_in(platform, changed, receipt(packet, "delivered"))
    (node,) = await nodes_with_label(platform.store, "Packet")
    assert node.get("packet_hash") is None
    assert node.get("level") is None, "what fails its own hash has no level"
    assert await run_raw(platform.store, "MATCH (:PacketRecord)-[r:ECHOES]->() RETURN type(r) AS type") == []


async def test_a_packet_supersedes_another_whichever_comes_first(platform: Platform) -> None:
    await verified_world(platform)
    first = await assembled(platform)
    second = await assembled(platform, supersedes=first.packet_id)
    third = await assembled(platform, supersedes=second.packet_id)
    await hand_in(platform, third.data, first.data, second.data)
    rows = await run_raw(
        platform.store, "MATCH (a:Packet)-[:SUPERSEDES]->(b:Packet) RETURN a.packet_id AS later, b.packet_id AS earlier"
    )
    found = {(row["later"], row["earlier"]) for row in rows}
    assert found == {(second.packet_id, first.packet_id), (third.packet_id, second.packet_id)}


async def test_what_is_no_packet_or_another_record_is_refused_and_changes_nothing(platform: Platform) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    before = await count_everything(platform.store)
    for format, content in (
        (RecordFormat.PACKET, b"[]"),
        (RecordFormat.PACKET, b"{}"),
        (RecordFormat.PACKET, b'{"spec": "context-pack/1"}'),
        (RecordFormat.PACKET, b'{"a": 1, "a": 2}'),
        (RecordFormat.RECEIPT, packet.data),
        (RecordFormat.RECEIPT, b'{"spec": "a2ap-packet-receipt/1"}'),
    ):
        with pytest.raises(RecordTextError):
            await register_received(platform, OPERATOR, format, [content], Boundary.PUBLIC)
    with pytest.raises(InputError, match="is a packet-receipt"):
        await register_received(
            platform, OPERATOR, RecordFormat.RETURN, [receipt(packet, "delivered")], Boundary.PUBLIC
        )
    assert await count_everything(platform.store) == before


async def test_rebuild_makes_the_same_graph_of_packets(platform: Platform) -> None:
    await verified_world(platform)
    first = await assembled(platform)
    second = await assembled(platform, supersedes=first.packet_id)
    state = await state_of(platform)
    await hand_in(platform, disposed(first, state), second.data, returned(first), first.data)
    await hand_in(platform, receipt(first, "used"), receipt(second, "delivered"), first.data)
    await accept(platform, signed_statement(claim="Another claim."))
    before = await rows_of(platform)
    await rebuilt(platform)
    assert await rows_of(platform) == before


async def test_an_erased_packet_keeps_its_hash_and_nothing_else(platform: Platform) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    await hand_in(platform, packet.data, receipt(packet, "delivered"))
    name = sha256_digest(packet.data)
    message = {**source_redaction_message(name), "redactingAgent": platform.node.agent_id}
    redaction = platform.node.sign({**message, "@id": message_id("redaction of a packet")})
    await accept(platform, redaction.envelope.received)
    (node,) = await nodes_with_label(platform.store, "Packet")
    assert {key for key, value in node.items() if value is not None} == {"record_hash", "log_index", "held"}
    assert await nodes_with_label(platform.store, "Item") == []
    assert not await platform.content.has(name)
    before = await rows_of(platform)
    await rebuilt(platform)
    assert await rows_of(platform) == before


async def with_clerk(platform: Platform) -> None:
    """Settle the world with a person in it."""
    await verified_world(platform)
    await accept(platform, signed_registration(CLERK, agent=description(CLERK, person=True)))


async def closed_thread(platform: Platform) -> tuple[PacketDocument, PacketDocument]:
    """Hand in a packet, what came back, what became of it, and the packet that follows."""
    await with_clerk(platform)
    first = await assembled(platform, signed=True)
    await hand_in(
        platform,
        first.data,
        receipt(first, "delivered"),
        receipt(first, "used"),
        receipt(first, "output_emitted"),
        receipt(first, "memory_update_proposed"),
        returned(first),
    )
    made = platform.clock()
    await hand_in(platform, disposed(first, await state_of(platform), at=made.astimezone(UTC).isoformat()))
    second = await assembled(platform, supersedes=first.packet_id, signed=True)
    await hand_in(platform, second.data)
    return first, second


async def test_a_thread_whose_returns_were_disposed_of_and_inherited_is_closed(platform: Platform) -> None:
    first, second = await closed_thread(platform)
    found = await closure_of(platform, OPERATOR, second.packet_id or "")
    assert found.report.state == "closed", found.report
    assert found.packets == (sha256_digest(first.data), sha256_digest(second.data))


async def test_no_more_of_a_thread_is_read_than_its_bounds(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = await closed_thread(platform)
    lengths: list[int] = []
    found = await closure_of(platform, OPERATOR, second.packet_id or "", lengths.append)
    # The packet that is asked for is read first; every document counts.
    assert lengths[:2] == [len(second.data), len(first.data)] and len(lengths) == 2 + 6
    assert not any("goes on" in remark for remark in found.report.remarks)
    for bound, value in (("MAX_DOCUMENTS", 1), ("MAX_BYTES", len(second.data))):
        with monkeypatch.context() as patch:
            patch.setattr(packet_closure, bound, value)
            lengths.clear()
            found = await closure_of(platform, OPERATOR, second.packet_id or "", lengths.append)
        assert lengths == [len(second.data)]
        assert found.packets == (sha256_digest(second.data),)
        assert "the thread goes on beyond the packets that were walked" in found.report.remarks


async def test_a_thread_is_open_where_nobody_who_is_registered_signed_the_disposition(platform: Platform) -> None:
    await with_clerk(platform)
    first = await assembled(platform, signed=True)
    forged = json.loads(disposed(first, await state_of(platform)))
    del forged["ext"]
    await hand_in(platform, first.data, returned(first), json.dumps(forged).encode())
    second = await assembled(platform, supersedes=first.packet_id, signed=True)
    await hand_in(platform, second.data)
    found = await closure_of(platform, OPERATOR, first.packet_id or "")
    assert found.report.state == "open at link 2 (disposition)"
    assert any("signed by no registered agent" in remark for remark in found.report.remarks)


async def test_what_a_reader_may_not_see_is_not_walked_and_said_so(platform: Platform) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    await hand_in(platform, packet.data, boundary=Boundary.CONFIDENTIAL)
    reader = Reader(Boundary.INTERNAL)
    found = await closure_of(platform, reader, sha256_digest(packet.data))
    assert found.packets == ()
    assert any("not for this reader" in remark for remark in found.report.remarks)


def test_times_of_this_file_are_in_utc() -> None:
    assert datetime.fromisoformat(AT).tzinfo is not None


async def test_what_a_reader_may_not_see_of_a_packet_is_in_no_export_and_no_lineage(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    packet = await assembled(platform, purpose="Say it.")
    about = packet.items[0]["ext"]["a2ap.statement"]
    words = sealed_with_words(packet.members, about)
    await hand_in(platform, words.data, boundary=Boundary.INTERNAL)
    await hand_in(platform, receipt(words, "received", by="secretive-reader"), boundary=Boundary.INTERNAL)
    reached = "query ($hash: ID!) { blastRadius(statement: $hash) { items { nodes { kind name messageId } } } }"
    for format in (ExportFormat.CYPHER, ExportFormat.GRAPH_ROWS):
        for clearance in (Boundary.PUBLIC, Boundary.INTERNAL):
            pieces = [piece async for piece in export(platform.store, platform.content, format, clearance)]
            assert (b"secretive" in b"".join(pieces)) is (clearance is Boundary.INTERNAL)
    # Which statement the packet is about is among its words, and the packet itself is not there by its hash either.
    found = await ask(client, reached, {"hash": about})
    assert found["blastRadius"] is not None
    assert sha256_digest(words.data) not in json.dumps(found) and "secretive" not in json.dumps(found)
    with pytest.raises(NotFoundError, match="is here"):
        await blast_radius(platform.store, Kind.SOURCE, sha256_digest(words.data), reader=ANONYMOUS)


async def test_only_words_of_the_text_are_in_what_is_one_of_few(platform: Platform) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    members = json.loads(packet.data)
    for name in ("kind", "epistemic_status", "promotion_state", "confidence", "stakes", "boundary", "branch_status"):
        members["items"][0][name] = "Unmistakable words."
    members["items"][0]["provenance"]["trust"] = "Unmistakable words."
    members["governor"]["mode"] = members["producer"]["type"] = "Unmistakable words."
    await hand_in(platform, json.dumps(members).encode())
    assert not any("Unmistakable" in row for row in await rows_of(platform))
