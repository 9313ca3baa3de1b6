"""The checks of verdicts, declines and answers to challenges: the messages that they name are stored and as stated."""

from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.reference import Reference
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_response import Verdict, VerificationResponse
from graph.errors import ForbiddenError, RefusedError, TargetError
from graph.kinds.state import RequestRecord, State, StatementRecord, VerdictRecord
from graph.kinds.targets import find_statement


def check_response(message: VerificationResponse, target: StatementRecord, state: State) -> None:
    """Raise unless the references of a verdict on `target` hold.

    The request is about the same statement, and this agent may answer it; the superseded verdict is this agent's own on
    the same statement; the counter statement is its own and contradicts the target; cross references are to stored
    statements.
    """
    agent = message.envelope.agent_id
    if message.request is not None:
        _check_request(message.request, "request", target, agent, state)
    if message.supersedes is not None:
        _check_superseded(message.supersedes, target, agent, state)
    if message.counter_statement is not None:
        _check_counter_statement(message.counter_statement, target, agent, state)
    for index, reference in enumerate(message.cross_references):
        find_statement(reference.id, reference.target_hash, state, f"crossReferences[{index}]")


def check_reason(message: VerificationResponse) -> None:
    """Raise if a challenge gives no reason: neither as its reason, nor in a finding that is FAIL."""
    if message.verdict is Verdict.CHALLENGED and not message.says_why:
        raise RefusedError(
            f"{message.envelope.id} is {Verdict.CHALLENGED} and says nowhere why: reason is missing or empty, and so "
            "are the words of each finding that is FAIL",
            "reason",
        )


def check_decline(message: VerificationDecline, state: State) -> None:
    """Raise unless the request is stored, is about that statement, and may be answered by this agent."""
    target = find_statement(message.target_statement, message.target_hash, state, "targetStatement")
    request = Reference(message.request, message.request_hash)
    _check_request(request, "request", target, message.envelope.agent_id, state)


def check_answer(message: ChallengeAnswer, state: State) -> None:
    """Raise unless the target is a stored challenge of a statement by the answering agent."""
    verdict = _verdict(Reference(message.target_verification, message.target_hash), "targetVerification", state)
    if verdict.verdict != Verdict.CHALLENGED:
        raise TargetError(
            f"{message.target_verification} is {verdict.verdict}, and a challenge is answered", "targetVerification"
        )
    agent = message.envelope.agent_id
    if verdict.author != agent:
        raise ForbiddenError(
            f"{message.target_verification} challenges a statement of {verdict.author}, and {agent} answers",
            "answeringAgent",
        )


def _check_request(reference: Reference, path: str, target: StatementRecord, agent: str, state: State) -> None:
    request = _request(reference, path, state)
    if request.target_hash != target.signed_hash:
        raise TargetError(f"{reference.id} is about {request.target_hash}, not {target.signed_hash}", path)
    if request.eligible_verifiers is not None and agent not in request.eligible_verifiers:
        raise ForbiddenError(f"{agent} is not among the eligible verifiers of {reference.id}", path)


def _check_superseded(reference: Reference, target: StatementRecord, agent: str, state: State) -> None:
    verdict = _verdict(reference, "supersedes", state)
    if verdict.agent_id != agent:
        raise ForbiddenError(f"{reference.id} is by {verdict.agent_id}, and {agent} supersedes it", "supersedes")
    if verdict.statement != target.signed_hash:
        raise TargetError(
            f"{reference.id} is about {verdict.statement}, and what supersedes it about {target.signed_hash}",
            "supersedes",
        )


def _check_counter_statement(reference: Reference, target: StatementRecord, agent: str, state: State) -> None:
    path = "counterStatement"
    counter = find_statement(reference.id, reference.target_hash, state, path)
    if counter.agent_id != agent:
        raise ForbiddenError(f"{reference.id} is by {counter.agent_id}, not by {agent}", path)
    if target.signed_hash not in state.contradicted.get(counter.signed_hash, ()):
        raise TargetError(f"{reference.id} does not contradict {target.statement_id} ({target.signed_hash})", path)


def _request(reference: Reference, path: str, state: State) -> RequestRecord:
    request = state.requests.get(reference.target_hash)
    if request is None or request.request_id != reference.id:
        raise TargetError(f"no request {reference.id} with the hash {reference.target_hash} is here", path)
    return request


def _verdict(reference: Reference, path: str, state: State) -> VerdictRecord:
    verdict = state.verdicts.get(reference.target_hash)
    if verdict is None or verdict.verification_id != reference.id:
        raise TargetError(f"no verdict {reference.id} with the hash {reference.target_hash} is here", path)
    return verdict
