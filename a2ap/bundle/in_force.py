"""The rules and states that the score of a bundle rests on, and whether the bundle proves that they are in force.

A proof of inclusion shows that a message is in the log. It does not show that no later message replaces it, so no item
is proved until a checkpoint commits to the latest state of the log.
"""

from dataclasses import dataclass

from a2ap.bundle.bundled_message import VerifiedMessages
from a2ap.messages.envelope import MessageType

ITEMS: tuple[tuple[str, frozenset[MessageType]], ...] = (
    ("policy", frozenset({MessageType.POLICY})),
    ("epoch", frozenset({MessageType.EPOCH})),
    (
        "keys",
        frozenset(
            {
                MessageType.AGENT_REGISTRATION,
                MessageType.AGENT_DEACTIVATION,
                MessageType.KEY_REGISTRATION,
                MessageType.KEY_REVOCATION,
            }
        ),
    ),
    ("versions of agents", frozenset({MessageType.AGENT_VERSION})),
    ("retractions and revisions", frozenset({MessageType.RETRACTION, MessageType.STATEMENT})),
    ("endorsements", frozenset({MessageType.ENDORSEMENT})),
    (
        "verdicts, challenges and gold",
        frozenset(
            {
                MessageType.VERIFICATION_RESPONSE,
                MessageType.CHALLENGE_ANSWER,
                MessageType.GOLD_LABEL,
                MessageType.GOLD_DISPUTE,
                MessageType.PROBE,
            }
        ),
    ),
    ("redactions", frozenset({MessageType.REDACTION})),
)
"""Each item that later messages may replace, with the types of the messages that the bundle rests on for it."""


@dataclass(frozen=True, slots=True)
class RestsOn:
    """A message that a score rests on, by its signed hash, type and place in the log."""

    signed_hash: str
    type: str
    log_index: int


@dataclass(frozen=True, slots=True)
class InForce:
    """An item, the messages that the bundle has for it, and whether these are proved to be the ones in force."""

    item: str
    rests_on: tuple[RestsOn, ...]
    proved: bool

    @property
    def sentence(self) -> str:
        """Return the item as a sentence that follows "not proved: "."""
        if not self.rests_on:
            return f"that the log has no {self.item} at the checkpoint: the bundle has none"
        last = self.rests_on[-1]
        return (
            f"that no later entry replaces the {self.item} in the bundle: the latest here is {last.signed_hash}, "
            f"log entry {last.log_index}"
        )


def name_in_force(messages: VerifiedMessages) -> tuple[InForce, ...]:
    """Return every item in a fixed order; none is proved, since no checkpoint commits to the latest state."""
    return tuple(InForce(item, _rests_on(messages, types), proved=False) for item, types in ITEMS)


def _rests_on(messages: VerifiedMessages, types: frozenset[MessageType]) -> tuple[RestsOn, ...]:
    return tuple(
        RestsOn(one.entry.signed_hash, one.entry.type, one.entry.log_index)
        for one in messages.messages
        if one.entry.type in types and one is not messages.statement
    )
