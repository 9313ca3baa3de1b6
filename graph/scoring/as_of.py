"""Whether what was read while others wrote is what the log made of it up to one size.

Neither engine keeps a snapshot across queries. What only adds, verdicts and endorsements above all, is left out by its
place in the log where it is read. What changes what was there before is not: who reads looks for it afterwards, and
reads again where some has come.
"""

from collections.abc import Sequence

from a2ap.message import MessageType
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
"""Kinds of messages that change nothing about the verdicts before them, nor about who gave these."""


async def has_changed(reader: Reader, size: int, now: int) -> bool:
    """Say whether entries from `size` to `now`, left out, changed what the verdicts before them amount to.

    A verdict of the machine on a statement from before does, because the gate is cached on the statement.
    """
    if now <= size:
        return False
    kinds = await reader.run("kinds_between", start=size, end=now)
    if not ADDS_ONLY.issuperset(row["type"] for row in kinds):
        return True
    return bool(await reader.run("looked_at_again", start=size, end=now))


async def has_displaced(reader: Reader, hashes: Sequence[str], size: int, now: int) -> bool:
    """Say whether a statement from `size` to `now`, left out, revises one of these, or has the id of another.

    Neither changes a verdict, and a statement that was revised or has a twin is verified no more.
    """
    return now > size and bool(await reader.run("displacing_between", hashes=list(hashes), start=size, end=now))
