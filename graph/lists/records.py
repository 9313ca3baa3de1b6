"""Lists of records of other formats, filtered and ordered: Context Passports, Packs and Packets.

A record without a time counts as older than any other. The times of packets are ordered as text, character by
character; those that the reader may not see count as absent.
"""

from dataclasses import dataclass
from enum import StrEnum

from graph.clearance import Reader
from graph.lists.cursor import Key, Ordering
from graph.lists.ordered import END, find_numbered, find_ordered
from graph.lists.span import Span
from graph.store import Row, Store

_TIMELESS = -(10**18)
"""The rank of a record without a time: older than any time."""


class PassportOrder(StrEnum):
    """The orders in which passports can be listed."""

    LOG_INDEX = "LOG_INDEX"
    EVENT_TIME = "EVENT_TIME"


class PackOrder(StrEnum):
    """The orders in which packs can be listed."""

    LOG_INDEX = "LOG_INDEX"
    CREATED = "CREATED"


class PacketOrder(StrEnum):
    """The orders in which packets can be listed."""

    LOG_INDEX = "LOG_INDEX"
    CREATED_AT = "CREATED_AT"
    EXPIRES_AT = "EXPIRES_AT"


Order = PassportOrder | PackOrder | PacketOrder


@dataclass(frozen=True, slots=True)
class PassportChoice:
    """A selection of passports by the members that they state; None is no condition."""

    agent: str | None = None
    trace: str | None = None
    event: str | None = None
    branch: str | None = None


@dataclass(frozen=True, slots=True)
class PackChoice:
    """A selection of packs; None is no condition."""

    model: str | None = None
    content: str | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class PacketChoice:
    """A selection of packets by the members that they state; None is no condition."""

    recipient: str | None = None
    producer: str | None = None
    packet_type: str | None = None
    task: str | None = None
    levels: tuple[str, ...] | None = None
    superseded: bool | None = None


def ordering_of(name: str, order: Order, *, descending: bool) -> Ordering:
    """Return an ordering of the records of this name; records of equal rank are ordered by log index."""
    types = (int,) if order == "LOG_INDEX" else (str if isinstance(order, PacketOrder) else int, int)
    return Ordering(f"{name} by {order}", types, descending)


def key_of(order: Order, row: Row) -> Key:
    """Return the key of a row in this ordering."""
    if order == "LOG_INDEX":
        return (row["log_index"],)
    return (row["word" if isinstance(order, PacketOrder) else "rank"], row["log_index"])


async def find_passports(store: Store, choice: PassportChoice, order: PassportOrder, span: Span) -> list[Row]:
    """Return the `record_hash`, `rank` and `log_index` of the passports in a span, in its direction of reading."""
    parameters = {
        "agent": choice.agent,
        "trace": choice.trace,
        "event": choice.event,
        "branch": choice.branch,
        "order": order.value,
        "timeless": _TIMELESS,
    }
    if choice.trace is not None:
        return await find_ordered(store, "find_passports_of_trace", span, parameters)
    if choice.agent is not None:
        return await find_ordered(store, "find_passports_of_agent", span, parameters)
    return await find_ordered(store, "find_passports", span, parameters)


async def find_packs(store: Store, choice: PackChoice, order: PackOrder, span: Span) -> list[Row]:
    """Return the `record_hash`, `rank` and `log_index` of the packs in a span, in its direction of reading."""
    parameters = {
        "model": choice.model,
        "content": choice.content,
        "parent": choice.parent,
        "order": order.value,
        "timeless": _TIMELESS,
    }
    return await find_ordered(store, "find_packs", span, parameters)


async def find_packets(store: Store, choice: PacketChoice, reader: Reader, order: PacketOrder, span: Span) -> list[Row]:
    """Return the rows of the packets in a span, in the direction in which the span is read.

    A packet that the reader may not see is in the unfiltered list alone: a filter that it meets would reveal its text.
    """
    parameters: dict[str, object] = {
        "all": choice == PacketChoice(),
        "readable": list(reader.readable),
        "recipient": choice.recipient,
        "producer": choice.producer,
        "packet_type": choice.packet_type,
        "task": choice.task,
        "levels": None if choice.levels is None else list(choice.levels),
        "superseded": choice.superseded,
        "order": order.value,
    }
    ranked = order is not PacketOrder.LOG_INDEX
    low_word, low = (span.low if ranked else None) or (None, -1)
    high_word, high = (span.high if ranked else None) or (None, END)
    words = {"low_word": low_word, "low": low, "high_word": high_word, "high": high}
    if not ranked:
        return await find_numbered(store, "find_packets", span, parameters | words)
    ends = {"start": -1, "end": END, "sign": span.sign, "limit": span.limit}
    return await store.read("find_packets", **parameters, **words, **ends)
