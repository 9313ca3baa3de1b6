"""Reads from the graph what verifiers answered to probes."""

from collections.abc import Sequence

from a2ap.verification_response import FindingStatus, Verdict
from graph.gold.probe_record import ProbeAnswer, ProbeRecord, probe_records
from graph.store import Row, Store


async def probe_records_of(store: Store, agents: Sequence[str]) -> dict[str, ProbeRecord]:
    """Return how each of these agents did on probes; one that has seen none has a record of nothing."""
    rows = await store.read("probe_answers_of", ids=list(agents))
    found = probe_records(map(_answer, rows))
    return {agent: found.get(agent, ProbeRecord()) for agent in agents}


def _answer(row: Row) -> ProbeAnswer:
    findings = zip(row["finding_criteria"], row["finding_statuses"], strict=True)
    return ProbeAnswer(
        verifier=row["verifier"],
        statement=row["statement"],
        criterion=row["criterion"],
        right=row["passes"],
        verdict=Verdict(row["verdict"]),
        findings=tuple((name, FindingStatus(status)) for name, status in findings),
        log_index=row["log_index"],
    )
