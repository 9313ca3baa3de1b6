"""Changes of the log's key, as messages that the node signs.

The order: (1) the next key is in its file; (2) the rotation is an entry of the log; (3) the next key's file takes the
name of the first; (4) the checkpoint over the rotation is signed with it. A crash after (1) leaves an unused key that
the next rotation takes; after (2), the next process that signs finds the key in its file and goes on with (3).
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from a2ap.log.log_key import build_succession
from a2ap.messages.log_key_rotation import build_log_key_rotation
from a2ap.messages.message import Message
from graph.errors import RefusedError
from graph.log.entry import Outcome
from graph.node import Node
from graph.submission.submission import Submission
from graph.transparency.log import Log

Append = Callable[[Sequence[Submission]], Awaitable[list[Outcome]]]

_ATTEMPTS = 20


def first_log_key(node: Node, log: Log, now: datetime) -> Message:
    """Return the message that names the key of a log that has none, signed by that key and by the node."""
    key = log.signers.first()
    note = build_succession(node.origin, key, log.size, log.signers.signer_of(key))
    return _rotation(node, note, now)


def log_key_rotation(node: Node, log: Log, now: datetime) -> Message:
    """Return the message that hands the log, as it is now, to the next key; the key is made if there is none."""
    next_key, _ = log.signers.next()
    note = build_succession(node.origin, next_key, log.size, log.signers.signer_of(log.verifier_key))
    return _rotation(node, note, now)


async def ensure_log_key(node: Node, log: Log, append: Append, clock: Callable[[], datetime]) -> None:
    """Name the first key of a log that has none, unless another server is quicker; raises the refusal of the entry."""
    await _append(log, append, lambda: first_log_key(node, log, clock()) if log.keys is None else None)


async def rotate_log_key(node: Node, log: Log, append: Append, clock: Callable[[], datetime]) -> None:
    """Hand the log to its next key."""
    await _append(log, append, lambda: log_key_rotation(node, log, clock()))


async def _append(log: Log, append: Append, make: Callable[[], Message | None]) -> None:
    """Append the message made for the present log, if any; if others append meanwhile, it is made again."""
    for _ in range(_ATTEMPTS):
        await log.refresh()
        message = await asyncio.to_thread(make)
        if message is None:
            return
        (outcome,) = await append([Submission(message)])
        if not isinstance(outcome, Exception):
            return
        if not isinstance(outcome, RefusedError):
            raise outcome
        refused = outcome
    raise refused


def _rotation(node: Node, note: str, now: datetime) -> Message:
    return node.sign(
        build_log_key_rotation(
            rotation_id=node.derived_id(f"log-key|{note}"),
            issued_at=now,
            issuing_agent=node.agent_id,
            origin=node.origin,
            note=note,
        )
    )
