"""Lists of log entries: the entries between two places of an order, and their filters."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from a2ap.times import micros_of
from graph.lists.cursor import Key, Ordering
from graph.lists.ordered import Near, find_ordered
from graph.lists.span import Span
from graph.lists.verifications import between_of
from graph.log.entry import log_size
from graph.store import Row, Store


class LogEntryOrder(StrEnum):
    """The orders in which log entries can be listed."""

    LOG_INDEX = "LOG_INDEX"
    RECEIVED_AT = "RECEIVED_AT"
    ORIGIN_RECEIVED_AT = "ORIGIN_RECEIVED_AT"


@dataclass(frozen=True, slots=True)
class LogEntryChoice:
    """A selection of entries; None is no condition. Ranges are half-open."""

    agent: str | None = None
    types: tuple[str, ...] | None = None
    origin: str | None = None
    log_from: int | None = None
    log_until: int | None = None
    received_from: datetime | None = None
    received_until: datetime | None = None


def ordering_of(order: LogEntryOrder, *, descending: bool) -> Ordering:
    """Return an ordering of entries; entries of one time are ordered by log index."""
    types = (int,) if order is LogEntryOrder.LOG_INDEX else (int, int)
    return Ordering(f"logEntries by {order}", types, descending)


def key_of(order: LogEntryOrder, row: Row) -> Key:
    """Return the key of a row in this ordering."""
    return (row["log_index"],) if order is LogEntryOrder.LOG_INDEX else (row["rank"], row["log_index"])


async def find_log_entries(store: Store, choice: LogEntryChoice, order: LogEntryOrder, span: Span) -> list[Row]:
    """Return the rows of the entries in a span, in the direction in which the span is read."""
    parameters: dict[str, object] = {
        "types": None if choice.types is None else list(choice.types),
        "origin": choice.origin,
        "received_from": None if choice.received_from is None else micros_of(choice.received_from),
        "received_until": None if choice.received_until is None else micros_of(choice.received_until),
        "order": order.value,
    }
    between = between_of(choice.log_from, choice.log_until)
    if choice.agent is not None:
        parameters["agent"] = choice.agent
        return await find_ordered(store, "find_log_entries_of_agent", span, parameters, between=between)
    # Entries have every number; a narrowed list leaves some of them.
    near = Near("find_log_entries_near", 1 if choice == LogEntryChoice() else 16, await log_size(store))
    return await find_ordered(store, "find_log_entries", span, parameters, between=between, near=near)
