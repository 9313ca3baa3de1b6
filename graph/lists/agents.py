"""Lists of agents: the registry, filtered and ordered."""

from dataclasses import dataclass
from enum import StrEnum

from graph.lists.cursor import Key, Ordering
from graph.lists.span import Span
from graph.lists.worded import bounds_of, cut, made_whole
from graph.store import Row, Store


class AgentOrder(StrEnum):
    """The orders in which agents can be listed."""

    LOG_INDEX = "LOG_INDEX"
    NAME = "NAME"
    REPUTATION = "REPUTATION"


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """A selection of agents; None is no condition."""

    capability: str | None = None
    publisher: str | None = None
    family: str | None = None
    version: str | None = None
    name: str | None = None
    active: bool | None = None


_TYPES: dict[AgentOrder, tuple[type, ...]] = {
    AgentOrder.LOG_INDEX: (int,),
    AgentOrder.NAME: (str, int),
    AgentOrder.REPUTATION: (float, int),
}


def ordering_of(order: AgentOrder, *, descending: bool) -> Ordering:
    """Return an ordering of agents; agents of equal rank are ordered by their registration."""
    return Ordering(f"agents by {order}", _TYPES[order], descending)


def key_of(order: AgentOrder, row: Row) -> Key:
    """Return the key of a row in this ordering."""
    match order:
        case AgentOrder.LOG_INDEX:
            return (row["log_index"],)
        case AgentOrder.NAME:
            return (cut(row["word"]), row["log_index"])
        case AgentOrder.REPUTATION:
            return (row["rank"], row["log_index"])


async def find_agents(store: Store, choice: AgentChoice, order: AgentOrder, span: Span) -> list[Row]:
    """Return the rows of the agents in a span, in the direction in which the span is read."""

    async def name_of(place: int) -> str | None:
        rows = await store.read("name_of_agent_at", place=place)
        return rows[0]["name"] if rows else None

    parameters: dict[str, object] = {
        "capability": choice.capability,
        "publisher": choice.publisher,
        "version": choice.version,
        "name": choice.name,
        "active": choice.active,
        "order": order.value,
        "sign": span.sign,
        "limit": span.limit,
        **bounds_of(await made_whole(span.low, name_of), await made_whole(span.high, name_of)),
    }
    if choice.family is not None:
        return await store.read("find_agents_of_family", family=choice.family, **parameters)
    return await store.read("find_agents", **parameters)
