"""Retractions: an agent takes back its own message, which is not retracted yet (docs/how-to/retraction.md)."""

from a2ap.log.entry import LogEntry
from a2ap.messages.envelope import MessageType
from a2ap.messages.retraction import Retraction
from graph.errors import ConflictError, ForbiddenError, TargetError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.signatures import signing_key
from graph.kinds.state import GoldDisputeRecord, GoldRecord, State, StatementRecord, VerdictRecord
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Rows
from graph.retention.retractions import retraction_row


def _names(message: Retraction, wanted: WantedNames) -> None:
    wanted.target_ids.add(message.target_message)
    wanted.targets.add(message.target_hash)
    wanted.gold.add(message.target_hash)
    wanted.gold_disputes.add(message.target_hash)


def _check(message: Retraction, state: State, _terms: Terms) -> None:
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


def _record(message: Retraction, state: State, _has_proof: bool) -> None:
    state.retracted.setdefault(message.target_hash, message.envelope.id)


def _add_rows(rows: Rows, message: Retraction, entry: LogEntry, state: State, _content: StoredContent) -> None:
    rows.add("write_retractions", retraction_row(message, entry, signing_key(message, state)))


RETRACTION = Kind(
    Retraction,
    agent_member="retractingAgent",
    mutation=("retract", "Retract the agent's own statement, verdict, gold label or dispute (a2ap:Retraction)."),
    from_peers=True,
    names=_names,
    check=_check,
    record=_record,
    add_rows=_add_rows,
    writes=("write_retractions",),
)


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
