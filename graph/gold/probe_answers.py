"""Reads the verifiers' answers to probes from the graph: each answer as it was signed when it was logged."""

from collections.abc import AsyncIterator, Sequence

from a2ap.messages.finding import FindingStatus
from a2ap.messages.verification_response import Verdict
from graph.gold.probe_record import ProbeAnswer, ProbeRecord, probe_records
from graph.scoring.judgements import operators_of, policy_in_force
from graph.scoring.reading import StoreReader
from graph.scoring.votes import seeded_identities
from graph.store import Row, Store

PAGE = 500


async def probe_records_of(store: Store, agents: Sequence[str]) -> dict[str, ProbeRecord]:
    """Return the record of each of these agents on probes; an agent that has seen none has an empty record."""
    answers: list[ProbeAnswer] = []
    async for rows in _pages(store, sorted(set(agents))):
        answers += await _answers(store, rows)
    found = probe_records(answers)
    return {agent: found.get(agent, ProbeRecord()) for agent in agents}


async def _pages(store: Store, agents: Sequence[str]) -> AsyncIterator[list[Row]]:
    after = -1
    while rows := await store.read("probe_answers_of", ids=list(agents), after=after, first=PAGE):
        after = rows[-1]["log_index"]
        yield rows


async def _answers(store: Store, rows: Sequence[Row]) -> list[ProbeAnswer]:
    """Return the answers of a page to probes with a label in force, except those of the author's own side."""
    statements = sorted({row["statement"] for row in rows})
    labels = [row for row in await store.read("observed_labels", hashes=statements) if row["probe"]]
    own_side = await _own_side(store, rows)
    return [
        _answer(row, label)
        for row in rows
        for label in labels
        if label["statement"] == row["statement"] and (row["verifier"], row["author"]) not in own_side
    ]


async def _own_side(store: Store, rows: Sequence[Row]) -> set[tuple[str, str]]:
    """Return the pairs of verifier and author that are one agent, or count for the same seed."""
    reader = StoreReader(store)
    seeds = (await policy_in_force(reader)).seeds
    operators = await operators_of(reader, sorted({row[name] for row in rows for name in ("verifier", "author")}))
    known = {agent: seeded_identities(agent, own, seeds) for agent, own in operators.items()}
    pairs = {(row["verifier"], row["author"]) for row in rows}
    return {(verifier, author) for verifier, author in pairs if not known[verifier].isdisjoint(known[author])}


def _answer(row: Row, label: Row) -> ProbeAnswer:
    findings = zip(row["finding_criteria"], row["finding_statuses"], strict=True)
    return ProbeAnswer(
        verifier=row["verifier"],
        statement=row["statement"],
        criterion=label["criterion"],
        right=label["passes"],
        verdict=Verdict(row["verdict"]),
        findings=tuple((name, FindingStatus(status)) for name, status in findings),
        log_index=row["log_index"],
    )
