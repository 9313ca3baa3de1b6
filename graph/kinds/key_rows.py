"""Rows of the graph for messages about keys and admission: the `$rows` of each write query."""

import json
from typing import Any

from a2ap.log.entry import LogEntry
from a2ap.messages.admission_policy import AdmissionPolicy
from a2ap.messages.key_events import KeyMessage
from a2ap.messages.key_history import AgentDeactivated, KeyAdded, KeyEvent, KeyRevoked
from a2ap.messages.key_registration import KeyRegistration
from a2ap.times import format_instant

Row = dict[str, Any]


def key_message_rows(message: KeyMessage, entry: LogEntry, event: KeyEvent) -> list[tuple[str, Row]]:
    """Return the rows of an accepted message about keys, each with its query."""
    found = [("write_key_events", _event_row(message, entry, event))]
    match event:
        case KeyAdded() if isinstance(message, KeyRegistration):
            found.append(("write_key_registrations", _key_row(message, entry, event)))
            found += [
                ("write_retired_keys", {"key_id": name, "retired_at": entry.log_index}) for name in event.replaces
            ]
        case AgentDeactivated():
            found.append(("write_deactivations", {"agent_id": event.agent_id, "log_index": entry.log_index}))
        case _:
            pass
    return found


def admission_policy_row(message: AdmissionPolicy, entry: LogEntry) -> Row:
    """Return the row of an admission policy."""
    return {
        "policy_id": entry.id,
        "signed_hash": entry.signed_hash,
        "issued_at": format_instant(message.envelope.time),
        "mode": message.mode.value,
        "allowed_agents": list(message.allowed_agents),
        "invitations": list(message.invitations),
        # As it was said: a member that it does not name may have another default in another version.
        "quotas": json.dumps(said, sort_keys=True) if (said := message.envelope.document.get("quotas")) else None,
        "log_index": entry.log_index,
    }


def _event_row(message: KeyMessage, entry: LogEntry, event: KeyEvent) -> Row:
    return {
        "signed_hash": entry.signed_hash,
        "message_id": entry.id,
        "type": entry.type,
        "agent_id": event.agent_id,
        "key_id": None if isinstance(event, AgentDeactivated) else event.key_id,
        "signed_by": event.signed_by,
        "authority": event.authority.value,
        "replaces": list(event.replaces) if isinstance(event, KeyAdded) else [],
        "reason": None if isinstance(message, KeyRegistration) else message.reason,
        "not_trusted_since": event.not_trusted_since if isinstance(event, KeyRevoked) else None,
        "log_index": entry.log_index,
        "issued_at": format_instant(message.envelope.time),
    }


def _key_row(message: KeyRegistration, entry: LogEntry, event: KeyAdded) -> Row:
    return {
        "agent_id": event.agent_id,
        "key_id": event.key_id,
        "public_key": message.public_key.did_key,
        "alias": message.alias,
        "signed_by": event.signed_by,
        "recovery_key_hash": message.recovery_key_hash,
        "log_index": entry.log_index,
    }
