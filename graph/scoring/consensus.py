"""Compute the consensus on one statement by any method: its score, and the reasons why it is not verified.

All methods but `a2ap-0.1` count the same verdicts as the same votes (`graph.scoring.votes`). The scores are computed by
`graph.scoring.posterior`, the default, `graph.scoring.quorum`, `graph.scoring.literal` and `graph.scoring.comparison`.
Nothing here depends on a clock, a database or chance.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from a2ap.messages.policy import ConsensusMethod
from graph.scoring.comparison import score_shares
from graph.scoring.draw import Draw, DrawFacts
from graph.scoring.leave_one_out import PosteriorTally, QuorumTally, ShareTally, Tally, scores_without_each
from graph.scoring.literal import weigh_literally
from graph.scoring.posterior import Knowledge, Observation, score_posterior, statement_score
from graph.scoring.quorum import score_criteria
from graph.scoring.result import Consensus, Contribution, CriterionConsensus, GateState
from graph.scoring.votes import (
    ConsensusPolicy,
    Judgement,
    Vote,
    eligible_operators,
    operator_of,
    read_verdicts,
    votes_in,
)

__all__ = [
    "Consensus",
    "ConsensusMethod",
    "ConsensusPolicy",
    "CriterionConsensus",
    "GateState",
    "Judgement",
    "Knowledge",
    "compute_consensus",
    "draw_for",
    "explain_consensus",
    "observed_with",
    "score_criteria",
]

NOTHING_KNOWN = Knowledge()
NOTHING_REQUESTED = DrawFacts()
MACHINE_FOUND = "the machine found that the evidence is not as stated"
_CHECKED_BY_MACHINE = "source-accuracy"


def compute_consensus(
    judgements: Iterable[Judgement],
    *,
    author: str,
    author_operators: frozenset[str],
    gate: GateState,
    policy: ConsensusPolicy,
    method: str | None = None,
    default_reputation: float = 0.5,
    objections: Sequence[str] = (),
    knowledge: Knowledge = NOTHING_KNOWN,
    facts: DrawFacts = NOTHING_REQUESTED,
) -> Consensus:
    """Compute the consensus on the judgements of one statement by `method`, by default the policy's.

    The order of the judgements does not matter. `default_reputation` is the reputation that `a2ap-0.1` gives an agent
    without one: §4.3 does not say, the upstream code takes 0.5. `objections` are sentences that give reasons against
    verification regardless of the verdicts, for example that the key is not trusted. `knowledge` is the information
    about the verifiers and the claim besides the verdicts, `facts` the requests and declines that draw operators.
    Raises ValueError for a method that is not a `ConsensusMethod`.
    """
    judgements = tuple(judgements)
    chosen = ConsensusMethod(method or policy.method)
    if chosen is ConsensusMethod.LITERAL:
        return weigh_literally(judgements, default_reputation, objections)
    draw = draw_for(author, author_operators, facts, policy)
    readings = read_verdicts(judgements, author=author, author_operators=author_operators, policy=policy, draw=draw)
    votes = votes_in(readings, judgements, policy)
    knowledge = observed_with(knowledge, gate, policy) if chosen is ConsensusMethod.POSTERIOR else knowledge
    per_criterion = _with_volunteers(_score(votes, policy, chosen, knowledge), votes, draw)
    score, interval = statement_score(votes, per_criterion)
    lacking = (*objections, *_name_what_lacks(votes, per_criterion, gate, policy, draw))
    return Consensus(
        score=score,
        verified=not lacking,
        method=chosen,
        per_criterion=per_criterion,
        counted=tuple(sorted({vote.verifier for vote in votes})),
        ignored=tuple((reading.verifier, reading.ignored) for reading in readings if reading.ignored),
        reasons=lacking,
        interval=interval,
        readings=readings,
        policy_hash=policy.signed_hash,
        epoch=knowledge.table.log_size if chosen is ConsensusMethod.POSTERIOR else None,
    )


def explain_consensus(
    judgements: Iterable[Judgement],
    *,
    author: str,
    author_operators: frozenset[str],
    gate: GateState,
    policy: ConsensusPolicy,
    method: str | None = None,
    objections: Sequence[str] = (),
    knowledge: Knowledge = NOTHING_KNOWN,
    facts: DrawFacts = NOTHING_REQUESTED,
) -> Consensus:
    """Return the same consensus with the score without each verifier that counts, as an explanation."""
    judgements = tuple(judgements)
    found = compute_consensus(
        judgements,
        author=author,
        author_operators=author_operators,
        gate=gate,
        policy=policy,
        method=method,
        objections=objections,
        knowledge=knowledge,
        facts=facts,
    )
    if found.method is ConsensusMethod.LITERAL:
        return found
    votes = votes_in(found.readings, judgements, policy)
    if found.method is ConsensusMethod.POSTERIOR:
        knowledge = observed_with(knowledge, gate, policy)
    without = scores_without_each(
        votes,
        policy,
        {entry.criterion: entry.score for entry in found.per_criterion},
        {entry.criterion: entry.score > 0 for entry in found.per_criterion if entry.observed},
        partial(_tally, policy=policy, method=found.method, knowledge=knowledge),
    )
    contributions = tuple(Contribution(verifier, without[verifier]) for verifier in found.counted)
    return replace(found, contributions=contributions)


def _tally(votes: Sequence[Vote], policy: ConsensusPolicy, method: ConsensusMethod, knowledge: Knowledge) -> Tally:
    match method:
        case ConsensusMethod.POSTERIOR:
            return PosteriorTally(votes, policy, knowledge)
        case ConsensusMethod.MAJORITY:
            return ShareTally(votes)
        case ConsensusMethod.WAWA:
            return ShareTally(votes, knowledge.skills)
        case _:
            return QuorumTally(votes, policy)


def _score(
    votes: Sequence[Vote], policy: ConsensusPolicy, method: ConsensusMethod, knowledge: Knowledge
) -> tuple[CriterionConsensus, ...]:
    match method:
        case ConsensusMethod.POSTERIOR:
            return score_posterior(votes, policy, knowledge)
        case ConsensusMethod.MAJORITY:
            return score_shares(votes, policy)
        case ConsensusMethod.WAWA:
            return score_shares(votes, policy, knowledge.skills)
        case _:
            return score_criteria(votes, policy)


def draw_for(author: str, author_operators: frozenset[str], facts: DrawFacts, policy: ConsensusPolicy) -> Draw | None:
    """Return the draw for a statement of this author; None if the policy draws nobody or too few are eligible."""
    if policy.draw is None:
        return None
    declines = (
        (operator, one.log_index, one.received)
        for one in facts.declines
        if (operator := operator_of(one.agent, one.operators, policy.seeds)) is not None
    )
    eligible = eligible_operators(author, author_operators, policy.seeds)
    return Draw.among(eligible, policy.draw, facts.request, declines)


def _with_volunteers(
    per_criterion: tuple[CriterionConsensus, ...], votes: Sequence[Vote], draw: Draw | None
) -> tuple[CriterionConsensus, ...]:
    if draw is None:
        return per_criterion
    passes = [vote for vote in votes if vote.passes and vote.operator is not None]
    drawn = {(vote.criterion, vote.operator) for vote in passes if vote.drawn}
    others = {(vote.criterion, str(vote.operator)) for vote in passes} - drawn
    return tuple(
        replace(one, volunteers=tuple(sorted(operator for name, operator in others if name == one.criterion)))
        for one in per_criterion
    )


def observed_with(knowledge: Knowledge, gate: GateState, policy: ConsensusPolicy) -> Knowledge:
    """Return the knowledge with the machine's FAIL: the machine compares the source, and nothing overrules it."""
    if gate is not GateState.CLOSED:
        return knowledge
    checked = [name for name in policy.criteria if name == _CHECKED_BY_MACHINE] or policy.criteria
    found = dict.fromkeys(checked, Observation(False, MACHINE_FOUND))
    return replace(knowledge, observed={**knowledge.observed, **found})


