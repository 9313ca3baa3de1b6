"""The messages that are written in a transaction of their own: they change earlier entries, or rules for later ones."""

from a2ap.message import MessageType

ALONE = frozenset(
    {
        MessageType.POLICY,
        MessageType.ADMISSION_POLICY,
        MessageType.KEY_REVOCATION,
        MessageType.LOG_KEY_ROTATION,
        MessageType.REDACTION,
        MessageType.RETRACTION,
    }
)
"""A message that follows one of these in a batch is checked against the changed state."""
