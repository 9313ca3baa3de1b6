"""Who repeats another's verdicts is told so, with the figures by which it was found: in the log and in GraphQL."""

from pathlib import Path

import httpx
import pytest
from audited import audited, export_node
from builders import agent_id
from copying_world import CLAIMS, COPIER, DIFFERED, ORIGINAL, copying_world
from http_client import ask, client
from platform_fixture import platform

from graph.audit.folder_node import FolderNode
from graph.platform import Platform
from graph.store import Store

__all__ = ["client", "platform"]

WHY_LESS = """query ($agent: ID!) { agent(id: $agent) { reputationDetails {
  method reason criteria { criterion independence copies copied { both differed expected } coalition }
} } }"""


async def test_a_copier_is_told_whom_it_repeats_and_by_what_that_was_found(
    platform: Platform, client: httpx.AsyncClient, auditor_store: Store, tmp_path: Path
) -> None:
    await copying_world(platform)
    found = (await ask(client, WHY_LESS, {"agent": agent_id(COPIER)}))["agent"]["reputationDetails"]
    assert found["method"] == "a2ap-reliability"
    assert found["criteria"]
    for one in found["criteria"]:
        assert (one["copies"], one["coalition"]) == (agent_id(ORIGINAL), None)
        assert (one["copied"]["both"], one["copied"]["differed"]) == (CLAIMS, DIFFERED)
        assert one["independence"] == pytest.approx(DIFFERED / one["copied"]["expected"], abs=1e-4)
        assert (
            f"Under {one['criterion']} its verdicts weigh {one['independence']:.4f} of their full weight: of {CLAIMS} "
            f"claims that {agent_id(ORIGINAL)} has judged as well it differs on {DIFFERED}, where "
            f"{one['copied']['expected']:.1f} are to be expected."
        ) in found["reason"]

    original = (await ask(client, WHY_LESS, {"agent": agent_id(ORIGINAL)}))["agent"]["reputationDetails"]
    assert original["reason"] == ""
    assert all(one["copied"] is None and one["independence"] == 1.0 for one in original["criteria"])
    report = await audited(FolderNode(await export_node(platform, tmp_path / "export")), auditor_store)
    assert [finding.line for finding in report.findings] == []
    assert report.checked["epochs"] == 1
