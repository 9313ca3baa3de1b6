"""Parts long lists of names and rows into what one query gets at once."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def pages_of(items: Sequence[T], most: int) -> Iterator[list[T]]:
    """Yield the items in their order, `most` of them at a time."""
    for start in range(0, len(items), most):
        yield list(items[start : start + most])
