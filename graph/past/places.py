"""The choice of the graphs of the past to keep, and of the graph that gives way to another size; nothing waits here.

Rules:

- One reader has one graph made at a time, and `MOST_SIZES` a minute: each is the log replayed. All readers without a
  token together have one made at a time, and `MOST_SIZES_WITHOUT_TOKEN` a minute: addresses are easy to come by.
- If there is no room, an unread graph gives way: one that was not requested in the last minute, else one that was made
  for the same reader, else one that no reader with a token has requested; of those the least recently used. A smaller
  one grows.
- A reader with a token does not wait for those without: a graph of theirs gives way although it is read or being made,
  and is removed once it has no users. If there is none, an unread one of any reader gives way.
- A graph is made for as long as a reader waits for it or has requested it in the last minute.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import AsyncExitStack

from graph.errors import TooManySizesError
from graph.past.past_graph import PastGraph
from graph.requests.share import Share

INTEREST = 60.0
"""Seconds for which a reader that has requested a size is expected to request it again."""

MOST_SIZES = 10
"""Maximum graphs made for one reader within a minute."""

MOST_SIZES_WITHOUT_TOKEN = 30
"""Maximum graphs made within a minute for all readers without a token together."""

_MINUTE = 60.0


class Kept:
    """A graph of the past that is made or being made: its share, its number of users, and the time of its last use."""

    def __init__(self, size: int, share: Share) -> None:
        self.size = size
        self.share = share
        self.graph: PastGraph | None = None
        self.made: asyncio.Task[None] | None = None
        self.failure: BaseException | None = None
        self.stack = AsyncExitStack()
        self.is_making = True
        self.is_dropped = False
        self.users = 0
        self.used = 0.0

    @property
    def is_idle(self) -> bool:
        """Return whether the graph has no users and is not being written."""
        return not self.users and not self.is_making

    def is_wanted(self, now: float) -> bool:
        """Return whether a reader waits for the graph, or may request it again, at a time in seconds."""
        return not self.is_dropped and (bool(self.users) or now - self.used <= INTEREST)


class Places:
    """The graphs that are kept, up to `most`, and those that gave way and are not removed yet."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[Kept] = []
        self._dropped: list[Kept] = []
        self._begun: deque[tuple[float, Share]] = deque()

    def __iter__(self) -> Iterator[Kept]:
        return iter(self._kept[:])

    def take(self, size: int, share: Share, now: float) -> Kept | None:
        """Return the graph of a size with one more user, to be made if it has no `made`; None if the caller must wait.

        Raises `TooManySizesError`.
        """
        kept = next((kept for kept in self._kept if kept.size == size), None) or self._begin(size, share, now)
        if kept is not None:
            kept.users += 1
            kept.used = now
            if share.has_token and not kept.share.has_token:
                kept.share = share
        return kept

    def drop(self, kept: Kept) -> None:
        """Give a graph to no further user."""
        if kept in self._kept:
            self._kept.remove(kept)
            self._dropped.append(kept)
            kept.is_dropped = True

    def removable(self) -> list[Kept]:
        """Return, once, the dropped graphs that have no users left."""
        found = [kept for kept in self._dropped if kept.is_idle]
        self._dropped = [kept for kept in self._dropped if not kept.is_idle]
        return found

    def _begin(self, size: int, share: Share, now: float) -> Kept | None:
        if any(kept.is_making and _take_turns(kept.share, share) for kept in self._kept):
            return None
        least = self._least_wanted(share, now) if len(self._kept) >= self._most else None
        if least is None and len(self._kept) >= self._most:
            return None
        self._count(share, now)
        if least is not None and least.is_idle and least.size < size:
            least.size, least.share, least.made, least.is_making = size, share, None, True
            return least
        if least is not None:
            self.drop(least)
        self._kept.append(Kept(size, share))
        return self._kept[-1]

    def _least_wanted(self, share: Share, now: float) -> Kept | None:
        idle = [kept for kept in self._kept if kept.is_idle]
        left = [kept for kept in idle if not kept.is_wanted(now)]
        own = [kept for kept in idle if kept.share == share]
        without = [kept for kept in idle if not kept.share.has_token]
        rest = [kept for kept in self._kept if not kept.share.has_token] or idle if share.has_token else []
        return min(left or own or without or rest, key=lambda kept: (kept.is_making, kept.used), default=None)

    def _count(self, share: Share, now: float) -> None:
        while self._begun and now - self._begun[0][0] >= _MINUTE:
            self._begun.popleft()
        if sum(1 for _, one in self._begun if one == share) >= MOST_SIZES:
            raise TooManySizesError(f"{MOST_SIZES} graphs of the past were made for this reader within a minute")
        if not share.has_token:
            made = sum(1 for _, one in self._begun if not one.has_token)
            if made >= MOST_SIZES_WITHOUT_TOKEN:
                message = f"{made} graphs of the past were made for readers without a token within a minute"
                raise TooManySizesError(message)
        self._begun.append((now, share))


def _take_turns(one: Share, other: Share) -> bool:
    """Return whether graphs in two shares are made one after the other: in the same, or in two without a token."""
    return one == other or not (one.has_token or other.has_token)
