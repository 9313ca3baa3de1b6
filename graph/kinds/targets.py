"""Checks that the targets of a message are stored here and are as the message says (docs/requests.md)."""

from a2ap.messages.endorsement import Endorsement
from a2ap.messages.policy import Policy
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse
from graph.errors import TargetError
from graph.kinds.state import State, StatementRecord


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


def check_endorsement(message: Endorsement, state: State) -> None:
    """Raise `TargetError` unless another agent is endorsed, by the hash of its registration."""
    if message.endorsed_agent == message.envelope.agent_id:
        raise TargetError(f"{message.endorsed_agent} endorses itself", "endorsedAgent")
    registration = state.agents.get(message.endorsed_agent)
    if registration is None:
        raise TargetError(f"agent {message.endorsed_agent} is not registered", "endorsedAgent")
    if message.target_hash != registration:
        raise TargetError(
            f"the registration of {message.endorsed_agent} is {registration} here, not {message.target_hash}",
            "targetHash",
        )


def check_seeds(message: Policy, state: State) -> None:
    """Raise `TargetError` unless every seed is registered: an agent that took its name later would become a seed."""
    for index, seed in enumerate(message.seeds):
        if seed not in state.agents:
            raise TargetError(
                f"agent {seed} is not registered, and the policy would trust whoever takes that name", f"seeds[{index}]"
            )


def check_source_names(message: ProvenanceStatement) -> None:
    """Raise if a source has a hash as its name: the graph keeps sources under hash or name alike."""
    for index, segment in enumerate(message.evidence):
        if segment.document_hash is None and segment.source_document.startswith("sha256:"):
            raise TargetError(
                f"{segment.source_document} is a hash, which documentHash states", f"evidence[{index}].sourceDocument"
            )


def check_references(message: ProvenanceStatement, state: State) -> None:
    """Raise `TargetError` if a statement refers to one that is not stored here, or not under that id and hash."""
    for path, references in (("supports", message.supports), ("contradicts", message.contradicts)):
        for index, reference in enumerate(references):
            find_statement(reference.id, reference.target_hash, state, f"{path}[{index}]")
    revised = message.was_revision_of
    if revised is not None:
        find_statement(revised.id, revised.target_hash, state, "prov:wasRevisionOf")
