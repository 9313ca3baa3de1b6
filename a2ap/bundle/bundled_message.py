"""The content of a verified bundle: messages at their places in the log, the trust in their keys, and a score."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from a2ap.log.entry import LogEntry
from a2ap.messages.key_history import KeyHistory
from a2ap.messages.message import Message


@dataclass(frozen=True, slots=True)
class BundledMessage:
    """A message at its place in the log; `message` is None if its document is withheld.

    `redacted_hash` is the hash of a redacted document, None if the document is as it was received.
    """

    entry: LogEntry
    message: Message | None
    withheld: str | None = None
    redacted_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a statement as published, with four decimals."""

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
"""Computes the score; None if a bundle does not suffice for it, as for a method that needs reputations."""
