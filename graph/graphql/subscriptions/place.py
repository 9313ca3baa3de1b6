"""Places in the log as text: the points at which a subscription resumes after a lost connection.

A place is after the first `size` entries of one log. It is the same for every subscription, so that a subscription can
begin at the end of another one, or of a query. A place also holds the scores that the subscriber was `told`, which the
log does not record (`graph.graphql.subscriptions.last_seen`); other subscriptions ignore them.
"""

from dataclasses import dataclass

from graph.errors import InputError
from graph.lists.cursor import Ordering, decode_cursor, encode_cursor

_EVENTS = Ordering("events", (str, int, str))


@dataclass(frozen=True, slots=True)
class Place:
    """The place after the first `size` entries of a log, with the scores `told` by then."""

    size: int
    told: str = ""


def write_place(origin: str, place: Place) -> str:
    """Return a place in the log of this name as a cursor."""
    return encode_cursor(_EVENTS, (origin, place.size, place.told))


def read_place(origin: str, size: int, cursor: str, argument: str) -> Place:
    """Return the place of a cursor in the log of this name, which has `size` entries now; raise `InputError`."""
    log, place, told = decode_cursor(_EVENTS, cursor, argument)
    assert isinstance(place, int) and isinstance(told, str)
    if log != origin:
        raise InputError(f"{argument} is a cursor of the log of {log}, and this is the log of {origin}", argument)
    if not 0 <= place <= size:
        raise InputError(f"{argument} is a cursor behind {place} entries, and this log has {size}", argument)
    return Place(place, told)
