"""One run on a leased request: the statement is fetched, its signature checked, its sources read, the criteria judged.

Nothing is signed here. The result is a record with the verdict in it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from a2ap.errors import SignatureError
from a2ap.messages.finding import FindingStatus
from a2ap.messages.verdict import confidence_of, verdict_of
from a2ap.messages.verification_response import Verdict
from a2ap.times import format_instant
from a2ap.verifier.criteria import Judgement, Panel
from a2ap.verifier.errors import DeclineError
from a2ap.verifier.fetching import Fetching
from a2ap.verifier.findings import ACCURACY, failed, reason_of
from a2ap.verifier.material import Material
from a2ap.verifier.packs import JudgedRun, Packs
from a2ap.verifier.records import RunRecord, bytes_read
from a2ap.verifier.task import Task


@dataclass(frozen=True, slots=True)
class Bench:
    """The equipment of a verifier: its fetching, its criteria, and the place for packs if runs are kept as packs."""

    fetching: Fetching
    panel: Panel
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    packs: Packs | None


def run(task: Task, bench: Bench) -> RunRecord:
    """Judge the statement of a request, and return the record of the run; its Context Pack is kept first.

    Raises DeclineError if it cannot be judged here, RetryError, BudgetError, and the errors of a client.
    """
    # 1. The statement, and its signature.
    statement = bench.fetching.statement(task.statement_id, task.statement_hash)
    wanted = tuple(name for name in bench.panel.names if name in task.criteria)
    if not wanted:
        raise DeclineError(f"none of {', '.join(task.criteria)} is judged here")
    try:
        bench.fetching.check_signature(statement)
    except SignatureError as error:
        findings = (failed(ACCURACY, str(error), 1.0),)
        return _record(task, bench, Material(statement, {}), Judgement(findings), Verdict.INVALID_SIGNATURE)
    # 2. Its sources, and the judgement by them.
    material = bench.fetching.material(statement)
    judgement = bench.panel.judge(material, wanted)
    if all(finding.status is FindingStatus.INCONCLUSIVE for finding in judgement.findings) and not material.sources:
        missing = ", ".join(material.missing) or "a source"
        raise DeclineError(f"{missing} cannot be read here, and nothing can be said without it")
    return _record(task, bench, material, judgement, verdict_of(judgement.findings))


def _record(task: Task, bench: Bench, material: Material, judgement: Judgement, verdict: Verdict) -> RunRecord:
    findings = judgement.findings
    judged = JudgedRun(
        at=format_instant(bench.clock()),
        method=bench.panel.method,
        material=material,
        versions=bench.panel.versions([one.criterion for one in findings if one.criterion in bench.panel.criteria]),
        asked=judgement.asked,
        findings=findings,
        verdict=verdict,
        confidence=confidence_of(findings),
        deterministic=not judgement.asked,
    )
    return _record_of(task, bench, judged, None if bench.packs is None else bench.packs.keep(judged))


def _record_of(task: Task, bench: Bench, judged: JudgedRun, pack_hash: str | None) -> RunRecord:
    findings, statement = tuple(judged.findings), judged.material.statement
    return RunRecord(
        response_id=bench.new_id(),
        judged_at=judged.at,
        request_id=task.request_id,
        request_hash=task.request_hash,
        requester=task.requester,
        statement_id=task.statement_id,
        statement_hash=task.statement_hash,
        method=judged.method,
        criteria=tuple(finding.criterion for finding in findings),
        versions=judged.versions,
        read=bytes_read(judged.material),
        asked=tuple(judged.asked),
        verdict=judged.verdict,
        confidence=judged.confidence,
        findings=findings,
        reason=None if judged.verdict is Verdict.VALIDATED else reason_of(findings),
        model_bytes=bench.panel.model_bytes,
        pack=pack_hash,
        # It limits the readers of the pack.
        boundary=None if pack_hash is None else bench.fetching.boundary(statement).value,
        claim=statement.claim.text,
    )
