"""Packets in an audit from outside: compared where their bytes are given, left out and said so where they are not."""

from pathlib import Path

import pytest
from audited import audited, export_node
from platform_fixture import platform
from scenario import verified_world
from test_packet_records import assembled, disposed, hand_in, receipt, returned, state_of

from a2ap.boundary import STRICTEST, Boundary
from graph.audit.folder_node import FolderNode
from graph.platform import Platform
from graph.store import Store

__all__ = ["platform"]

LEFT_OUT = "facts about records that this reader may not have"


@pytest.mark.parametrize("clearance", [STRICTEST, Boundary.PUBLIC])
async def test_packets_are_audited_as_far_as_their_bytes_are_given(
    platform: Platform, auditor_store: Store, tmp_path: Path, clearance: Boundary
) -> None:
    await verified_world(platform)
    packet = await assembled(platform)
    second = await assembled(platform, supersedes=packet.packet_id)
    await hand_in(platform, packet.data, receipt(packet, "delivered"))
    records = (returned(packet), disposed(packet, await state_of(platform)))
    await hand_in(platform, second.data, *records, boundary=Boundary.CONFIDENTIAL)
    folder = await export_node(platform, tmp_path / "node", clearance)
    report = await audited(FolderNode(folder), auditor_store)
    assert [finding.line for finding in report.findings] == []
    assert (LEFT_OUT in report.not_compared) is (clearance is Boundary.PUBLIC)
