"""The context of one request, shared by its resolvers: the platform, the reader and the loaders."""

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
"""The maximum number of objects from relations in one request; nested queries multiply them."""


class Resuming:
    """The position at which the subscription of one operation resumes, as cursors.

    `last_event` is the Last-Event-ID of the request; `cursor` is the cursor of the event being delivered; `passed` is
    the cursor up to which all events were delivered.
    """

    def __init__(self, last_event: str | None = None) -> None:
        self.last_event = last_event
        self.cursor: str | None = None
        self.passed: str | None = None


class Context(BaseContext):
    """One request. `loaders` cache their rows, so they must not outlive the request.

    Its subscriptions, and the graphs of the past that it requests, count in its `share`. `cost` is the estimated rows
    that the operation, or one of its events, may read. `again` identifies a reader with a token again for the next
    event, and raises `UnauthenticatedError` if the token is no longer valid. `address` is the network address of the
    request.
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
        """Return the caller that submissions are counted for; None within the process, without a network."""
        return None if self._address is None else Caller(self._address, is_operator=self.reader.operator)

    async def renew(self) -> None:
        """Forget loaded rows before the next event of a subscription, and identify the reader again.

        Raises `UnauthenticatedError` if the reader's token was revoked.
        """
        if self.reader.peer_key is not None:
            self.reader = await peer_with(self.platform.store, self.reader.peer_key)
        elif self._again is not None:
            self.reader = self._again(self.reader)
        self.loaders = type(self.loaders)(self.platform.store, self.reader, self.platform.names.look_alikes)

    async def of_one_operation(self) -> "Context":
        """Return a context with separate loaders, for one of several operations on a connection."""
        context = copy(self)
        await context.renew()
        context.past = Past()
        context.resuming = Resuming()
        return context


class Budget:
    """Counts the objects of one answer, up to `MAX_OBJECTS`."""

    def __init__(self) -> None:
        self.spent = 0

    def spend(self, objects: int) -> None:
        """Count objects of the answer; raise `TooLargeError` if there are too many."""
        self.spent += objects
        if self.spent > MAX_OBJECTS:
            raise TooLargeError(f"the answer has more than {MAX_OBJECTS} objects")


Info = strawberry.Info[Context, None]


def check_first(first: int) -> int:
    """Return `first` if it is a valid page size; raise `InputError` otherwise."""
    if not 1 <= first <= MAX_PAGE:
        raise InputError(f"first is {first}, not from 1 to {MAX_PAGE}", "first")
    return first
