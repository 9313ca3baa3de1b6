"""Reads the verdicts on a statement that count as votes: one standing answer per verifier and criterion.

The rules (docs/decisions/0025):

1. The machine's verdicts, the author's own, those of verifiers that share an operator with the author, those that do
   not bind their target by hash, and those signed with a key that is not trusted at their place in the log weigh
   nothing.
2. A verifier's latest answer to a criterion stands; its earlier answers are superseded.
3. A challenge counts against the criteria that it faults, and against all that it does not pass if it faults nothing by
   name. Its passes are no votes, and faulting a criterion that the policy does not ask for is none
   (docs/decisions/0025).
4. A verifier counts for one operator, regardless of how many endorsed it. A seed is its own operator, and all
   unendorsed agents have the same one. For an agent that a seed has endorsed, endorsements by others change nothing:
   otherwise an agent that endorses an author and its judges could silence the judges.
5. If an answer is known, a verdict measures its verifier, endorsed or not (docs/decisions/0031). Only the author and
   verifiers that count for a seed for which the author counts too are left out: they may have known the answer.
6. No agent can avoid being measured: an agent that endorses an author no longer weighs anything on its statements, and
   is still estimated by its verdicts on them (docs/decisions/0033).
7. While operators are drawn for a statement, a PASS of an operator that was not drawn when its verdict came informs the
   score, and completes no quorum (docs/decisions/0075).
8. A PASS that came after a FAIL of the same operator, with any of its verifiers, informs the score and outvotes
   nobody: turning a FAIL round costs no record until an epoch has read it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from a2ap.messages.draw_rules import DrawRules
from a2ap.messages.finding import FindingStatus
from a2ap.messages.policy import DEFAULT_CRITERIA, DEFAULT_EPOCH_LENGTH, ConsensusMethod
from a2ap.messages.priors import DEFAULT_PRIORS, Priors
from a2ap.messages.verification_response import Verdict
from graph.scoring.draw import Draw
from graph.scoring.unit import unit

Answer = tuple[FindingStatus, float]
Findings = tuple[tuple[str, FindingStatus, float], ...]


def meaning_of(verdict: Verdict, findings: Findings, criteria: tuple[str, ...]) -> str:
    """Return the meaning of a verdict of this column for the claim (docs/explanation/consensus.md, "Columns")."""
    match verdict:
        case Verdict.VALIDATED:
            return "passes the criteria that it names PASS, each by itself"
        case Verdict.INSUFFICIENT_EVIDENCE:
            return "the evidence decides nothing: an earlier PASS of the verifier is taken back, and only a FAIL counts"
        case Verdict.CHALLENGED if any(found in criteria for found in _faulted(findings)):
            return "counts against the criteria that it names FAIL; a PASS in it is no vote"
        case Verdict.CHALLENGED if _faulted(findings):
            return "names FAIL only criteria that the policy does not ask for, and counts against none of the policy"
        case Verdict.CHALLENGED:
            return "names nothing FAIL, so it counts against all that it does not pass"
        case _:
            return "the statement is not its author's: counts against every criterion"


def answers_of(verdict: Verdict, confidence: float, findings: Findings, criteria: tuple[str, ...]) -> dict[str, Answer]:
    """Return the answers of a verdict, for those of the criteria that it answers."""
    found = {name: (status, unit(sure)) for name, status, sure in findings if name in criteria}
    against = (FindingStatus.FAIL, unit(confidence))
    not_passed = {name: answer for name, answer in found.items() if answer[0] is not FindingStatus.PASS}
    fails = {name: answer for name, answer in found.items() if answer[0] is FindingStatus.FAIL}
    match verdict:
        case Verdict.VALIDATED:
            return found
        case Verdict.INSUFFICIENT_EVIDENCE:
            return dict.fromkeys(criteria, (FindingStatus.INCONCLUSIVE, 0.0)) | fails
        case Verdict.CHALLENGED if _faulted(findings):
            # If these are criteria that the policy does not ask for, it says nothing against those that it does.
            return not_passed
        case Verdict.CHALLENGED:
            # It faults nothing by name, so it faults all that it does not pass, and all if it passes all.
            passed = found.keys() - not_passed.keys()
            return dict.fromkeys([name for name in criteria if name not in passed] or criteria, against)
        case _:
            return dict.fromkeys(criteria, against)


def _faulted(findings: Findings) -> list[str]:
    return [name for name, status, _ in findings if status is FindingStatus.FAIL]


UNTRUSTED_KEY = "signed with a key that is not trusted"
RETRACTED = "retracted by its verifier"
SUPERSEDED = "superseded by a later verdict of the same verifier"
NO_CONCLUSION = "comes to no conclusion"

UNENDORSED = "unendorsed"
"""The one operator of all agents without an endorsement."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One verification response as consensus sees it; `received` is the time of its log entry in microseconds."""

    verifier: str
    operators: frozenset[str]
    verdict: Verdict
    confidence: float
    findings: tuple[tuple[str, FindingStatus, float], ...]
    log_index: int
    binds: bool = True
    machine: bool = False
    reputation: float | None = None
    trusted: bool = True
    retracted: bool = False
    received: int = 0

    @property
    def weighs(self) -> bool:
        """Whether the verdict can weigh anything at all, regardless of its verifier."""
        return self.trusted and not self.retracted


