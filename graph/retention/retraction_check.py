"""What a retraction must satisfy: it is of something that its own agent said, and that is not retracted yet."""

from a2ap.envelope import MessageType
from a2ap.retraction import Retraction
from graph.errors import ConflictError, ForbiddenError, TargetError
from graph.log.state import State, StatementRecord, VerdictRecord


def check_retraction(message: Retraction, state: State) -> None:
    """Raise unless the target is here under this id and hash, is the agent's own, and is not retracted."""
    target = _target(message, state)
    agent = message.envelope.agent_id
    if target.agent_id != agent:
        raise ForbiddenError(
            f"{message.target_message} is by {target.agent_id}, and {agent} retracts it", "retractingAgent"
        )
    known = state.retracted.get(message.target_hash)
    if known is not None:
        raise ConflictError(f"{message.target_message} is already retracted, by {known}", "targetMessage")


def _target(message: Retraction, state: State) -> StatementRecord | VerdictRecord:
    if message.target_type is MessageType.STATEMENT:
        statement = state.statements.get(message.target_hash)
        if statement is not None and statement.statement_id == message.target_message:
            return statement
    else:
        verdict = state.verdicts.get(message.target_hash)
        if verdict is not None and verdict.verification_id == message.target_message:
            return verdict
    raise TargetError(
        f"no {message.target_type.wire} {message.target_message} with the hash {message.target_hash} is here",
        "targetMessage",
    )
