"""The conditions for accepting a retraction: its target is the agent's own message, and not retracted yet."""

from a2ap.messages.envelope import MessageType
from a2ap.messages.retraction import Retraction
from graph.errors import ConflictError, ForbiddenError, TargetError
from graph.kinds.state import GoldDisputeRecord, GoldRecord, State, StatementRecord, VerdictRecord


def check_retraction(message: Retraction, state: State) -> None:
    """Raise unless the target is stored here under this id and hash, is the agent's own, and is not retracted."""
    target = _target(message, state)
    agent = message.envelope.agent_id
    if target.agent_id != agent:
        raise ForbiddenError(
            f"{message.target_message} is by {target.agent_id}, and {agent} retracts it", "retractingAgent"
        )
    known = state.retracted.get(message.target_hash)
    if known is not None:
        raise ConflictError(f"{message.target_message} is already retracted, by {known}", "targetMessage")


def _target(message: Retraction, state: State) -> StatementRecord | VerdictRecord | GoldRecord | GoldDisputeRecord:
    name = message.target_hash
    match message.target_type:
        case MessageType.STATEMENT:
            statement = state.statements.get(name)
            if statement is not None and statement.statement_id == message.target_message:
                return statement
        case MessageType.VERIFICATION_RESPONSE:
            verdict = state.verdicts.get(name)
            if verdict is not None and verdict.verification_id == message.target_message:
                return verdict
        case MessageType.GOLD_LABEL:
            label = state.gold_labels.get(name)
            if label is not None and label.label_id == message.target_message:
                return label
        case _:
            dispute = state.gold_disputes.get(name)
            if dispute is not None and dispute.dispute_id == message.target_message:
                return dispute
    raise TargetError(
        f"no {message.target_type.wire} {message.target_message} with the hash {message.target_hash} is here",
        "targetMessage",
    )
