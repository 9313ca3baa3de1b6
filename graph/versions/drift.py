"""Compares two versions of an agent by their verdicts on the same statements (docs/explanation/versions.md).

Compared are the verdicts that count (bound to their target, with a trusted key, not retracted), of each agent the last
one on a statement. Calibration is that of each on the statements that both have judged:

- against labels: the verdict's confidence, beside whether it turned out right (`graph.scoring.reputation`);
- against consensus: how likely the verdict makes the claim, beside the settled consensus. The verdicts of both are part
  of that consensus.
"""

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from a2ap.messages.verification_response import Verdict
from graph.errors import InputError, NotFoundError
from graph.scoring.votes import ConsensusPolicy
from graph.store import Store
from graph.versions.agreement import Calibration, agreements_in, cohens_kappa

MAX_STATEMENTS = 100_000
"""Maximum number of statements judged by the first agent that are examined for one response."""

_PAGE = 5_000


class Against(StrEnum):
    """The references with which a calibration compares confidences."""

    LABELS = "LABELS"
    CONSENSUS = "CONSENSUS"


@dataclass(frozen=True, slots=True)
class Standing:
    """The verdict of an agent on a statement that stands: its last."""

    signed_hash: str
    verdict: Verdict
    confidence: float
    label: str | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two verdicts on one statement, which is the log entry `log_index`."""

    statement: str
    log_index: int
    verified: bool
    consensus_score: float | None
    one: Standing
    other: Standing


@dataclass(slots=True)
class Drift:
    """The comparison of two agents; `complete` is False if they judged more statements than were examined."""

    statements: int = 0
    complete: bool = True
    counts: Counter[tuple[Verdict, Verdict]] = field(default_factory=Counter)
    calibrations: tuple[dict[Against, Calibration], dict[Against, Calibration]] = field(
        default_factory=lambda: (
            {against: Calibration() for against in Against},
            {against: Calibration() for against in Against},
        )
    )

    @property
    def agreements(self) -> int:
        """The number of statements on which both conclude the same."""
        return agreements_in(self.counts)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of the verdicts."""
        return cohens_kappa(self.counts)

    def add(self, pair: Pair, threshold: float) -> None:
        """Count one statement."""
        self.statements += 1
        self.counts[pair.one.verdict, pair.other.verdict] += 1
        settled = _settled(pair, threshold)
        for calibration, standing in zip(self.calibrations, (pair.one, pair.other), strict=True):
            if standing.label is not None:
                calibration[Against.LABELS].add(standing.confidence, standing.label == "RIGHT")
            if settled is not None and standing.verdict is not Verdict.INSUFFICIENT_EVIDENCE:
                calibration[Against.CONSENSUS].add(_likelihood(standing), settled)


@dataclass(frozen=True, slots=True)
class SharedClaim:
    """A claim that both have made: the signed hash of each one's last statement, and whether the evidence is equal."""

    claim: str
    one: str
    other: str
    same_evidence: bool


async def compare_versions(store: Store, one: str, other: str) -> Drift:
    """Compare the verdicts of two agents on the same statements.

    Raises `NotFoundError` for an agent that is not registered and `InputError` for one compared with itself.
    """
    await check_agents(store, one, other)
    policies = await store.read("current_policy")
    threshold = policies[0]["threshold"] if policies else ConsensusPolicy().threshold
    drift, seen = Drift(), 0
    async for statements, pairs in _pages(store, one, other, -1):
        seen += statements
        for pair in pairs:
            drift.add(pair, threshold)
        if seen >= MAX_STATEMENTS:
            drift.complete = False
            break
    return drift


async def changed_verdicts(store: Store, one: str, other: str, *, first: int, after: int = -1) -> list[Pair]:
    """Return the first statements after a log index on which the two conclude otherwise, in log order."""
    changed: list[Pair] = []
    async for _, pairs in _pages(store, one, other, after):
        changed += [pair for pair in pairs if pair.one.verdict is not pair.other.verdict]
        if len(changed) >= first:
            break
    return changed[:first]


async def shared_claims(store: Store, one: str, other: str, *, first: int, after: str = "") -> list[SharedClaim]:
    """Return claims that both have made, in the order of their words, those after `after`."""
    rows = await store.read("claims_of_both", one=one, other=other, first=first, after=after)
    makers: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:
        makers.setdefault(row["claim"], {})[row["agent"]] = row
    return [
        SharedClaim(
            claim=claim,
            one=made[one]["signed_hash"],
            other=made[other]["signed_hash"],
            same_evidence=made[one]["content_hash"] == made[other]["content_hash"],
        )
        for claim, made in makers.items()
    ]


async def check_agents(store: Store, one: str, other: str) -> None:
    """Raise unless these are two registered agents."""
    if one == other:
        raise InputError(f"{one} is compared with itself", "b")
    known = {row["agent_id"] for row in await store.read("agents_known", ids=[one, other])}
    for agent in (one, other):
        if agent not in known:
            raise NotFoundError(f"no agent {agent} is registered")


async def _pages(store: Store, one: str, other: str, after: int) -> AsyncIterator[tuple[int, list[Pair]]]:
    """Yield the number of statements that the first agent judged, page by page, and both agents' verdicts on them."""
    while judged := await store.read("judged_by", agent=one, after=after, first=_PAGE):
        after = judged[-1]["log_index"]
        hashes = [row["signed_hash"] for row in judged]
        rows = await store.read("verdicts_of_both", hashes=hashes, agents=[one, other])
        yield len(judged), _pairs(rows, one, other)


def _pairs(rows: Sequence[Mapping[str, Any]], one: str, other: str) -> list[Pair]:
    standing: dict[str, dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        standing.setdefault(row["statement"], {})[row["agent"]] = row
    return [
        Pair(
            statement=statement,
            log_index=last[one]["statement_index"],
            verified=bool(last[one]["verified"]),
            consensus_score=last[one]["consensus_score"],
            one=_standing(last[one]),
            other=_standing(last[other]),
        )
        for statement, last in standing.items()
        if len(last) == 2
    ]


def _standing(row: Mapping[str, Any]) -> Standing:
    return Standing(row["signed_hash"], Verdict(row["verdict"]), row["confidence"], row["label"])


def _settled(pair: Pair, threshold: float) -> bool | None:
    """Return whether the consensus holds the claim to be right or wrong; None in between."""
    if pair.verified:
        return True
    if pair.consensus_score is not None and pair.consensus_score <= 1.0 - threshold:
        return False
    return None


def _likelihood(standing: Standing) -> float:
    return standing.confidence if standing.verdict is Verdict.VALIDATED else 1.0 - standing.confidence
