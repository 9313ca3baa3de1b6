"""Every change of a score, and the entry of the log after which it came: the log replayed, one entry after the other.

Scores are functions of the log, and the graph has only the present ones. So the graph is made again in a separate
store, as `a2ap log rebuild` makes it, and after each entry that can move a score the written scores are read again.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.log.entry import LogEntry
from graph.content.content_store import ContentStore
from graph.database.pages import pages_of
from graph.errors import LogMismatchError
from graph.kinds.registry import TYPES
from graph.past.redacted import redacted_in_log
from graph.store import Store
from graph.submission.rebuild import BatchWriter, batches_of
from graph.transparency.graph_entries import entries_between
from graph.transparency.key_history import KeyHistory

STATEMENT, AGENT = "statement", "agent"

Values = tuple[Any, ...]

COLUMNS = {
    STATEMENT: ("consensus_score", "verified"),
    AGENT: ("reputation", "verdicts_right", "verdicts_wrong", "estimated_accuracy"),
}
"""The scored properties of a statement, and of an agent."""

_BEFORE: Mapping[str, Values] = {STATEMENT: (0.0, False), AGENT: (0.5, 0, 0, None)}

_MOVING = frozenset(one.value for one, kind in TYPES.items() if kind.moves_scores)
"""The types of message that can change a score."""

_OF_STATEMENTS = frozenset({"write_scores", "write_verified"})
_OF_AGENTS = frozenset({"write_agents", "write_reputations", "write_accuracies"})
_PAGE = 500


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """The values of a statement or an agent from a size of the log on; `values` are those of `COLUMNS`."""

    kind: str
    name: str
    log_size: int
    values: Values


class ScoreReplay:
    """A log that is replayed into an empty store; `size` is the number of entries replayed."""

    def __init__(self, live: Store, content: ContentStore, scratch: Store) -> None:
        self.size = 0
        self._live = live
        self._content = content
        self._scratch = scratch
        self._writer: BatchWriter | None = None
        self._redacted: dict[str, str] = {}
        self._values: dict[tuple[str, str], Values] = {}
        self._written: set[tuple[str, str]] = set()
        self._twins: set[str] = set()
        scratch.observe_rows = self._note

    async def changes(self, since: int, size: int) -> AsyncIterator[list[ScoreChange]]:
        """Replay up to a size, and yield the changes after `since`, in the order of the log."""
        self._redacted |= await redacted_in_log(self._live, self._content)
        if not self.size:
            await self._scratch.write(lambda transaction: transaction.run("open_log"))
        while self.size < size:
            end = min(self.size + _PAGE, since if self.size < since else size)
            entries = await entries_between(self._live, self.size, end)
            if len(entries) != end - self.size:
                raise LogMismatchError(f"entry {self.size + len(entries)} is missing from the graph", self.size)
            stops = () if self.size < since else {one.log_index + 1 for one in entries if one.type in _MOVING}
            for batch in batches_of(entries, stops):
                found = await self._write(batch)
                if found and self.size > since:
                    yield found

    async def _write(self, batch: Sequence[LogEntry]) -> list[ScoreChange]:
        """Write entries, and return the scores that they changed."""
        if self._writer is None:
            keys = KeyHistory(batch[0].agent)
            self._writer = BatchWriter(self._scratch, self._content, keys, redacted=self._redacted)
        await self._writer.write(batch)
        self.size = batch[-1].log_index + 1
        written, twins, self._written, self._twins = self._written, self._twins, set(), set()
        for row in await self._scratch.read("statements_by_id", ids=sorted(twins)) if twins else ():
            written.add((STATEMENT, row["signed_hash"]))
        statements = sorted(name for kind, name in written if kind == STATEMENT)
        agents = sorted(name for kind, name in written if kind == AGENT)
        found = []
        for page in pages_of(statements, _PAGE):
            found += self._changed(STATEMENT, await self._scratch.read("scores_of_statements", hashes=page))
        for page in pages_of(agents, _PAGE):
            found += self._changed(AGENT, await self._scratch.read("scores_of_agents", ids=page))
        return found

    def _changed(self, kind: str, rows: Iterable[Mapping[str, Any]]) -> list[ScoreChange]:
        found = []
        for row in rows:
            values = tuple(row[name] for name in COLUMNS[kind])
            if values != self._values.get((kind, row["name"]), _BEFORE[kind]):
                found.append(ScoreChange(kind, row["name"], self.size, values))
                self._values[kind, row["name"]] = values
        return found

    def _note(self, query: str, parameters: Mapping[str, Any]) -> None:
        """Note the statements and agents whose scores a query writes."""
        if query in _OF_STATEMENTS:
            self._written.update((STATEMENT, row["signed_hash"]) for row in parameters["rows"])
        elif query in _OF_AGENTS:
            self._written.update((AGENT, row["agent_id"]) for row in parameters["rows"])
        elif query == "write_twins":
            self._twins.update(row["statement_id"] for row in parameters["rows"])
