"""What a verified bundle holds: messages at their places in the log, whose keys were trusted where, and a score."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from a2ap.key_history import KeyHistory
from a2ap.log.entry import LogEntry
from a2ap.message import Message


@dataclass(frozen=True, slots=True)
class BundledMessage:
    """A message at its place in the log; `message` is None where its document is withheld.

    Of one that was redacted, `redacted_hash` is the hash of what is left of it.
    """

    entry: LogEntry
    message: Message | None
    withheld: str | None = None
    redacted_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """What became of a statement: as published, four decimals."""

    method: str
    consensus_score: str
    verified: bool


@dataclass(frozen=True, slots=True)
class VerifiedMessages:
    """The messages of a bundle, in log order, all of whose entries, documents and signatures hold."""

    home: str
    statement: BundledMessage
    messages: tuple[BundledMessage, ...]
    keys: KeyHistory
    trusted: Mapping[str, bool]
    """Whether the key is trusted at the place where it signed, by the signed hash of the message."""


Weigh = Callable[[VerifiedMessages], Score | None]
"""Computes the score; None where it cannot be computed from a bundle, as by a method that asks for reputations."""
