"""The subject of an export: the whole graph, or everything that belongs to the selected statements.

Rules:

- A statement is selected if it meets every condition; of several agents, or several statements, one is enough. Times
  are those at which the node received a statement, never those that a document claims. Whether it is verified is
  read when the export is made, at every size of the log.
- With a statement come its evidence and the messages about it (`graph.export.gathering`), so that no exported
  relationship ends nowhere. Another statement comes only if it is selected itself.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.times import format_instant
from graph.errors import InputError

MAX_NAMED = 10_000
"""The most agents, and the most statements, that a selection names."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The conditions on the statements of an export; with none stated it is about everything.

    `topic` is words, as `graph.search.statements` takes them, `source` the hash or a name of a cited document. Bounds
    are half-open: from the first to before the second.
    """

    topic: str | None = None
    agents: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    received_from: datetime | None = None
    received_until: datetime | None = None
    entries_from: int | None = None
    entries_until: int | None = None
    source: str | None = None
    verified: bool | None = None

    @property
    def is_everything(self) -> bool:
        """Return whether nothing is left out."""
        return self == EVERYTHING

    def check(self) -> None:
        """Raise `InputError` if no statement of any graph could satisfy it."""
        if self.topic is not None and not self.topic.strip():
            raise InputError("the topic has no words", "topic")
        for name, named in (("agent", self.agents), ("statement", self.statements)):
            if len(named) > MAX_NAMED:
                raise InputError(f"{len(named)} are named, and {MAX_NAMED} may be", name)
        for name, bound in (("from", self.received_from), ("until", self.received_until)):
            if bound is not None and bound.tzinfo is None:
                raise InputError(f"{bound.isoformat()} has no time zone", name)
        if self.received_from and self.received_until and self.received_from >= self.received_until:
            raise InputError("the time range ends before it begins", "until")
        first, end = self.entries_from or 0, self.entries_until
        if first < 0 or (end is not None and first >= end):
            raise InputError(f"entries {first} to {end} are no stretch of a log", "entries")

    @property
    def members(self) -> dict[str, Any]:
        """Return the stated conditions, as a manifest has them."""
        stated: dict[str, Any] = {
            "topic": self.topic,
            "agents": list(self.agents),
            "statements": list(self.statements),
            "receivedFrom": format_instant(self.received_from) if self.received_from else None,
            "receivedUntil": format_instant(self.received_until) if self.received_until else None,
            "entriesFrom": self.entries_from,
            "entriesUntil": self.entries_until,
            "source": self.source,
            "verified": self.verified,
        }
        return {name: value for name, value in stated.items() if value is not None and value != []}


EVERYTHING = Selection()
