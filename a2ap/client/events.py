"""The events of a subscription for an agent's client, as GraphQL over SSE sends them, over any number of connections.

Each event has a cursor. After a lost connection the next one goes on behind the last event that was taken, so that a
client that keeps the cursor of its last event misses nothing, however often it or the platform is started again.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from a2ap.client.answers import (
    ProblemError,
    UnreachableError,
    graphql_data,
    is_busy,
    problem_of,
    public_address,
    what_happened,
)
from a2ap.json_text import write_json

_SILENCE = 60.0  # seconds without a sign of life; a platform gives one every fifteen
_LONGEST_PAUSE = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a subscription: the value of its one field, and the cursor behind it."""

    told: dict[str, Any]
    cursor: str


@dataclass(frozen=True, slots=True)
class Block:
    """A block of an event stream; one without an event gives the stream's cursor, or keeps the connection alive."""

    event: str = ""
    id: str = ""
    data: str = ""


class BlockReader:
    """Puts the blocks of an event stream together from its lines without their ends (WHATWG HTML §9.2.6)."""

    def __init__(self) -> None:
        self._event, self._id, self._data = "", "", list[str]()

    def take(self, line: str) -> Block | None:
        """Take the next line; return the block that it ends, None within a block."""
        if not line:
            block = Block(self._event, self._id, "\n".join(self._data))
            self._event, self._data = "", []
            return block
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._event = value
        elif field == "id" and "\0" not in value:
            self._id = value
        elif field == "data":
            self._data.append(value)
        return None


def read_blocks(lines: Iterable[str]) -> Iterator[Block]:
    """Yield the blocks of an event stream from its lines; the last is whole."""
    reader = BlockReader()
    for line in lines:
        block = reader.take(line)
        if block is not None:
            yield block


def follow_events(
    http: httpx.Client, query: str, variables: Mapping[str, Any], after: str | None, pause: float
) -> Iterator[Event]:
    """Yield the events of a subscription behind a cursor, or from now on, until the platform says that it is complete.

    A lost connection is opened again after `pause` seconds, and after more each time that it fails. Raises ProblemError
    if the platform refuses, and UnreachableError if it does not answer the first time.
    """
    content = write_json({"query": query, "variables": dict(variables)})
    place, waited, reached = after, pause, False
    while True:
        try:
            headers = {"content-type": "application/json", "accept": "text/event-stream"}
            headers |= {"last-event-id": place} if place else {}
            with http.stream("POST", "/graphql", content=content, headers=headers, timeout=_SILENCE) as response:
                if not response.is_success:
                    response.read()
                    raise problem_of(response)
                for block in read_blocks(response.iter_lines()):
                    place = block.id or place
                    if block.event == "complete":
                        return
                    event = _event(block, place or "") if block.event == "next" else None
                    reached, waited = True, pause
                    if event is not None:
                        yield event
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            if not reached:
                raise UnreachableError(
                    f"{public_address(str(http.base_url))} does not answer: {what_happened(error)}"
                ) from error
        except ProblemError as problem:
            # A platform whose database is away, that is being started again, or that has no place for us yet.
            if not reached or not is_busy(problem.status):
                raise
        time.sleep(waited)
        waited = min(2 * waited, _LONGEST_PAUSE)


def _event(block: Block, place: str) -> Event:
    try:
        answer = json.loads(block.data)
    except (ValueError, RecursionError) as error:
        raise UnreachableError("the platform sent an event that is not JSON") from error
    data = graphql_data(answer)
    if len(data) != 1:
        raise UnreachableError("the platform sent an event that tells nothing")
    (told,) = data.values()
    return Event(told, place)
