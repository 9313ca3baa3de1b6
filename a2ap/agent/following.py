"""The log of a node as an agent follows it: each entry once, in order, with its message, over lost connections.

An agent keeps the log index of the last event alone. The node says up to which size the log has grown. The entries
up to this size are read in pages, and their messages by their hashes; then the agent waits for the log to grow.
"""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from a2ap.agent.exchange import Exchange, Pause, Request, Wait, graphql, is_passing, send
from a2ap.canonical import sha256_digest
from a2ap.client.answers import ProblemError, UnreachableError, graphql_data, json_object, problem_of
from a2ap.errors import A2APError, LogError, MessageError
from a2ap.json_text import write_json
from a2ap.messages.envelope import MessageType
from a2ap.messages.message import Message, read_message

_PAGE = 200  # entries; the node gives up to 200 at once, and up to 256 messages
_LONGEST_PAUSE = 30.0  # seconds
_SIZE = "{ log { size cursor } }"
_ENTRIES = """query ($filter: LogEntryFilter!, $first: Int!) {
  logEntries(filter: $filter, first: $first) {
    nodes { logIndex type id signedHash documentHash agent receivedAt } pageInfo { hasNextPage } } }"""
_GROWTH = "subscription ($after: String) { logGrowth(after: $after) { size cursor } }"


class LogEndError(A2APError):
    """A log has no entry with the log index behind which it is to be followed: it is another log, or a shorter one."""


class LogMessageError(LogError):
    """A node gives an entry of its log another message, or no answer about it; to ask again does not help."""


@dataclass(frozen=True, slots=True)
class LogEvent:
    """An entry of a node's log, with its message.

    `message` is None if this reader may not read it, if it was redacted, or if this version of a2ap cannot read it, as
    one of a type that it does not know: `withheld` says why. `concerns` are the
    signed hashes of the agent's own messages that it is about, in its inbox. `received_at` is as the node states it.
    """

    log_index: int
    type: str
    id: str
    signed_hash: str
    document_hash: str
    agent_id: str
    received_at: str
    message: Message | None = None
    withheld: str | None = None
    concerns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """The entries that are wanted: of any of these types, by any of these agents; empty for all."""

    types: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()

    def filter(self, start: int, end: int) -> dict[str, Any]:
        """Return the filter of the node for the entries from `start` up to `end`, which is not among them."""
        stated: dict[str, Any] = {"logFrom": start, "logUntil": end}
        if self.types:
            stated["type"] = list(self.types)
        if len(self.agents) == 1:
            stated["agent"] = self.agents[0]
        return stated

    def takes(self, event: LogEvent) -> bool:
        """Say whether an entry is wanted."""
        return (not self.types or event.type in self.types) and (not self.agents or event.agent_id in self.agents)


Narrow = Callable[[Sequence[LogEvent], int], Exchange[list[LogEvent]]]
"""Chooses among events of one page; the number is the size of the log up to which they were read."""


