"""Lists of log entries: which there are between two places of an order, and what they are narrowed to."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from a2ap.times import micros_of
from graph.lists.cursor import Key, Ordering
from graph.lists.ordered import Near, find_ordered
from graph.lists.span import Span
from graph.lists.verifications import between_of
from graph.log.state_loader import log_size
from graph.store import Row, Store


class LogEntryOrder(StrEnum):
    """What log entries can be ordered by."""

    LOG_INDEX = "LOG_INDEX"
    RECEIVED_AT = "RECEIVED_AT"
    ORIGIN_RECEIVED_AT = "ORIGIN_RECEIVED_AT"


@dataclass(frozen=True, slots=True)
class LogEntryChoice:
    """Which entries are meant; None is what does not matter. Ranges are half-open."""

    agent: str | None = None
    types: tuple[str, ...] | None = None
    origin: str | None = None
    log_from: int | None = None
    log_until: int | None = None
    received_from: datetime | None = None
    received_until: datetime | None = None


def ordering_of(order: LogEntryOrder, *, descending: bool) -> Ordering:
    """Return the ordering of entries by something, those of one time by their places."""
    types = (int,) if order is LogEntryOrder.LOG_INDEX else (int, int)
    return Ordering(f"logEntries by {order}", types, descending)


def key_of(order: LogEntryOrder, row: Row) -> Key:
    """Return the key of a row in such an ordering."""
    return (row["log_index"],) if order is LogEntryOrder.LOG_INDEX else (row["rank"], row["log_index"])


async def find_log_entries(store: Store, choice: LogEntryChoice, order: LogEntryOrder, span: Span) -> list[Row]:
    """Return the rows of the entries of a span, the nearest to its end first."""
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
    # Entries have every number; what is narrowed leaves some of them.
    near = Near("find_log_entries_near", 1 if choice == LogEntryChoice() else 16, await log_size(store))
    return await find_ordered(store, "find_log_entries", span, parameters, between=between, near=near)
