"""The fifteen types of events of §03, and the effect of each on the state that a chain is replayed into.

The specification only names them; their effects here are written down in docs/reference/passports.md. A type of another
namespace is kept and does nothing.
"""

import re
from enum import StrEnum

# Upstream 2.0 §3.3; `fullmatch`, so that a line feed at the end is not let through.
_FORM = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")


class Effect(StrEnum):
    """The effect of a record on the state."""

    APPLIES = "applies"  # its output, memory and variables become part of the state
    OBSERVES = "observes"  # nothing: it says something about the state
    RESTORES = "restores"  # the state of an earlier record comes back
    HIDES = "hides"  # the payload of another record is shown no more, and is left out of every state


class EventType(StrEnum):
    """The type of an event, as it is written."""

    COMMIT = "commit"
    FORK = "fork"
    CHECKPOINT = "checkpoint"
    REVERT = "revert"
    BRANCH = "branch"
    MERGE = "merge"
    SPAWN = "spawn"
    RETRY = "retry"
    TIMEOUT = "timeout"
    ERROR = "error"
    OVERRIDE = "override"
    CONSENT = "consent"
    ESCALATE = "escalate"
    REDACT = "redact"
    AUDIT = "audit"


EFFECTS: dict[EventType, Effect] = {
    EventType.COMMIT: Effect.APPLIES,
    EventType.FORK: Effect.APPLIES,
    EventType.CHECKPOINT: Effect.APPLIES,
    EventType.REVERT: Effect.RESTORES,
    EventType.BRANCH: Effect.APPLIES,
    EventType.MERGE: Effect.APPLIES,
    EventType.SPAWN: Effect.APPLIES,
    EventType.RETRY: Effect.APPLIES,
    EventType.TIMEOUT: Effect.OBSERVES,
    EventType.ERROR: Effect.OBSERVES,
    EventType.OVERRIDE: Effect.APPLIES,
    EventType.CONSENT: Effect.OBSERVES,
    EventType.ESCALATE: Effect.OBSERVES,
    EventType.REDACT: Effect.HIDES,
    EventType.AUDIT: Effect.OBSERVES,
}

# §03: null for checkpoint or audit events.
WITHOUT_RECIPIENT = frozenset({EventType.CHECKPOINT, EventType.AUDIT})


def effect_of(name: str | None) -> Effect:
    """Return the effect of an event of this type; one of an unknown type does nothing."""
    return EFFECTS[EventType(name)] if name in EFFECTS else Effect.OBSERVES


def is_event_name(name: str) -> bool:
    """Say whether a text can be the type of an event, one of ours or not."""
    return _FORM.fullmatch(name) is not None


def is_namespaced(name: str) -> bool:
    """Say whether a name is in somebody's namespace, as `myorg.custom_type` is (§02-06)."""
    namespace, dot, rest = name.partition(".")
    return bool(namespace and dot and rest)
