"""Places in the log as text: where a subscription goes on after its connection was lost.

A place is behind the first `size` entries of one log. It is the same for every subscription, so that one can begin
where another, or a question, has ended. What a subscriber was told of scores, which the log does not say, is part of it
(`told`, see `graph.graphql.subscriptions.last_seen`); other subscriptions pass over that.
"""

from dataclasses import dataclass

from graph.errors import InputError
from graph.lists.cursor import Ordering, decode_cursor, encode_cursor

_EVENTS = Ordering("events", (str, int, str))


@dataclass(frozen=True, slots=True)
class Place:
    """Behind the first `size` entries of a log, and what was `told` of scores by then."""

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
