"""Threads of packets: what is found by which name, what is walked, and whose word opens and closes a loop."""

import json
from typing import Any

import pytest
from builders import agent_id, signed_record
from platform_fixture import platform
from scenario import STRANGER, verified_world
from test_packet_records import assembled, closed_thread, hand_in, receipt

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.record_registration import RecordFormat
from a2ap.packet.building import seal_packet
from a2ap.packet.document import PacketDocument, open_document
from graph.clearance import ANONYMOUS, OPERATOR
from graph.errors import NotFoundError
from graph.platform import Platform
from graph.records.packet_lookup import find_packet, packet_row
from graph.services import packet_closure
from graph.services.packet_closure import closure_of
from graph.services.record_submission import register_signed

__all__ = ["platform"]


def changed(packet: PacketDocument, **changes: Any) -> PacketDocument:
    """Return the packet with other members and a hash that is right, which nobody signed."""
    members = json.loads(json.dumps(packet.members))
    members.get("ext", {}).pop("a2ap.signature", None)
    return open_document(seal_packet({**members, **changes}))


def after(packet: PacketDocument, own: str, **changes: Any) -> PacketDocument:
    lineage = {**packet.members["lineage"], "supersedes_packet": packet.packet_id}
    return changed(packet, packet_id=own, lineage=lineage, **changes)


async def test_a_withheld_packet_is_found_by_the_hash_of_its_bytes_alone(platform: Platform) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    await hand_in(platform, packet.data, boundary=Boundary.CONFIDENTIAL)
    record_hash = sha256_digest(packet.data)
    for name in (packet.packet_id or "", packet.packet_hash or ""):
        with pytest.raises(NotFoundError):
            await packet_row(platform.store, name, ANONYMOUS)
    for known, reader in ((record_hash, ANONYMOUS), (packet.packet_id, OPERATOR), (packet.packet_hash, OPERATOR)):
        row = await packet_row(platform.store, known or "", reader)
        assert row["properties"]["record_hash"] == record_hash
    other = changed(packet, purpose="Something else.")
    await hand_in(platform, other.data)
    row = await packet_row(platform.store, packet.packet_id or "", ANONYMOUS)
    assert row["properties"]["record_hash"] == sha256_digest(other.data), "the first that this reader may see"


async def test_no_packet_is_found_under_a_hash_because_it_calls_itself_so(platform: Platform) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    for name in ("sha256:" + "ab" * 32, "b2:" + "ab" * 32):
        await hand_in(platform, changed(packet, packet_id=name).data)
        assert await find_packet(platform.store, name, OPERATOR) is None


async def test_no_thread_leads_to_or_through_a_withheld_packet(platform: Platform) -> None:
    await verified_world(platform)
    first = await assembled(platform, signed=True)
    hidden = await assembled(platform, signed=True, supersedes=first.packet_id)
    third = await assembled(platform, signed=True, supersedes=hidden.packet_id)
    await hand_in(platform, first.data, third.data)
    await hand_in(platform, hidden.data, receipt(first, "opened"), boundary=Boundary.CONFIDENTIAL)
    names = [sha256_digest(one.data) for one in (first, hidden, third)]
    for name in (names[0], names[2]):
        found = await closure_of(platform, ANONYMOUS, name)
        assert found.packets == (name,) and found.complete
        assert not any("reader" in remark or "packets or records" in remark for remark in found.report.remarks)
        assert set((await closure_of(platform, OPERATOR, name)).packets) == set(names)
    withheld = await closure_of(platform, ANONYMOUS, names[1])
    assert withheld.packets == () and not withheld.complete
    assert not any((hidden.packet_id or "") in str(one) for one in withheld.report.breaks)


async def test_packets_of_nobody_neither_open_nor_close_a_loop(platform: Platform) -> None:
    first, second = await closed_thread(platform)
    before = await closure_of(platform, OPERATOR, second.packet_id or "")
    assert before.report.is_closed and before.complete
    forged = after(first, "cpk_forged")
    twin = changed(first, purpose="Something else.")
    await hand_in(platform, forged.data, twin.data)
    assert await closure_of(platform, OPERATOR, second.packet_id or "") == before
    # Whoever asks for it by name gets it, and what it says that it supersedes.
    assert sha256_digest(forged.data) in (await closure_of(platform, OPERATOR, "cpk_forged")).packets


async def test_a_successor_counts_that_its_producer_registered(platform: Platform) -> None:
    first, _ = await closed_thread(platform)
    producer = {**first.members["producer"], "id": agent_id(STRANGER)}
    for content, counts in (
        (after(first, "cpk_own", producer=producer).data, True),
        (after(first, "cpk_of_another").data, False),
    ):
        registration = signed_record(STRANGER, content=content, format=RecordFormat.PACKET)
        await register_signed(platform, registration, content, RecordFormat.PACKET)
        found = await closure_of(platform, OPERATOR, first.packet_id or "")
        assert (sha256_digest(content) in found.packets) is counts


async def test_what_nobody_signed_does_not_crowd_out_records_and_what_is_cut_off_is_said(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    unsigned = []
    for at in range(3):
        members = json.loads(receipt(packet, "opened", receipt_id=f"rcp_{at}"))
        del members["ext"]
        unsigned.append(json.dumps(members).encode())
    signed = [receipt(packet, event) for event in ("output_emitted", "used")]
    await hand_in(platform, packet.data, *unsigned, *signed)
    remark = "the thread goes on beyond the packets that were walked"
    for bound, complete in ((2, True), (1, False)):
        monkeypatch.setattr(packet_closure, "MAX_RECORDS", bound)
        found = await closure_of(platform, OPERATOR, packet.packet_id or "")
        assert (found.complete, remark in found.report.remarks) == (complete, not complete)
        assert "3 records are signed by no registered agent, and were not counted" in found.report.remarks
        assert not any("nothing says" in one.words and "came back" in one.words for one in found.report.breaks)


async def test_of_more_packets_than_are_walked_the_rest_is_said(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await closed_thread(platform)
    monkeypatch.setattr(packet_closure, "MAX_PACKETS", 2)
    assert (await closure_of(platform, OPERATOR, first.packet_id or "")).complete
    monkeypatch.setattr(packet_closure, "MAX_PACKETS", 1)
    found = await closure_of(platform, OPERATOR, first.packet_id or "")
    assert (found.packets, found.complete) == ((sha256_digest(first.data),), False)
    assert second.packet_id
