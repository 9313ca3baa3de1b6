"""An auditor estimates each epoch again, and names the numbers that the entries before it do not give."""

from dataclasses import replace
from pathlib import Path

from audited import audited, auditor_store, export_node
from builders import epoch_message, signed_response, signed_statement
from key_world import by_node
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, VERIFIER_B, accept, settle

from a2ap.epoch import Estimate
from graph.audit.folder_node import FolderNode
from graph.audit.report import FindingKind
from graph.epochs.estimating import estimate_table
from graph.platform import Platform
from graph.scoring.judgements import policy_in_force
from graph.scoring.reading import StoreReader
from graph.store import Store

__all__ = ["auditor_store", "platform"]


async def with_epoch(platform: Platform, *, sensitivity: tuple[float, float] | None = None) -> None:
    """Have a statement judged, and an epoch written that says the truth but for one number, if one is given."""
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, signed_response(statement, VERIFIER_A), signed_response(statement, VERIFIER_B))
    reader = StoreReader(platform.store)
    policy = await policy_in_force(reader)
    table = await estimate_table(reader, policy, platform.log.size)
    assert table is not None
    first, *others = table.estimates
    said: list[Estimate] = [first if sensitivity is None else replace(first, sensitivity=sensitivity), *others]
    message = epoch_message(
        issuing_agent=platform.node.agent_id,
        log_size=platform.log.size,
        policy=policy.signed_hash,
        calibration=table.calibration,
        estimates=said,
    )
    await accept(platform, by_node(platform, message))


async def test_an_epoch_that_the_log_gives_is_no_finding(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await with_epoch(platform)
    report = await audited(FolderNode(await export_node(platform, tmp_path / "export")), auditor_store)
    assert [finding.line for finding in report.findings] == []
    assert report.checked["epochs"] == 1


async def test_a_wrong_number_in_an_epoch_is_found_and_the_scores_still_follow_from_it(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await with_epoch(platform, sensitivity=(999.0, 1.0))
    size = platform.log.size - 1
    report = await audited(FolderNode(await export_node(platform, tmp_path / "export")), auditor_store)
    (finding,) = report.findings
    assert (finding.kind, finding.log_index) == (FindingKind.EPOCH, size)
    assert "is 999.0000, 1.0000; the entries before it give" in finding.what
