"""The score that follows from the messages of a bundle, by the same functions that score the graph."""

from collections import defaultdict

from a2ap.bundle.bundled_message import BundledMessage, Score, VerifiedMessages
from a2ap.bundle.standing import retracts, supersedes
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.policy import ConsensusMethod, Policy
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_response import VerificationResponse
from graph.audit.bundle_knowledge import is_false_probe, knowledge_in
from graph.kinds.verification import MACHINE_CHECK_OF_VERDICT
from graph.scoring.consensus import NOTHING_REQUESTED, ConsensusPolicy, GateState, Judgement, draw_for
from graph.scoring.judgements import (
    CONFLICTED,
    FALSE_PROBE,
    RETRACTED_STATEMENT,
    SUPERSEDED,
    UNTRUSTED_AUTHOR,
    JudgedStatement,
)


def weigh_bundle(bundle: VerifiedMessages) -> Score | None:
    """Return the score, 0 if only the machine judged; None if the bundle lacks anything that the score rests on."""
    policy = _policy(bundle)
    statement = bundle.statement
    judgements = tuple(_judgements(bundle))
    if all(judgement.machine for judgement in judgements):
        return score_of(policy.method, 0.0, False)
    knowledge = knowledge_in(bundle, {judgement.verifier for judgement in judgements if not judgement.machine})
    if policy.method == ConsensusMethod.LITERAL or knowledge is None:
        return None
    author, author_operators = statement.entry.agent, _operators(bundle)[statement.entry.agent]
    if draw_for(author, author_operators, NOTHING_REQUESTED, policy) is not None:
        # A bundle has no requests and declines, by which operators are drawn.
        return None
    judged = JudgedStatement(
        signed_hash=statement.entry.signed_hash,
        author=author,
        author_operators=author_operators,
        gate=GateState.of(_machine_check(bundle)),
        judgements=judgements,
        verifications=(),
        labels=(),
        objections=_objections(bundle),
        knowledge=knowledge,
    )
    found = judged.consensus(policy)
    return score_of(found.method, found.score, found.verified)


def score_of(method: str, score: float, verified: bool) -> Score:
    """Return a score in the form of bundles: four decimals."""
    return Score(str(method), f"{score:.4f}", verified)


def _policy(bundle: VerifiedMessages) -> ConsensusPolicy:
    # The policy of a peer is not in force here.
    policies = [
        one.message for one in bundle.messages if isinstance(one.message, Policy) and one.entry.peer_origin is None
    ]
    if not policies:
        return ConsensusPolicy()
    last = policies[-1]
    return ConsensusPolicy(
        threshold=last.threshold,
        quorum=last.quorum,
        seeds=frozenset(last.seeds),
        method=last.method,
        criteria=last.criteria,
        unseeded_weight=last.unseeded_weight,
        epoch_length=last.epoch_length,
        priors=last.priors,
        draw=last.draw,
        signed_hash=last.envelope.signed_hash,
    )


def _operators(bundle: VerifiedMessages) -> defaultdict[str, frozenset[str]]:
    found: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for one in bundle.messages:
        if isinstance(one.message, Endorsement) and bundle.trusted.get(one.entry.signed_hash):
            found[one.message.endorsed_agent] |= {one.entry.agent}
    return found


def _verdicts(bundle: VerifiedMessages) -> list[tuple[BundledMessage, VerificationResponse]]:
    """Return the verdicts on the statement, in log order."""
    statement = bundle.statement.entry
    return [
        (one, one.message)
        for one in bundle.messages
        if isinstance(one.message, VerificationResponse)
        and (one.message.target_hash or statement.signed_hash) == statement.signed_hash
        and one.message.target_statement == statement.id
    ]


def _judgements(bundle: VerifiedMessages) -> list[Judgement]:
    operators = _operators(bundle)
    return [
        Judgement(
            verifier=one.entry.agent,
            operators=operators[one.entry.agent],
            verdict=verdict.verdict,
            confidence=verdict.confidence,
            findings=tuple((finding.criterion, finding.status, finding.confidence) for finding in verdict.findings),
            log_index=one.entry.log_index,
            binds=verdict.target_hash is not None,
            machine=one.entry.agent == bundle.home,
            trusted=bundle.trusted.get(one.entry.signed_hash, False),
            retracted=_is_retracted(one, bundle),
        )
        for one, verdict in _verdicts(bundle)
    ]


def _machine_check(bundle: VerifiedMessages) -> str | None:
    found = [verdict.verdict for one, verdict in _verdicts(bundle) if one.entry.agent == bundle.home]
    return MACHINE_CHECK_OF_VERDICT[found[-1]] if found else None


def _objections(bundle: VerifiedMessages) -> tuple[str, ...]:
    statement = bundle.statement
    others = [
        one
        for one in bundle.messages
        if isinstance(one.message, ProvenanceStatement) and one.entry.signed_hash != statement.entry.signed_hash
    ]
    found = (
        (UNTRUSTED_AUTHOR, not bundle.trusted.get(statement.entry.signed_hash)),
        (CONFLICTED, any(one.entry.id == statement.entry.id for one in others)),
        (RETRACTED_STATEMENT, _is_retracted(statement, bundle)),
        (FALSE_PROBE, is_false_probe(bundle)),
        (SUPERSEDED, any(supersedes(one, statement, bundle) for one in others)),
    )
    return tuple(sentence for sentence, holds in found if holds)


def _is_retracted(target: BundledMessage, bundle: VerifiedMessages) -> bool:
    return any(retracts(one, target, bundle) for one in bundle.messages)
