"""Which messages are written in a transaction of their own: they change what came before them, or what may follow."""

from a2ap.message import MessageType

ALONE = frozenset(
    {
        MessageType.POLICY,
        MessageType.ADMISSION_POLICY,
        MessageType.KEY_REVOCATION,
        MessageType.LOG_KEY_ROTATION,
        MessageType.REDACTION,
    }
)
"""What follows one of these in a batch is checked against what it changed."""
