"""What the platform must know of a format to keep its records: how they are read, written and blanked.

A reader of a format is one value. All of it is pure: the rows of a record depend on its bytes alone, so that a rebuild
makes the same nodes from stored bytes, and what the node finds out about a record is never taken from it.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from graph.log.row_lists import Row

RowsOf = Callable[[bytes, str], list[tuple[str, Row]]]


def _names_nothing(_content: bytes) -> Collection[str]:
    return ()


@dataclass(frozen=True, slots=True)
class RecordReader:
    """How records of a format become nodes with a label.

    `check` raises an `A2APError` for bytes that are none. `write` is the query that makes the node of a record of which
    only the hash is known, with rows `{record_hash, log_index}`. `rows_of` gets the bytes and their hash and returns
    what else is written, each row with its query. `blank` takes all of that away again, with rows `{record_hash}`, once
    the bytes are erased. `names` are the hashes of other bytes that may be handed in together with a record; where it
    is `whole` they must be, for they are given out with it, and whoever registers it is to have had them.
    """

    label: str
    check: Callable[[bytes], None]
    write: str
    rows_of: RowsOf
    blank: str
    names: Callable[[bytes], Collection[str]] = _names_nothing
    whole: bool = False