def types_of(stated: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names of message types; raises `ValueError` for a name that is none."""
    names = (stated,) if isinstance(stated, str) else tuple(stated)
    for name in names:
        if name not in list(MessageType):
            raise ValueError(f"{name!r} is no type of message: {', '.join(MessageType)}")
    return tuple(str(MessageType(name)) for name in names)


class Follower:
    """A reader of a log, behind the entry `after`, or from now on if it is None; `after` moves with the events."""

    def __init__(self, node: str, after: int | None, selection: Selection, narrow: Narrow | None = None) -> None:
        self.after = after
        self._node = node
        self._selection = selection
        self._narrow = narrow
        self._reached = False

    def next(self) -> Exchange[list[LogEvent]]:
        """Return the next events, at least one: those that are there, or else the next to come.

        Once the node has answered, it is waited for as long as it is away. Raises `ProblemError` if it refuses, and
        `LogMessageError` for an entry with another message.
        """
        pause = 0.5
        while True:
            try:
                found = yield from self._next()
            except (ProblemError, UnreachableError) as error:
                if not self._reached or not is_passing(error):
                    raise
                yield Pause(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                if found:
                    return found
                pause = 0.5

    def present(self) -> Exchange[list[LogEvent]]:
        """Return all events that are there now."""
        size, _ = yield from self._size()
        found: list[LogEvent] = []
        while self._start(size) < size:
            found += yield from self._page(size)
        return found

    def _next(self) -> Exchange[list[LogEvent]]:
        """Return the events of the next page, none if they are of other kinds; wait if there is no further entry."""
        size, cursor = yield from self._size()
        if self._start(size) < size:
            return (yield from self._page(size))
        yield from _wait_for_growth(cursor)
        return []

    def _start(self, size: int) -> int:
        if self.after is None:
            self.after = size - 1
        return self.after + 1

    def _size(self) -> Exchange[tuple[int, str]]:
        """Return the size of the log, and the cursor behind it."""
        log = (yield from graphql(_SIZE, {}))["log"]
        size: int = log["size"]
        self._reached = True
        if self.after is not None and self.after >= size:
            raise LogEndError(f"{self._node} has a log of {size} entries, none of them with the index {self.after}")
        return size, log["cursor"]

    def _page(self, size: int) -> Exchange[list[LogEvent]]:
        """Return the wanted events of the next page of entries, and move behind the page."""
        start = self._start(size)
        entries, after = yield from read_entries(self._selection, start, size)
        found = yield from _read_messages(self._node, [one for one in entries if self._selection.takes(one)])
        if self._narrow is not None:
            found = yield from self._narrow(found, size)
        self.after = after
        return found


def read_entries(selection: Selection, start: int, size: int) -> Exchange[tuple[list[LogEvent], int]]:
    """Return a page of the entries from `start` on, without their messages, and the log index that it reaches.

    The log is read up to its `size`; the node may give entries that the selection does not take.
    """
    answer = yield from graphql(_ENTRIES, {"filter": selection.filter(start, size), "first": _PAGE})
    page = answer["logEntries"]
    entries = [_event_of(row) for row in page["nodes"]]
    return entries, entries[-1].log_index if page["pageInfo"]["hasNextPage"] else size - 1


def _event_of(row: Mapping[str, Any]) -> LogEvent:
    return LogEvent(
        row["logIndex"], row["type"], row["id"], row["signedHash"], row["documentHash"], row["agent"], row["receivedAt"]
    )


def _read_messages(node: str, entries: Sequence[LogEvent]) -> Exchange[list[LogEvent]]:
    """Return entries with their messages, each compared with its hashes."""
    if not entries:
        return []
    body = write_json({"hashes": [one.document_hash for one in entries]})
    response = yield from send(Request.post("/messages/fetch", body, "application/json"))
    lines = [line for line in response.text.split("\n") if line.strip()]
    if len(lines) != len(entries):
        raise LogMessageError(f"{node} answered {len(lines)} of {len(entries)} messages")
    return [_with_message(node, entry, line) for entry, line in zip(entries, lines, strict=True)]


def _with_message(node: str, entry: LogEvent, line: str) -> LogEvent:
    try:
        answer = json.loads(line)
        data = None if answer["document"] is None else base64.b64decode(answer["document"])
        redacted = "it was redacted" if answer["redacted"] else "the node does not have it"
        withheld = answer["withheld"] or redacted
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise LogMessageError(f"{node} answered {entry.document_hash} with a line that has no message") from error
    if data is None:
        return replace(entry, withheld=withheld)
    if sha256_digest(data) != entry.document_hash:
        raise LogMessageError(f"{node} answered {entry.document_hash} with another document, {sha256_digest(data)}")
    try:
        message = read_message(data)
    except MessageError as error:
        return replace(entry, withheld=f"this version of a2ap cannot read it: {error}")
    if message.envelope.signed_hash != entry.signed_hash:
        raise LogMessageError(f"{node} states another signed hash of {entry.document_hash} than it has")
    return replace(entry, message=message)


def _wait_for_growth(cursor: str) -> Exchange[None]:
    """Return once the log has grown beyond the place of a cursor."""
    body = write_json({"query": _GROWTH, "variables": {"after": cursor}})
    headers = {"content-type": "application/json", "accept": "text/event-stream"}
    response = yield Wait(Request("POST", "/graphql", body, headers))
    assert response is not None
    if not response.is_success:
        raise problem_of(response)
    graphql_data(json_object(response))
