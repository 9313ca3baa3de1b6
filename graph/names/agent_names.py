"""The names of all registered agents by their skeletons, to find the names that look alike."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from graph.names.confusables import skeletons
from graph.store import Store

_AT_ONCE = 10_000


class NamedAgent(NamedTuple):
    """An agent whose look-alikes are sought; with `earlier_only`, only those that registered before it."""

    agent_id: str
    name: str
    earlier_only: bool


class _Registration(NamedTuple):
    log_index: int
    agent_id: str


class AgentNames:
    """An index in memory, as large as the registry. A search first reads the agents registered since the last one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._by_skeleton: defaultdict[str, list[_Registration]] = defaultdict(list)
        self._end = 0
        self._turn = asyncio.Lock()

    async def look_alikes(self, agents: Sequence[NamedAgent], size: int | None = None) -> list[list[str]]:
        """Return, for each agent, the ids of the other agents whose names look the same, first registration first.

        With `size`, only agents of the first `size` entries of the log are returned.
        """
        await self._read_on()
        return [self._alike(agent, self._end if size is None else size) for agent in agents]

    def _alike(self, agent: NamedAgent, size: int) -> list[str]:
        found = sorted({one for skeleton in skeletons(agent.name) for one in self._by_skeleton.get(skeleton, ())})
        end = next((one.log_index for one in found if one.agent_id == agent.agent_id), size)
        until = min(size, end) if agent.earlier_only else size
        return [one.agent_id for one in found if one.agent_id != agent.agent_id and one.log_index < until]

    async def _read_on(self) -> None:
        async with self._turn:
            rows = None
            while rows is None or len(rows) == _AT_ONCE:
                rows = await self._store.read("agents_named_from", start=self._end, limit=_AT_ONCE)
                for row in rows:
                    for skeleton in skeletons(row["name"]):
                        self._by_skeleton[skeleton].append(_Registration(row["log_index"], row["agent_id"]))
                    self._end = row["log_index"] + 1
