"""Packets of one hash or one id: the first eight are joined, whichever came first, and live as in a rebuilt graph."""

import json

import pytest
from graph_contents import run_raw
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import verified_world
from test_packet_records import assembled, disposed, hand_in, receipt, returned, rows_of

from a2ap.packet.building import seal_packet
from a2ap.packet.closure import check_closure, closure_by_letter
from a2ap.packet.counted import SignedPacket
from a2ap.packet.document import open_document
from graph.clearance import OPERATOR
from graph.platform import Platform
from graph.services.packet_closure import closure_of

__all__ = ["platform"]


@pytest.mark.parametrize("named_first", [True, False])
async def test_of_nine_twins_the_first_eight_are_joined_live_and_rebuilt(platform: Platform, named_first: bool) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    members = json.loads(packet.data)
    # Receipts are not hashed: the same packet hash in nine different documents.
    twins = [json.dumps({**members, "receipts": [{"receipt_id": f"rcp_{at}"}]}).encode() for at in range(9)]
    lineage = {**members["lineage"], "supersedes_packet": packet.packet_id}
    later = open_document(seal_packet({**members, "packet_id": "cpk_later", "lineage": lineage})).data
    # Spaces between members change the bytes and nothing that is signed.
    returns = [returned(packet) + b" " * at for at in range(9)]
    naming = [later, receipt(packet, "opened"), disposed(packet, "a2ap-log:x@1#0")]
    for batch in (naming, twins, returns) if named_first else (twins, returns, naming):
        await hand_in(platform, *batch)
    for kind in ("SUPERSEDES", "DISPOSES"):
        found = await run_raw(platform.store, f"MATCH (a)-[r:{kind}]->(b) RETURN b.record_hash AS name")
        assert len(found) == 8, kind
    echoes = "MATCH (:PacketRecord {kind: 'packet-receipt'})-[:ECHOES]->(b) RETURN b.record_hash AS name"
    assert len(await run_raw(platform.store, echoes)) == 8
    before = await rows_of(platform)
    await rebuilt(platform)
    assert await rows_of(platform) == before


async def test_receipts_in_a_packet_that_nothing_binds_close_nothing(platform: Platform) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    inside = open_document({**packet.members, "receipts": [json.loads(receipt(packet, "output_emitted"))]})
    await hand_in(platform, inside.data)
    found = (await closure_of(platform, OPERATOR, packet.packet_id or "")).report
    assert "1 receipts in the packets are bound by nothing, and were not counted" in found.remarks
    assert found.breaks == check_closure([SignedPacket(packet, None)]).breaks
    assert closure_by_letter([packet]).breaks != closure_by_letter([inside]).breaks
