"""The rows of a graph, as `graph.export.graph_rows` writes them, taken into an audit's workspace."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.boundary import Boundary
from graph.audit.workspace import Workspace
from graph.errors import AuditError

_PAGE = 1000


@dataclass(slots=True)
class PublishedGraph:
    """The statements of the first and last line of a graph's rows about the rows."""

    size: int
    clearance: Boundary
    counted: Mapping[str, Mapping[str, int]]
    heads: Sequence[Mapping[str, Any]]

    @property
    def still(self) -> bool:
        """Whether the log did not grow while the rows were read, according to its head."""
        return all(head.get("size") == self.size for head in self.heads)

    @property
    def scored(self) -> bool:
        """Whether all scores are of the last epoch and policy before the rows were read, according to the head."""
        return self.still and all(head.get("rescore_from") is None for head in self.heads)

    @property
    def settled(self) -> bool:
        """Whether every request is known to wait or not under the policy before the rows were read."""
        return self.still and all(head.get("resettle_after") is None for head in self.heads)


async def load_rows(workspace: Workspace, lines: AsyncIterator[bytes], *, published: bool) -> PublishedGraph:
    """Take the rows of a graph into the workspace. Raises AuditError if the lines are not such an export."""
    head: dict[str, Any] = {}
    end: dict[str, Any] = {}
    page: list[tuple[Any, ...]] = []
    try:
        async for line in lines:
            if not line:
                continue
            members = json.loads(line)
            if "listed" in members:
                _insert_listed(workspace, members)
            elif "node" in members or "relationship" in members:
                page.append(_row(members, published))
                if len(page) == _PAGE:
                    _insert(workspace, page)
                    page = []
            elif "graph" in members:
                head = members["graph"]
            elif "counted" in members:
                end = members
        _insert(workspace, page)
        if not end:
            raise AuditError("the rows of the graph end before their last line")
        return PublishedGraph(int(head["logSize"]), Boundary(head["clearance"]), *_read_end(end))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise AuditError(f"the rows of the graph cannot be read: {error}") from error


def _read_end(members: dict[str, Any]) -> tuple[dict[str, dict[str, int]], list[dict[str, Any]]]:
    counted = {word: dict(members["counted"][word]) for word in ("nodes", "relationships")}
    if not all(isinstance(number, int) for numbers in counted.values() for number in numbers.values()):
        raise ValueError("the counts are not integers")
    return counted, [dict(head) for head in members["heads"]]


def _row(members: dict[str, Any], published: bool) -> tuple[Any, ...]:
    properties = json.dumps(dict(members["properties"]), sort_keys=True)
    if "node" in members:
        return int(published), "node", members["node"], _text(members["key"]), None, None, properties
    start, finish = _text(members["start"]), _text(members["end"])
    return int(published), "edge", members["relationship"], f"{start} → {finish}", start, finish, properties


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _insert(workspace: Workspace, page: Sequence[tuple[Any, ...]]) -> None:
    workspace.run_many("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?)", page)


def _insert_listed(workspace: Workspace, members: Mapping[str, Any]) -> None:
    """Keep the name of a node or relationship in the database, whether the rows have it or not."""
    if "start" in members:
        row = "edge", str(members["listed"]), f"{_text(members['start'])} → {_text(members['end'])}"
    else:
        row = "node", str(members["listed"]), _text(members["key"])
    workspace.run("INSERT INTO listed VALUES (?, ?, ?)", *row)
