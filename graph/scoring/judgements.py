"""Reads from the graph what consensus is computed from: the verdicts on statements, operators, the policy."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from a2ap.verification_response import FindingStatus, Verdict
from graph.scoring.consensus import Consensus, ConsensusPolicy, GateState, Judgement, compute_consensus

RETRACTED_STATEMENT = "Its author has retracted it."
SUPERSEDED = "Its author has revised it: another statement takes its place."
UNTRUSTED_AUTHOR = "It is signed with a key that is not trusted where it stands in the log."
CONFLICTED = "Another statement has the same id."


class Reader(Protocol):
    """Something that runs named queries: a transaction, or a store through `graph.scoring.judgements.reading`."""

    async def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run a named query and return its rows."""


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """A statement with everything that its consensus depends on, but the policy."""

    signed_hash: str
    author: str
    author_operators: frozenset[str]
    gate: GateState
    judgements: tuple[Judgement, ...]
    verifications: tuple[str, ...]
    labels: tuple[str | None, ...]
    objections: tuple[str, ...] = ()

    @property
    def only_machine(self) -> bool:
        """Whether nobody but the machine has judged the statement, so that it has no consensus."""
        return all(judgement.machine for judgement in self.judgements)

    def consensus(self, policy: ConsensusPolicy, method: str | None = None) -> Consensus:
        """Return the consensus under this policy, by its method or another."""
        return compute_consensus(
            self.judgements,
            author=self.author,
            author_operators=self.author_operators,
            gate=self.gate,
            policy=policy,
            method=method,
            objections=self.objections,
        )


async def policy_in_force(reader: Reader) -> ConsensusPolicy:
    """Return the last policy in the log; a graph without one gets the defaults, which verify nothing."""
    rows = await reader.run("current_policy")
    if not rows:
        return ConsensusPolicy()
    row = rows[0]
    return ConsensusPolicy(
        threshold=row["threshold"],
        quorum=row["quorum"],
        seeds=frozenset(row["seeds"]),
        method=row["method"],
        criteria=tuple(row["criteria"]),
        unseeded_weight=row["unseeded_weight"],
    )


async def judged_statements(
    reader: Reader, hashes: Sequence[str], up_to: int | None = None
) -> tuple[JudgedStatement, ...]:
    """Return these statements with their verdicts, in the order of `hashes`; those without a verdict are left out.

    With `up_to`, only verdicts up to that log index are seen.
    """
    rows = await reader.run("judgements_of", hashes=list(hashes))
    if up_to is not None:
        rows = [row for row in rows if row["log_index"] <= up_to]
    agents = {row["verifier"] for row in rows} | {row["author"] for row in rows}
    operators = await operators_of(reader, sorted(agents))
    by_statement: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_statement[row["statement"]].append(row)
    return tuple(_judged(name, by_statement[name], operators) for name in dict.fromkeys(hashes) if name in by_statement)


async def operators_of(reader: Reader, agents: Sequence[str]) -> dict[str, frozenset[str]]:
    """Return the operators of each agent: those that endorsed it."""
    operators: defaultdict[str, set[str]] = defaultdict(set)
    if agents:
        for row in await reader.run("endorsers_of", ids=list(agents)):
            operators[row["agent_id"]].add(row["operator"])
    return {agent: frozenset(operators[agent]) for agent in agents}


def _judged(signed_hash: str, rows: Sequence[dict[str, Any]], operators: dict[str, frozenset[str]]) -> JudgedStatement:
    return JudgedStatement(
        signed_hash=signed_hash,
        author=rows[0]["author"],
        author_operators=operators[rows[0]["author"]],
        gate=GateState.of(rows[0]["machine_check"]),
        judgements=tuple(_judgement(row, operators[row["verifier"]]) for row in rows),
        verifications=tuple(row["verification"] for row in rows),
        labels=tuple(row["label"] for row in rows),
        objections=_objections(rows[0]),
    )


def _objections(row: dict[str, Any]) -> tuple[str, ...]:
    """Return why a statement cannot be verified, whatever the verdicts on it."""
    found = (
        (UNTRUSTED_AUTHOR, not row["author_trusted"]),
        (CONFLICTED, row["conflicted"]),
        (RETRACTED_STATEMENT, row["statement_retracted"]),
        (SUPERSEDED, row["superseded_by"] is not None),
    )
    return tuple(sentence for sentence, holds in found if holds)


def _judgement(row: dict[str, Any], operators: frozenset[str]) -> Judgement:
    findings = zip(row["finding_criteria"], row["finding_statuses"], row["finding_confidences"], strict=True)
    return Judgement(
        verifier=row["verifier"],
        operators=operators,
        verdict=Verdict(row["verdict"]),
        confidence=row["confidence"],
        findings=tuple((criterion, FindingStatus(status), sure) for criterion, status, sure in findings),
        log_index=row["log_index"],
        binds=row["binds"],
        machine=row["machine"],
        reputation=row["reputation"],
        trusted=row["key_trusted"],
        retracted=row["retracted"],
    )
