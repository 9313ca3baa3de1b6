"""Splits long lists of names and rows into batches for one query each."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def pages_of(items: Sequence[T], most: int) -> Iterator[list[T]]:
    """Yield the items in order, up to `most` of them at a time."""
    for start in range(0, len(items), most):
        yield list(items[start : start + most])
