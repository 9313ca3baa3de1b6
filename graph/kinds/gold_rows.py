"""Rows of gold labels, disputes and probes for their write queries."""

from a2ap.log.entry import LogEntry
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel, Label
from a2ap.messages.probe import Probe
from a2ap.times import format_instant
from graph.kinds.signatures import signing_key
from graph.kinds.state import State
from graph.log.row_lists import Row


def gold_row(message: GoldLabel | GoldDispute | Probe, entry: LogEntry, state: State) -> tuple[str, Row]:
    """Return the query that writes one of these messages, and its row."""
    common = {
        "signed_hash": entry.signed_hash,
        "message_id": entry.id,
        "agent_id": entry.agent,
        "at": format_instant(message.envelope.time),
        "key_id": signing_key(message, state),
        "log_index": entry.log_index,
    }
    match message:
        case GoldLabel():
            return "write_gold_labels", common | _label(message, entry, state)
        case GoldDispute():
            return "write_gold_disputes", common | _dispute(message, state)
        case Probe():
            return "write_probes", common | {"commitments": list(message.commitments)}


def _label(message: GoldLabel, entry: LogEntry, state: State) -> Row:
    probe = message.probe
    return {
        "target_hash": message.target_hash,
        "criterion": message.criterion,
        "passes": message.label is Label.PASS,
        "reason": message.reason,
        "answers": list(message.answers),
        "probe": probe is not None,
        "commitment": None if probe is None else probe.commitment,
        "salt": None if probe is None else probe.salt,
        "own": entry.agent == state.node_agent,
    }


def _dispute(message: GoldDispute, state: State) -> Row:
    return {
        "label_hash": message.target_hash,
        "statement": state.gold_labels[message.target_hash].statement,
        "reason": message.reason,
        "evidence": list(message.evidence),
    }
