"""Turns methods into fields; the docstring of a method is the description of its field."""

from collections.abc import Awaitable, Callable, Sequence
from inspect import getdoc
from typing import Any, TypeVar, cast

import strawberry

Method = TypeVar("Method", bound=Callable[..., object])
OfMany = Callable[..., Awaitable[Sequence[Any]]]
"""A method's resolver for many objects: it takes the objects, then the arguments of the method."""

TOGETHER = "together"
"""The metadata key of a field that can be answered for many objects at once: an `OfMany`."""


def resolved(method: Method) -> Method:
    """Make a method the resolver of the field of its name."""
    return cast(Method, strawberry.field(method, description=getdoc(method)))


def resolved_together(of_many: OfMany) -> Callable[[Method], Method]:
    """Make a method the resolver of the field of its name, answered for a whole list by `of_many` if possible."""

    def decorate(method: Method) -> Method:
        return cast(Method, strawberry.field(method, description=getdoc(method), metadata={TOGETHER: of_many}))

    return decorate


def subscribed(method: Method) -> Method:
    """Make a method that yields events the resolver of the subscription of its name."""
    return cast(Method, strawberry.subscription(method, description=getdoc(method)))
