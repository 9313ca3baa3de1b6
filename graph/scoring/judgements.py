"""Reads the inputs of consensus from the graph: the verdicts on statements, operators, the policy."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from a2ap.messages.draw_rules import DrawRules
from a2ap.messages.finding import FindingStatus
from a2ap.messages.policy import DEFAULT_EPOCH_LENGTH
from a2ap.messages.priors import DEFAULT_PRIORS, Priors
from a2ap.messages.verification_response import Verdict
from graph.scoring.consensus import (
    NOTHING_KNOWN,
    NOTHING_REQUESTED,
    Consensus,
    ConsensusPolicy,
    GateState,
    Judgement,
    Knowledge,
    compute_consensus,
    explain_consensus,
    observed_with,
)
from graph.scoring.draw import DrawFacts
from graph.scoring.draw_reading import draw_facts_of
from graph.scoring.knowledge import Reader, knowledge_of
from graph.scoring.posterior import Observation

__all__ = ["JudgedStatement", "Reader", "judged_statements", "operators_of", "policy_in_force"]

RETRACTED_STATEMENT = "Its author has retracted it."
SUPERSEDED = "Its author has revised it: another statement takes its place."
UNTRUSTED_AUTHOR = "It is signed with a key that is not trusted where it stands in the log."
PRIOR_NAMES = ("claim", "trusted", "endorsed", "unknown")
FALSE_PROBE = "It was a probe: the operator made it to be false, to see which verifiers would notice."
CONFLICTED = "Another statement has the same id."


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """A statement with all inputs of its consensus except the policy.

    `objections` are sentences that give reasons against its verification regardless of the verdicts.
    """

    signed_hash: str
    author: str
    author_operators: frozenset[str]
    gate: GateState
    judgements: tuple[Judgement, ...]
    verifications: tuple[str, ...]
    labels: tuple[str | None, ...]
    objections: tuple[str, ...] = ()
    knowledge: Knowledge = NOTHING_KNOWN
    facts: DrawFacts = NOTHING_REQUESTED

    @property
    def only_machine(self) -> bool:
        """Whether only the machine has judged the statement, so that it has no consensus."""
        return all(judgement.machine for judgement in self.judgements)

    def consensus(self, policy: ConsensusPolicy, method: str | None = None) -> Consensus:
        """Return the consensus under this policy, by `method` if it is given."""
        return self._weighed(compute_consensus, policy, method)

    def observed(self, policy: ConsensusPolicy) -> Mapping[str, Observation]:
        """Return the known answers, by criterion: gold in force, and the machine's FAIL."""
        return observed_with(self.knowledge, self.gate, policy).observed

    def explained(self, policy: ConsensusPolicy, method: str | None = None) -> Consensus:
        """Return the same consensus with the score without each verifier."""
        return self._weighed(explain_consensus, policy, method)

    def _weighed(self, weigh: Callable[..., Consensus], policy: ConsensusPolicy, method: str | None) -> Consensus:
        return weigh(
            self.judgements,
            author=self.author,
            author_operators=self.author_operators,
            gate=self.gate,
            policy=policy,
            method=method,
            objections=self.objections,
            knowledge=self.knowledge,
            facts=self.facts,
        )


async def policy_in_force(reader: Reader) -> ConsensusPolicy:
    """Return the last policy in the log; a graph without one gets the defaults, which verify no statement."""
    rows = await reader.run("current_policy")
    if not rows:
        return ConsensusPolicy()
    return policy_of(rows[0])


def policy_of(row: dict[str, Any]) -> ConsensusPolicy:
    """Return the policy of a row of `current_policy`; an older graph's row gets defaults for fields that it lacks."""
    return ConsensusPolicy(
        threshold=row["threshold"],
        quorum=row["quorum"],
        seeds=frozenset(row["seeds"]),
        method=row["method"],
        criteria=tuple(row["criteria"]),
        unseeded_weight=row["unseeded_weight"],
        epoch_length=row["epoch_length"] or DEFAULT_EPOCH_LENGTH,
        priors=_priors_of(row) if row["prior_claim"] else DEFAULT_PRIORS,
        draw=_draw_rules_of(row),
        signed_hash=row["signed_hash"],
    )


def _draw_rules_of(row: dict[str, Any]) -> DrawRules | None:
    if row["draw_operators"] is None:
        return None
    return DrawRules(row["draw_operators"], row["draw_from"], row["draw_window"])


def _priors_of(row: dict[str, Any]) -> Priors:
    pairs = {name: (row[f"prior_{name}"][0], row[f"prior_{name}"][1]) for name in PRIOR_NAMES}
    return Priors(**pairs, family_correlation=row["family_correlation"])


async def judged_statements(
    reader: Reader, hashes: Sequence[str], up_to: int | None = None, policy: ConsensusPolicy | None = None
) -> tuple[JudgedStatement, ...]:
    """Return these statements with their verdicts, in the order of `hashes`; those without a verdict are left out.

    With `up_to`, only messages up to that log index are read. Knowledge besides the verdicts is read only for a
    `policy`, and requests and declines only for one that draws operators.
    """
    rows = await reader.run("judgements_of", hashes=list(hashes))
    if up_to is not None:
        rows = [row for row in rows if row["log_index"] <= up_to]
    agents = {row["verifier"] for row in rows} | {row["author"] for row in rows}
    operators = await operators_of(reader, sorted(agents), up_to)
    by_statement: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_statement[row["statement"]].append(row)
    found = tuple(
        _judged(name, by_statement[name], operators) for name in dict.fromkeys(hashes) if name in by_statement
    )
    if policy is None or not found:
        return found
    verifiers = {one.signed_hash: {judgement.verifier for judgement in one.judgements} for one in found}
    seeded = {name for row in rows for name in (row["verifier"], *operators[row["verifier"]])} & policy.seeds
    known = await knowledge_of(reader, verifiers, seeded, policy.criteria)
    facts = await draw_facts_of(reader, list(verifiers), policy, up_to)
    return tuple(
        replace(one, knowledge=known[one.signed_hash], facts=facts.get(one.signed_hash, NOTHING_REQUESTED))
        for one in found
    )


async def operators_of(reader: Reader, agents: Sequence[str], up_to: int | None = None) -> dict[str, frozenset[str]]:
    """Return the operators of each agent: those that endorsed it, up to a log index if one is given."""
    operators: defaultdict[str, set[str]] = defaultdict(set)
    if agents:
        for row in await reader.run("endorsers_of", ids=list(agents)):
            if up_to is None or row["log_index"] <= up_to:
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
    """Return the reasons against the verification of a statement regardless of the verdicts on it."""
    found = (
        (UNTRUSTED_AUTHOR, not row["author_trusted"]),
        (CONFLICTED, row["conflicted"]),
        (RETRACTED_STATEMENT, row["statement_retracted"]),
        (SUPERSEDED, row["superseded_by"] is not None),
        (FALSE_PROBE, row["probe_passes"] is False),
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
        received=row["received_micros"],
    )
