"""Checks whether data that was read during writes equals the state that the log gives at one size.

Neither engine keeps a snapshot across queries. Messages that only add, above all verdicts and endorsements, are left
out by their log index when they are read. Messages that change earlier data cannot be left out: the reader looks for
them afterwards, and reads again if some have arrived.
"""

from collections.abc import Sequence

from a2ap.messages.message import MessageType
from graph.scoring.knowledge import Reader

ADDS_ONLY = frozenset(
    kind.value
    for kind in (
        MessageType.STATEMENT,
        MessageType.VERIFICATION_REQUEST,
        MessageType.VERIFICATION_RESPONSE,
        MessageType.VERIFICATION_DECLINE,
        MessageType.CHALLENGE_ANSWER,
        MessageType.AGENT_REGISTRATION,
        MessageType.SOURCE_REGISTRATION,
        MessageType.RECORD_REGISTRATION,
        MessageType.ENDORSEMENT,
    )
)
"""Kinds of messages that change neither earlier verdicts nor the agents that gave them."""


async def has_changed(reader: Reader, size: int, now: int) -> bool:
    """Return whether entries from `size` to `now`, exclusive, changed the effect of earlier verdicts.

    A verdict of the machine on an earlier statement does, because the gate is cached on the statement.
    """
    if now <= size:
        return False
    kinds = await reader.run("kinds_between", start=size, end=now)
    if not ADDS_ONLY.issuperset(row["type"] for row in kinds):
        return True
    return bool(await reader.run("looked_at_again", start=size, end=now))


async def has_displaced(reader: Reader, hashes: Sequence[str], size: int, now: int) -> bool:
    """Return whether a statement from `size` to `now`, exclusive, revises one of these or has the id of another.

    Neither changes a verdict, but a statement that was revised or has a twin is no longer verified.
    """
    return now > size and bool(await reader.run("displacing_between", hashes=list(hashes), start=size, end=now))
