"""What every resolver of one request shares: the platform, the reader and the loaders."""

from collections.abc import Callable
from copy import copy
from typing import TYPE_CHECKING

import strawberry
from strawberry.fastapi import BaseContext

from graph.clearance import Reader
from graph.errors import InputError, TooLargeError
from graph.federation.peer_reader import peer_with
from graph.graphql.past import Past
from graph.lists.span import MAX_PAGE as MAX_PAGE
from graph.platform import Platform
from graph.quotas.caller import Caller
from graph.requests.share import UNNAMED, Share

if TYPE_CHECKING:
    from graph.graphql.loaders import Loaders

MAX_OBJECTS = 20_000
"""The relations of one request give at most so many objects; deep queries multiply."""


class Resuming:
    """Where the subscription of one operation goes on, as cursors: what the door was asked, and how far it has come.

    `last_event` is named beside the operation; `cursor` is of the event being told; all up to `passed` was told.
    """

    def __init__(self, last_event: str | None = None) -> None:
        self.last_event = last_event
        self.cursor: str | None = None
        self.passed: str | None = None


class Context(BaseContext):
    """One request. `loaders` remember what they have loaded, so they must not outlive it.

    Its subscriptions, and the graphs of the past that it asks for, count in its `share`.
    `cost` is what the operation may read by estimate, or one event of it. `again` says who a reader with a token is by
    the next event, and raises `UnauthenticatedError` for nobody. `address` is the network that the request comes from.
    """

    def __init__(
        self,
        platform: Platform,
        reader: Reader,
        loaders: "Loaders",
        share: Share = UNNAMED,
        again: Callable[[Reader], Reader] | None = None,
        address: str | None = None,
    ) -> None:
        super().__init__()
        self._address = address
        self._again = again
        self.share = share
        self.platform = platform
        self.reader = reader
        self.loaders = loaders
        self.past = Past()
        self.resuming = Resuming()
        self.cost = 0

    @property
    def caller(self) -> Caller | None:
        """Return for whom what is handed in counts; None within the process, without a network."""
        return None if self._address is None else Caller(self._address, is_operator=self.reader.operator)

    async def renew(self) -> None:
        """Forget what was loaded, for the next event of a subscription, and read on as who the reader is now.

        Raises `UnauthenticatedError` where the reader's token was taken away.
        """
        if self.reader.peer_key is not None:
            self.reader = await peer_with(self.platform.store, self.reader.peer_key)
        elif self._again is not None:
            self.reader = self._again(self.reader)
        self.loaders = type(self.loaders)(self.platform.store, self.reader)

    async def of_one_operation(self) -> "Context":
        """Return a context with loaders of its own, for one of several operations on a connection."""
        context = copy(self)
        await context.renew()
        context.past = Past()
        context.resuming = Resuming()
        return context


class Budget:
    """Counts the objects of one answer, `MAX_OBJECTS` at most."""

    def __init__(self) -> None:
        self.spent = 0

    def spend(self, objects: int) -> None:
        """Count objects of the answer; raise `TooLargeError` where there are too many."""
        self.spent += objects
        if self.spent > MAX_OBJECTS:
            raise TooLargeError(f"the answer has more than {MAX_OBJECTS} objects")


Info = strawberry.Info[Context, None]


def check_first(first: int) -> int:
    """Return `first` where it is a size of a page; raise `InputError`."""
    if not 1 <= first <= MAX_PAGE:
        raise InputError(f"first is {first}, not from 1 to {MAX_PAGE}", "first")
    return first
