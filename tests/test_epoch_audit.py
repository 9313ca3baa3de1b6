"""An auditor estimates each epoch again, and names the numbers that the entries before it do not give."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from audited import audited, export_node
from builders import agent_id, epoch_message, signed_response, signed_statement
from key_world import by_node
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, VERIFIER_B, accept, settle

from a2ap.messages.epoch import CopyEvidence, CriterionModel, Estimate, OperatorRecord
from a2ap.messages.policy import DEFAULT_CRITERIA
from graph.audit.epochs import differences
from graph.audit.folder_node import FolderNode
from graph.audit.report import FindingKind
from graph.epochs.estimating import estimate_table
from graph.platform import Platform
from graph.scoring.judgements import policy_in_force
from graph.scoring.reading import StoreReader
from graph.store import Store

__all__ = ["platform"]

SOURCE = DEFAULT_CRITERIA[0]


async def with_epoch(
    platform: Platform,
    models: Sequence[CriterionModel] = (),
    records: Sequence[OperatorRecord] | None = None,
    **changes: Any,
) -> None:
    """Have a statement judged, and an epoch written that says the truth but for these and its first estimate."""
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, signed_response(statement, VERIFIER_A), signed_response(statement, VERIFIER_B))
    reader = StoreReader(platform.store)
    policy = await policy_in_force(reader)
    table = await estimate_table(reader, policy, platform.log.size)
    assert table is not None
    first, *others = table.estimates
    said: list[Estimate] = [replace(first, **changes), *others]
    message = epoch_message(
        issuing_agent=platform.node.agent_id,
        log_size=platform.log.size,
        policy=policy.signed_hash,
        calibration=table.calibration,
        estimates=said,
        models=models or table.models,
        records=table.records if records is None else records,
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
    await with_epoch(platform, sensitivity=(999.0, 1.0), coalition=0.25)
    size = platform.log.size - 1
    report = await audited(FolderNode(await export_node(platform, tmp_path / "export")), auditor_store)
    number, evidence = report.findings
    assert {(finding.kind, finding.log_index) for finding in report.findings} == {(FindingKind.EPOCH, size)}
    assert "is 999.0000, 1.0000; the entries before it give" in number.what
    assert "is 0.2500; the entries before it give 0.0000" in evidence.what


async def test_invented_models_and_records_of_operators_are_found(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    even = [CriterionModel(name, (0.5,), (0.5,), 0.0) for name in sorted(DEFAULT_CRITERIA)]
    invented = OperatorRecord(agent_id(VERIFIER_A), SOURCE, (((99.0, 1.0), (99.0, 1.0)),))
    await with_epoch(platform, models=[replace(even[0], common_error=0.1), *even[1:]], records=[invented])
    report = await audited(FolderNode(await export_node(platform, tmp_path / "export")), auditor_store)
    assert [finding.what for finding in report.findings] == [
        "the epoch's models are not those of the verdicts before it",
        f"the record of {agent_id(VERIFIER_A)} under {SOURCE} is not that of the verdicts before it",
    ]


SEEN = Estimate("v", "logic", (9.0, 3.0), (8.0, 2.0), 40, 0.25, "w", CopyEvidence(40, 2, 8.0), 0.5)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({}, None),
        ({"copied": CopyEvidence(40, 2, 8.00009), "coalition": 0.50009}, None),
        ({"copied": None, "coalition": None}, None),  # an earlier node's
        (
            {"copied": CopyEvidence(40, 0, 8.0)},
            "v is said to differ under logic from w on 0 of 40 claims where 8.0000 are expected; "
            "the entries before it give 2 of 40 claims where 8.0000 are expected",
        ),
        (
            {"copied": CopyEvidence(41, 2, 8.0)},
            "v is said to differ under logic from w on 2 of 41 claims where 8.0000 are expected; "
            "the entries before it give 2 of 40 claims where 8.0000 are expected",
        ),
        (
            {"copied": CopyEvidence(40, 2, 9.0)},
            "v is said to differ under logic from w on 2 of 40 claims where 9.0000 are expected; "
            "the entries before it give 2 of 40 claims where 8.0000 are expected",
        ),
        ({"copies": "x"}, "v is said to repeat x under logic, and repeats w"),
        ({"coalition": 0.75}, "the coalition of v under logic is 0.7500; the entries before it give 0.5000"),
    ],
)
def test_invented_evidence_of_a_copy_is_found(changes: dict[str, Any], problem: str | None) -> None:
    key = (SEEN.agent, SEEN.criterion)
    found = list(differences({key: replace(SEEN, **changes)}, {key: SEEN}))
    assert found == ([] if problem is None else [problem])


def test_a_copy_that_the_log_does_not_give_is_found() -> None:
    key = (SEEN.agent, SEEN.criterion)
    honest = replace(SEEN, copies=None, copied=None, coalition=None)
    assert list(differences({key: SEEN}, {key: honest})) == [
        "v is said to repeat w under logic, and repeats None",
        "the coalition of v under logic is 0.5000; the entries before it give 0.0000",
    ]
