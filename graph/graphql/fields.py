"""How methods become fields: the docstring is the description that GraphQL's own documentation shows."""

from collections.abc import Callable
from inspect import getdoc
from typing import TypeVar, cast

import strawberry

Method = TypeVar("Method", bound=Callable[..., object])


def resolved(method: Method) -> Method:
    """Make a method the resolver of the field of its name."""
    return cast(Method, strawberry.field(method, description=getdoc(method)))


def subscribed(method: Method) -> Method:
    """Make a method that yields events the resolver of the subscription of its name."""
    return cast(Method, strawberry.subscription(method, description=getdoc(method)))
