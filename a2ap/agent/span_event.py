"""The link from a span of OpenTelemetry to the statements that an agent makes within it: an event on the span.

OpenTelemetry is not imported: in a process that has not imported it there is no span.
"""

import sys

from a2ap.client.answers import Receipt
from a2ap.messages.envelope import MessageType

EVENT = "a2ap.statement"
STATEMENT_ID = "a2ap.statement.id"
STATEMENT_HASH = "a2ap.statement.hash"
LOG_INDEX = "a2ap.log.index"


def note_statement(receipt: Receipt) -> None:
    """Add an event with the statement of a receipt to the current span, if there is one that is recorded."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None or receipt.type != MessageType.STATEMENT:
        return
    span = trace.get_current_span()
    if span.is_recording():
        about = {STATEMENT_ID: receipt.id, STATEMENT_HASH: receipt.signed_hash, LOG_INDEX: receipt.log_index}
        span.add_event(EVENT, about)
