"""Finds the stored messages that a message names, and checks that they are as the message says.

See docs/how-to/requests.md.
"""

from a2ap.messages.reference import Reference
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse
from graph.errors import ForbiddenError, TargetError
from graph.kinds.state import RequestRecord, State, StatementRecord, VerdictRecord


def target_of(message: VerificationRequest | VerificationResponse, state: State) -> StatementRecord:
    """Return the statement that a request or response is about; raise `TargetError` if that is not clear.

    With `targetHash`, id and hash must name the same statement. Without it (the form of A2AP §2.2 and §2.3)
    the id must stand for one statement only.
    """
    return find_statement(message.target_statement, message.target_hash, state, "targetStatement")


def judged_statement(message: VerificationRequest | VerificationResponse, state: State) -> StatementRecord | None:
    """Return the statement that an accepted request or response is about, None if a rebuild leaves it out."""
    hashes = [message.target_hash] if message.target_hash else state.statement_ids.get(message.target_statement, [])
    return state.statements.get(hashes[0]) if hashes else None


def find_statement(statement_id: str, target_hash: str | None, state: State, path: str) -> StatementRecord:
    """Return the statement with this id and, if given, this hash of signed bytes."""
    hashes = state.statement_ids.get(statement_id, [])
    if target_hash is not None:
        record = state.statements.get(target_hash)
        if record is not None and record.statement_id == statement_id:
            return record
        if hashes:
            raise TargetError(f"{statement_id} is {hashes[0]} here, not {target_hash}", path)
        raise TargetError(f"statement {statement_id} is not known here", path)
    if len(hashes) == 1:
        return state.statements[hashes[0]]
    if not hashes:
        raise TargetError(f"statement {statement_id} is not known here", path)
    raise TargetError(f"{statement_id} stands for {len(hashes)} statements; targetHash must name one", path)


def find_verdict(reference: Reference, path: str, state: State) -> VerdictRecord:
    """Return the verdict with this id and this hash of signed bytes."""
    verdict = state.verdicts.get(reference.target_hash)
    if verdict is None or verdict.verification_id != reference.id:
        raise TargetError(f"no verdict {reference.id} with the hash {reference.target_hash} is here", path)
    return verdict


def check_request_for(target: StatementRecord, reference: Reference, agent: str, state: State) -> None:
    """Raise unless the request is stored, is about the statement `target`, and may be answered by this agent."""
    request = _find_request(reference, state)
    if request.target_hash != target.signed_hash:
        raise TargetError(f"{reference.id} is about {request.target_hash}, not {target.signed_hash}", "request")
    if request.eligible_verifiers is not None and agent not in request.eligible_verifiers:
        raise ForbiddenError(f"{agent} is not among the eligible verifiers of {reference.id}", "request")


def _find_request(reference: Reference, state: State) -> RequestRecord:
    request = state.requests.get(reference.target_hash)
    if request is None or request.request_id != reference.id:
        raise TargetError(f"no request {reference.id} with the hash {reference.target_hash} is here", "request")
    return request
