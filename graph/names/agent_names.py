"""The names of all registered agents by their skeletons, to find the names that look alike."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from heapq import merge
from itertools import groupby, islice, takewhile
from typing import NamedTuple

from graph.names.confusables import skeletons
from graph.store import Store

MOST_ALIKE = 200
"""The maximum number of agents of a similar name that are looked at for one agent."""

_AT_ONCE = 1_000  # agents, whose skeletons take some milliseconds


class NamedAgent(NamedTuple):
    """An agent whose look-alikes are sought."""

    agent_id: str
    name: str


class Registration(NamedTuple):
    """The registration of an agent, by its place in the log."""

    log_index: int
    agent_id: str


class AgentNames:
    """An index in memory, as large as the registry. A search first reads the agents registered since the last one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._by_skeleton: defaultdict[str, list[Registration]] = defaultdict(list)
        self._end = 0
        self._turn = asyncio.Lock()

    async def look_alikes(self, agents: Sequence[NamedAgent], size: int | None = None) -> list[list[Registration]]:
        """Return, for each agent, the registrations of all agents whose names look the same, first one first.

        The agent's own registration is among them, and there are up to `MOST_ALIKE`. With `size`, only agents of the
        first `size` entries of the log are returned.
        """
        await self._read_on()
        return [self._alike(agent, self._end if size is None else size) for agent in agents]

    def _alike(self, agent: NamedAgent, size: int) -> list[Registration]:
        """Return the registrations of a skeleton in common; each list is in log order."""
        lists = [self._by_skeleton[one] for one in skeletons(agent.name) if one in self._by_skeleton]
        found = (one for one, _ in groupby(merge(*lists)))
        return list(islice(takewhile(lambda one: one.log_index < size, found), MOST_ALIKE))

    async def _read_on(self) -> None:
        async with self._turn:
            rows = None
            while rows is None or len(rows) == _AT_ONCE:
                rows = await self._store.read("agents_named_from", start=self._end, limit=_AT_ONCE)
                for row in rows:
                    for skeleton in skeletons(row["name"]):
                        self._by_skeleton[skeleton].append(Registration(row["log_index"], row["agent_id"]))
                    self._end = row["log_index"] + 1