@dataclass(frozen=True, slots=True)
class ConsensusPolicy:
    """The requirements for a verified statement; a quorum below one counts as one.

    `signed_hash` names the policy in the log.
    """

    threshold: float = 0.7
    quorum: int = 2
    seeds: frozenset[str] = frozenset()
    method: str = ConsensusMethod.POSTERIOR
    criteria: tuple[str, ...] = DEFAULT_CRITERIA
    unseeded_weight: float = 0.25
    epoch_length: int = DEFAULT_EPOCH_LENGTH
    priors: Priors = DEFAULT_PRIORS
    draw: DrawRules | None = None
    signed_hash: str = ""


class Purpose(Enum):
    """The purposes of reading verdicts: a score, the estimate of verifiers, or measuring them by a known answer."""

    SCORE = auto()
    ESTIMATE = auto()
    MEASURE = auto()


@dataclass(frozen=True, slots=True)
class Vote:
    """A verifier's standing answer to one criterion; `operator` is None for the unseeded.

    `drawn` is false for an operator that was not drawn for the statement when the verdict came, if any are drawn.
    `reverses` is true for a PASS that came after a FAIL of the same operator, by any verifier, that stands no longer.
    """

    criterion: str
    verifier: str
    operator: str | None
    identities: frozenset[str]
    passes: bool
    confidence: float
    drawn: bool = True
    reverses: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of one verdict: its answers, the criteria on which they stand, and the reason why it gives no vote.

    `meaning` is the meaning of a verdict of its column for the claim; `ignored` is empty if the verdict gives a vote.
    `not_drawn` is the reason why a PASS of it completes no quorum, empty unless operators are drawn for the statement.
    """

    verifier: str
    log_index: int
    verdict: Verdict
    meaning: str
    answers: tuple[tuple[str, FindingStatus, float], ...]
    stands: tuple[str, ...]
    ignored: str
    not_drawn: str = ""


def count_votes(
    judgements: Iterable[Judgement],
    *,
    author: str,
    author_operators: frozenset[str],
    policy: ConsensusPolicy,
) -> tuple[tuple[Vote, ...], tuple[tuple[str, str], ...]]:
    """Return the votes that stand, and the verifiers of the other judgements, each with the reason, in log order."""
    judgements = tuple(judgements)
    readings = read_verdicts(judgements, author=author, author_operators=author_operators, policy=policy)
    ignored = tuple((reading.verifier, reading.ignored) for reading in readings if reading.ignored)
    return votes_in(readings, judgements, policy), ignored


def read_verdicts(
    judgements: Iterable[Judgement],
    *,
    author: str,
    author_operators: frozenset[str],
    policy: ConsensusPolicy,
    purpose: Purpose = Purpose.SCORE,
    draw: Draw | None = None,
) -> tuple[Reading, ...]:
    """Return the reading of each judgement, in log order; rule 5 holds for MEASURE, 6 for ESTIMATE, 7 with a `draw`."""
    judgements = sorted(judgements, key=position, reverse=True)
    known = _operators_known(judgements)
    shared = seeded_identities if purpose is Purpose.MEASURE else _identities
    authors = shared(author, author_operators, policy.seeds)
    identities = {verifier: shared(verifier, own, policy.seeds) for verifier, own in known.items()}
    if purpose is Purpose.ESTIMATE:
        identities = {name: own if name in policy.seeds else own - {name} for name, own in identities.items()}
    answered: dict[str, set[str]] = {}
    readings = []
    for judgement in judgements:
        reason = _reason_to_ignore(judgement, identities[judgement.verifier], author, authors)
        answers = answers_of(judgement.verdict, judgement.confidence, judgement.findings, policy.criteria)
        fresh: dict[str, Answer] = {}
        if not reason:
            standing = answered.setdefault(judgement.verifier, set())
            fresh = {name: answer for name, answer in answers.items() if name not in standing}
            standing.update(fresh)
            reason = _reason_without_vote(answers, fresh)
        readings.append(
            Reading(
                verifier=judgement.verifier,
                log_index=judgement.log_index,
                verdict=judgement.verdict,
                meaning=meaning_of(judgement.verdict, judgement.findings, policy.criteria),
                answers=tuple((name, *answer) for name, answer in answers.items()),
                stands=tuple(fresh),
                ignored=reason,
                not_drawn="" if reason or draw is None else _reason_not_drawn(judgement, fresh, draw, known, policy),
            )
        )
    return tuple(reversed(readings))


def votes_in(readings: Iterable[Reading], judgements: Iterable[Judgement], policy: ConsensusPolicy) -> tuple[Vote, ...]:
    """Return the votes of the readings, by verifier; the judgements give the verifiers' operators."""
    readings = tuple(readings)
    known = _operators_known(judgements)
    operators = {name: operator_of(name, own, policy.seeds) for name, own in known.items()}
    failed_at: dict[tuple[str | None, str], int] = {}
    for reading in sorted(readings, key=lambda reading: -reading.log_index):
        if reading.ignored in ("", RETRACTED, SUPERSEDED, NO_CONCLUSION):
            for criterion, status, _ in reading.answers:
                if criterion not in reading.stands and status is FindingStatus.FAIL:
                    failed_at[operators[reading.verifier], criterion] = reading.log_index
    return tuple(
        Vote(
            criterion=criterion,
            verifier=reading.verifier,
            operator=operators[reading.verifier],
            identities=_identities(reading.verifier, known[reading.verifier], policy.seeds),
            passes=status is FindingStatus.PASS,
            confidence=confidence,
            drawn=not reading.not_drawn,
            reverses=status is FindingStatus.PASS
            and failed_at.get((operators[reading.verifier], criterion), reading.log_index) < reading.log_index,
        )
        for reading in sorted(readings, key=lambda reading: reading.verifier)
        for criterion, status, confidence in reading.answers
        if criterion in reading.stands and status is not FindingStatus.INCONCLUSIVE
    )


