"""What every resolver of one request shares: the platform, the reader and the loaders."""

from copy import copy
from typing import TYPE_CHECKING

import strawberry
from strawberry.fastapi import BaseContext

from graph.clearance import Reader
from graph.errors import InputError, TooLargeError
from graph.platform import Platform

if TYPE_CHECKING:
    from graph.graphql.loaders import Loaders

MAX_OBJECTS = 20_000
"""The relations of one request give at most so many objects; deep queries multiply."""

MAX_PAGE = 200
"""The most that `first` can ask for."""


class Context(BaseContext):
    """One request. `loaders` remember what they have loaded, so they must not outlive it.

    `subscriber` names whose share of the subscriptions its own are counted in: a token, or an address without one.
    """

    def __init__(self, platform: Platform, reader: Reader, loaders: "Loaders", subscriber: str = "") -> None:
        super().__init__()
        self.subscriber = subscriber
        self.platform = platform
        self.reader = reader
        self.loaders = loaders

    def renew(self) -> None:
        """Forget what was loaded, for the next event of a subscription."""
        self.loaders = type(self.loaders)(self.platform.store, self.reader)

    def of_one_operation(self) -> "Context":
        """Return a context with loaders of its own, for one of several operations on a connection."""
        context = copy(self)
        context.renew()
        return context


class Budget:
    """Counts the objects of one answer, `MAX_OBJECTS` at most."""

    def __init__(self) -> None:
        self._left = MAX_OBJECTS

    def spend(self, objects: int) -> None:
        """Count objects of the answer; raise `TooLargeError` where there are too many."""
        self._left -= objects
        if self._left < 0:
            raise TooLargeError(f"the answer has more than {MAX_OBJECTS} objects")


Info = strawberry.Info[Context, None]


def check_first(first: int) -> int:
    """Return `first` where it is a size of a page; raise `InputError`."""
    if not 1 <= first <= MAX_PAGE:
        raise InputError(f"first is {first}, not from 1 to {MAX_PAGE}", "first")
    return first