def _name_what_lacks(
    votes: Sequence[Vote],
    per_criterion: Sequence[CriterionConsensus],
    gate: GateState,
    policy: ConsensusPolicy,
    draw: Draw | None,
) -> tuple[str, ...]:
    reasons = []
    if draw is not None and draw.request is None:
        reasons.append("Nobody has requested its verification without bounds, so that no operators are drawn.")
    if not per_criterion:
        reasons.append("The policy names no criterion.")
    elif not votes:
        reasons.append("No verdict that counts has been given.")
    else:
        quorum = max(policy.quorum, 1)
        for entry in per_criterion:
            if not entry.quorum_met:
                passed = len(entry.operators_for)
                operators = "operators" if draw is None else "drawn operators"
                reasons.append(f"{entry.criterion} has been passed by {passed} of {quorum} {operators}.")
            if entry.is_contested and not entry.observed:
                failed = len(entry.contested_by)
                reasons.append(
                    f"{entry.criterion} is failed by operators that known claims have tested, and no more of these "
                    "pass it."
                    if entry.is_contested_by_tested
                    else f"{entry.criterion} is passed by fewer than two operators for each one that fails it "
                    f"({failed})."
                )
            if entry.observed and not entry.score:
                reasons.append(f"{entry.criterion} does not hold: {entry.observed}.")
            elif not entry.score >= policy.threshold:
                reasons.append(f"{entry.criterion} scores {entry.score:.4f}, below {policy.threshold:.4f}.")
            elif entry.carried is not None and not entry.carried >= policy.threshold:
                reasons.append(
                    f"{entry.criterion} scores {entry.carried:.4f} from even odds, below {policy.threshold:.4f}: most "
                    "claims are right, and the verdicts on this one say too little."
                )
    if gate is GateState.CLOSED:
        reasons.append("The machine found that the evidence is not as stated.")
    elif gate is GateState.UNKNOWN:
        reasons.append("The machine could not check the evidence.")
    return tuple(reasons)
