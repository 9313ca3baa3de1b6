"""Verdicts on claims as the platform reads them: operators, standing verdicts, and votes that measure a verifier."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from a2ap.messages.finding import FindingStatus
from a2ap.messages.verification_response import Verdict
from graph.epochs.vote_reading import votes_on
from graph.inference.verdict_vote import VerdictVote
from graph.scoring.consensus import GateState
from graph.scoring.judgements import JudgedStatement
from graph.scoring.posterior import Knowledge, Observation
from graph.scoring.votes import ConsensusPolicy, Judgement

AUTHOR, AUTHORS_OPERATOR = "author", "the author's operator"


def judged_claims(
    given: Iterable[VerdictVote], gold: Mapping[str, bool], policy: ConsensusPolicy
) -> tuple[JudgedStatement, ...]:
    """Return the claims with the verdicts given on them, by name; `gold` has the operator's labels of some claims.

    A verifier's family is the one that it states.
    """
    by_claim: defaultdict[str, list[VerdictVote]] = defaultdict(list)
    for one in given:
        by_claim[one.claim].append(one)
    return tuple(_judged(claim, own, gold.get(claim), policy) for claim, own in sorted(by_claim.items()))


def measuring_votes(
    claims: Iterable[JudgedStatement], gold_since: Mapping[str, int], policy: ConsensusPolicy
) -> list[VerdictVote]:
    """Return the votes that an epoch estimates from; `gold_since` is the log index of each gold label."""
    known_at = {(claim, name): place for claim, place in gold_since.items() for name in policy.criteria}
    return [vote for claim in claims for vote in votes_on(claim, policy, known_at)]


def _judged(claim: str, given: Iterable[VerdictVote], known: bool | None, policy: ConsensusPolicy) -> JudgedStatement:
    given = tuple(given)
    judgements = tuple(_judgement(one) for one in given)
    observed = {} if known is None else dict.fromkeys(policy.criteria, Observation(known, "gold"))
    families = {one.verifier: one.family for one in given if one.family is not None}
    return JudgedStatement(
        signed_hash=claim,
        author=AUTHOR,
        author_operators=frozenset({AUTHORS_OPERATOR}),
        gate=GateState.OPEN,
        judgements=judgements,
        verifications=tuple(str(one.log_index) for one in given),
        labels=(None,) * len(given),
        knowledge=Knowledge(families=families, observed=observed),
    )


def _judgement(given: VerdictVote) -> Judgement:
    status = FindingStatus.PASS if given.passes else FindingStatus.FAIL
    return Judgement(
        verifier=given.verifier,
        operators=frozenset() if given.operator is None else frozenset({given.operator}),
        verdict=Verdict.VALIDATED if given.passes else Verdict.CHALLENGED,
        confidence=given.confidence,
        findings=((given.criterion, status, given.confidence),),
        log_index=given.log_index,
        retracted=not given.stands,
    )
