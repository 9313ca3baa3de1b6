"""The port that a record format implements: its checking, writing and blanking.

A reader of a format is one value. All of it is pure: the rows of a record depend on its bytes alone, so that a rebuild
makes the same nodes from stored bytes, and facts that the node finds out about a record are never taken from it.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from graph.log.row_lists import Row

RowsOf = Callable[[bytes, str], list[tuple[str, Row]]]


def _names_nothing(_content: bytes) -> Collection[str]:
    return ()


@dataclass(frozen=True, slots=True)
class RecordReader:
    """The way in which records of a format become nodes with a label.

    `check` raises an `A2APError` for bytes of another format. `write` is the query that makes the node of a record
    known only by its hash, with rows `{record_hash, log_index}`. `rows_of` gets the bytes and their hash and returns
    all other rows, each with its query. `blank` removes those again, with rows `{record_hash}`, once the bytes are
    erased. `names` returns the hashes of other bytes that may be submitted together with a record; if it is `whole`
    they must be, because they are given out with it, and the registering agent must have had them.
    """

    label: str
    check: Callable[[bytes], None]
    write: str
    rows_of: RowsOf
    blank: str
    names: Callable[[bytes], Collection[str]] = _names_nothing
    whole: bool = False
