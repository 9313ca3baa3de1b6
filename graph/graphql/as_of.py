"""The argument `asOf`: the state of knowledge at a size of the log, or at a time.

Rules:

- Every field below a root field is as of the same size: this part of the answer is the answer that the platform would
  have given then. docs/reference/graphql.md lists the exceptions: the reader, erased content, classes, proofs.
- Only root fields that honour the argument have it.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from inspect import getdoc, isawaitable
from typing import Annotated, Any, TypeVar, cast

import strawberry
from strawberry.annotation import StrawberryAnnotation
from strawberry.extensions import FieldExtension, SchemaExtension
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.field import StrawberryField

from a2ap.times import format_instant
from graph.errors import InputError
from graph.graphql.context import Context
from graph.log.entry import log_size
from graph.platform import Platform

Method = TypeVar("Method", bound=Callable[..., object])

_ARGUMENT = "as_of"
_INSTANT = timedelta(microseconds=1)


@strawberry.input(description="A size of the log, or a time; exactly one of the two.")
class AsOf:
    """A moment in the history of the log."""

    log_size: int | None = strawberry.field(default=None, description="The number of entries in the log, 1 or more.")
    time: datetime | None = strawberry.field(
        default=None, description="A time; the log has the entries that this node had received by then."
    )

    async def moment(self, platform: Platform) -> tuple[int, datetime]:
        """Return the size of the log at the moment, and the time that counts as its present. Raises `InputError`."""
        size = await log_size(platform.store)
        match self.log_size, self.time:
            case int(asked), None:
                if not 1 <= asked <= size:
                    raise InputError(f"logSize is {asked}; the log has had sizes from 1 to {size}", "asOf.logSize")
                (last,) = await platform.store.read("log_entries_at", places=[asked - 1])
                return asked, last["received_at"]
            case None, datetime() as time:
                return await _size_at(platform, time, size), min(time, platform.clock())
            case _:
                both = self.log_size is not None
                raise InputError(f"{'both' if both else 'neither'} of logSize and time given, not one", "asOf")


async def _size_at(platform: Platform, time: datetime, size: int) -> int:
    """Return the number of entries before the first entry received after a time."""
    try:
        (later,) = await platform.store.read("first_entry_since", time=format_instant(time + _INSTANT))
    except OverflowError as error:
        raise InputError("time is the last that there is", "asOf.time") from error
    found: int = size if later["log_index"] is None else later["log_index"]
    if not found:
        raise InputError(f"time is {format_instant(time)}, before the first entry of the log", "asOf.time")
    return found


class InfoAsOf(strawberry.Info):
    """A resolver's info, with the context of the moment that its root field asks about."""

    @property
    def context(self) -> Context:
        """Return the present context, or the context of the moment that the root field asks about."""
        now: Context = self._raw_info.context
        return now.past.context_of(self._raw_info.path) or now


async def go_back(info: strawberry.Info, as_of: AsOf) -> None:
    """Answer all remaining fields below a root field as of a moment. Raises `InputError`."""
    now: Context = info.context
    await now.past.travel(now, info.path, *await as_of.moment(now.platform))


class _TimeTravel(FieldExtension):
    """Adds the argument to a root field, and applies it."""

    def apply(self, field: StrawberryField) -> None:
        annotation = Annotated[
            AsOf | None, strawberry.argument(description="The state at that moment; the current state if omitted.")
        ]
        if all(argument.python_name != _ARGUMENT for argument in field.arguments):
            argument = StrawberryArgument(_ARGUMENT, None, StrawberryAnnotation(annotation), default=None)
            field.arguments = [*field.arguments, argument]

    async def resolve_async(
        self, next_: Callable[..., Awaitable[Any]], source: Any, info: strawberry.Info, **kwargs: Any
    ) -> Any:
        as_of: AsOf | None = kwargs.pop(_ARGUMENT, None)
        if as_of is not None:
            await go_back(info, as_of)
        found = next_(source, info, **kwargs)
        return await found if isawaitable(found) else found


class LettingGo(SchemaExtension):
    """Releases the graphs of the past that an operation has used."""

    async def on_operation(self) -> AsyncIterator[None]:
        """Release the graphs at the end of the operation."""
        try:
            yield
        finally:
            context = self.execution_context.context
            if isinstance(context, Context):
                await context.past.aclose()


_TIME_TRAVEL = _TimeTravel()


def travelling(resolver: Callable[..., object], description: str) -> Any:
    """Return a root field that takes `asOf`."""
    return strawberry.field(resolver=resolver, description=description, extensions=[_TIME_TRAVEL])


def resolved_as_of(method: Method) -> Method:
    """Make a method the resolver of the root field of its name, with the argument `asOf`."""
    return cast(Method, strawberry.field(method, description=getdoc(method), extensions=[_TIME_TRAVEL]))
