"""Lists of records of other formats, narrowed and ordered: Context Passports, Packs and Packets.

What has no time counts as older than what has one. A packet's words are text, in the order of their characters; those
that the reader may not see count as none.
"""

from dataclasses import dataclass
from enum import StrEnum

from graph.clearance import Reader
from graph.lists.cursor import Key, Ordering
from graph.lists.ordered import END, find_numbered, find_ordered
from graph.lists.span import Span
from graph.store import Row, Store

_TIMELESS = -(10**18)
"""The rank of what has no time: no time is as old."""


class PassportOrder(StrEnum):
    """What passports can be ordered by."""

    LOG_INDEX = "LOG_INDEX"
    EVENT_TIME = "EVENT_TIME"


class PackOrder(StrEnum):
    """What packs can be ordered by."""

    LOG_INDEX = "LOG_INDEX"
    CREATED = "CREATED"


class PacketOrder(StrEnum):
    """What packets can be ordered by."""

    LOG_INDEX = "LOG_INDEX"
    CREATED_AT = "CREATED_AT"
    EXPIRES_AT = "EXPIRES_AT"


Order = PassportOrder | PackOrder | PacketOrder


@dataclass(frozen=True, slots=True)
class PassportChoice:
    """Which passports are meant, by their own word; None is what does not matter."""

    agent: str | None = None
    trace: str | None = None
    event: str | None = None
    branch: str | None = None


@dataclass(frozen=True, slots=True)
class PackChoice:
    """Which packs are meant; None is what does not matter."""

    model: str | None = None
    content: str | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class PacketChoice:
    """Which packets are meant, by their own word; None is what does not matter."""

    recipient: str | None = None
    producer: str | None = None
    packet_type: str | None = None
    task: str | None = None
    levels: tuple[str, ...] | None = None
    superseded: bool | None = None


def ordering_of(name: str, order: Order, *, descending: bool) -> Ordering:
    """Return the ordering of records of this name by something, those of one rank by their places in the log."""
    types = (int,) if order == "LOG_INDEX" else (str if isinstance(order, PacketOrder) else int, int)
    return Ordering(f"{name} by {order}", types, descending)


def key_of(order: Order, row: Row) -> Key:
    """Return the key of a row in such an ordering."""
    if order == "LOG_INDEX":
        return (row["log_index"],)
    return (row["word" if isinstance(order, PacketOrder) else "rank"], row["log_index"])


async def find_passports(store: Store, choice: PassportChoice, order: PassportOrder, span: Span) -> list[Row]:
    """Return the `record_hash`, `rank` and `log_index` of the passports of a span, the nearest to its end first."""
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
    """Return the `record_hash`, `rank` and `log_index` of the packs of a span, the nearest to its end first."""
    parameters = {
        "model": choice.model,
        "content": choice.content,
        "parent": choice.parent,
        "order": order.value,
        "timeless": _TIMELESS,
    }
    return await find_ordered(store, "find_packs", span, parameters)


async def find_packets(store: Store, choice: PacketChoice, reader: Reader, order: PacketOrder, span: Span) -> list[Row]:
    """Return the rows of the packets of a span, the nearest to its end first.

    A packet that the reader may not see is among all of them, and meets no condition: its words would show by it.
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
