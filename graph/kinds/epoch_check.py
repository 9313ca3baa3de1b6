"""Checks whether a part of an epoch can be accepted: made of entries since the last one, and not long ago."""

from dataclasses import dataclass

from a2ap.messages.epoch import Epoch
from graph.epochs.due import most_behind
from graph.errors import ConflictError


@dataclass(frozen=True, slots=True)
class EpochPart:
    """The last part of an epoch in the log, whether or not its table is complete."""

    log_index: int
    log_size: int
    part: int
    parts: int

    @classmethod
    def of(cls, message: Epoch, log_index: int) -> "EpochPart":
        """Return the part in this message at this log index."""
        return cls(log_index, message.log_size, message.part, message.parts)


def check_epoch(message: Epoch, place: int, last: EpochPart | None) -> None:
    """Raise `ConflictError` for a part that cannot be entry `place` of the log, in which `last` is the last part.

    An epoch begins no earlier than the last one ended, so that of two made at once only one is accepted. The entries
    since its `logSize` are no more than come during an estimate (`most_behind`). Its parts follow one another.
    """
    if message.part:
        before = EpochPart(place - 1, message.log_size, message.part - 1, message.parts)
        if last != before:
            raise ConflictError(f"part {message.part} of this epoch does not follow part {before.part}", "part")
        return
    if message.log_size > place:
        raise ConflictError(f"this epoch is of {message.log_size} entries, and the log has {place}", "logSize")
    if last is not None and message.log_size <= last.log_index:
        raise ConflictError(
            f"this epoch is of {message.log_size} entries, and another is at entry {last.log_index}", "logSize"
        )
    if place - message.log_size > most_behind(message.log_size):
        raise ConflictError(f"this epoch is of {message.log_size} entries, and {place} is next", "logSize")