def _operators_known(judgements: Iterable[Judgement]) -> dict[str, frozenset[str]]:
    known: dict[str, frozenset[str]] = {}
    for judgement in judgements:
        known[judgement.verifier] = known.get(judgement.verifier, frozenset()) | judgement.operators
    return known


def _reason_to_ignore(judgement: Judgement, own: frozenset[str], author: str, authors: frozenset[str]) -> str:
    if not judgement.trusted:
        return UNTRUSTED_KEY
    if judgement.retracted:
        return RETRACTED
    if judgement.machine:
        return "the machine's check opens the gate and is not a vote"
    if judgement.verifier == author:
        return "the author's own verdict"
    if shared := own & authors:
        return f"shares the operator {min(shared)} with the author"
    if not judgement.binds:
        return "does not name its target by hash"
    return ""


def _reason_without_vote(answers: dict[str, Answer], fresh: dict[str, Answer]) -> str:
    if not answers:
        return "answers none of the policy's criteria"
    if not fresh:
        return SUPERSEDED
    if all(status is FindingStatus.INCONCLUSIVE for status, _ in fresh.values()):
        return NO_CONCLUSION
    return ""


def _reason_not_drawn(
    judgement: Judgement,
    fresh: dict[str, Answer],
    draw: Draw,
    known: dict[str, frozenset[str]],
    policy: ConsensusPolicy,
) -> str:
    """Return the reason why the standing passes of a verdict complete no quorum; empty if they may."""
    operator = operator_of(judgement.verifier, known[judgement.verifier], policy.seeds)
    if operator is None or all(status is not FindingStatus.PASS for status, _ in fresh.values()):
        return ""
    return draw.reason_against(operator, judgement.log_index, judgement.received)


def eligible_operators(author: str, author_operators: frozenset[str], seeds: frozenset[str]) -> frozenset[str]:
    """Return the seeds whose verdicts on statements of this author have weight."""
    return seeds - _identities(author, author_operators, seeds)


def _identities(agent: str, operators: frozenset[str], seeds: frozenset[str]) -> frozenset[str]:
    """Return the agent and the operators that it may not share with an author."""
    if agent in seeds:
        return frozenset({agent})
    return ((operators & seeds) or operators or frozenset({UNENDORSED})) | {agent}


def seeded_identities(agent: str, operators: frozenset[str], seeds: frozenset[str]) -> frozenset[str]:
    """Return the agent and the seeds that it counts for."""
    return frozenset({agent}) if agent in seeds else (operators & seeds) | {agent}


def operator_of(agent: str, operators: frozenset[str], seeds: frozenset[str]) -> str | None:
    """Return the one seeded operator an agent counts for: itself if seeded, else the least identifier, else None."""
    if agent in seeds:
        return agent
    return min((operators & seeds) - {UNENDORSED}, default=None)


def position(judgement: Judgement) -> tuple[Any, ...]:
    """Return the place in the log; judgements that share one, which no log has, are told apart by their content."""
    return (
        judgement.log_index,
        judgement.verifier,
        judgement.verdict,
        judgement.confidence,
        judgement.findings,
        judgement.binds,
        judgement.machine,
        -1.0 if judgement.reputation is None else judgement.reputation,
        judgement.trusted,
        judgement.retracted,
        judgement.received,
    )
