"""Spans: the requested part of an ordered list, by first and after, or last and before.

The argument names and their meaning are those of the GraphQL Cursor Connections Specification: the list is cut behind
`after` and ahead of `before`, and then its first or last entries are taken, up to the number given.
"""

from dataclasses import dataclass

from graph.errors import InputError
from graph.lists.cursor import Key, Ordering, decode_cursor

DEFAULT_PAGE = 20
"""The number of entries if none is given."""

MAX_PAGE = 200
"""The most that `first` and `last` can request."""

MAX_COUNTED = 10_000
"""A list that is longer is not counted to its end."""


@dataclass(frozen=True, slots=True)
class Span:
    """The first `count` entries of a list between two keys, both exclusive; the last ones if it is `backward`."""

    ordering: Ordering
    count: int = DEFAULT_PAGE
    backward: bool = False
    after: Key | None = None
    before: Key | None = None

    @classmethod
    def asked(
        cls, ordering: Ordering, first: int | None, after: str | None, last: int | None, before: str | None
    ) -> "Span":
        """Return the span that the arguments of a field select. Raises `InputError`."""
        if first is not None and last is not None:
            raise InputError("first and last are given, not one of them", "last")
        backward = last is not None
        count = last if last is not None else DEFAULT_PAGE if first is None else first
        if not 1 <= count <= MAX_PAGE:
            name = "last" if backward else "first"
            raise InputError(f"{name} is {count}, not from 1 to {MAX_PAGE}", name)
        return cls(
            ordering,
            count,
            backward,
            None if after is None else decode_cursor(ordering, after, "after"),
            None if before is None else decode_cursor(ordering, before, "before"),
        )

    @property
    def sign(self) -> int:
        """Return 1 if entries are read from the smallest key on, -1 if from the largest."""
        return -1 if self.ordering.descending != self.backward else 1

    @property
    def low(self) -> Key | None:
        """Return the key above which all entries lie."""
        return self.before if self.ordering.descending else self.after

    @property
    def high(self) -> Key | None:
        """Return the key below which all entries lie."""
        return self.after if self.ordering.descending else self.before

    @property
    def limit(self) -> int:
        """Return the number of entries to read: one more than is shown, to tell whether more follow."""
        return self.count + 1

    def whole(self, limit: int) -> "Span":
        """Return the first `limit` entries of the same list, to count them."""
        return Span(self.ordering, limit)
