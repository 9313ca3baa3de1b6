"""How methods become fields: the docstring is the description that GraphQL's own documentation shows."""

from collections.abc import Awaitable, Callable, Sequence
from inspect import getdoc
from typing import Any, TypeVar, cast

import strawberry

Method = TypeVar("Method", bound=Callable[..., object])
OfMany = Callable[..., Awaitable[Sequence[Any]]]
"""What a method answers, for many objects: it is given them first and then what the method is given."""

TOGETHER = "together"
"""The metadata of a field that can be asked of many objects at once: an `OfMany`."""


def resolved(method: Method) -> Method:
    """Make a method the resolver of the field of its name."""
    return cast(Method, strawberry.field(method, description=getdoc(method)))


def resolved_together(of_many: OfMany) -> Callable[[Method], Method]:
    """Make a method the resolver of the field of its name, which is asked of a whole list by `of_many` where it can."""

    def decorate(method: Method) -> Method:
        return cast(Method, strawberry.field(method, description=getdoc(method), metadata={TOGETHER: of_many}))

    return decorate


def subscribed(method: Method) -> Method:
    """Make a method that yields events the resolver of the subscription of its name."""
    return cast(Method, strawberry.subscription(method, description=getdoc(method)))
