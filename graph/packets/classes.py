"""The boundary class of each cited document, as every endpoint of the platform applies it (`graph.clearance`)."""

from collections import defaultdict
from collections.abc import Sequence

from a2ap.boundary import Boundary
from graph.clearance import boundary_of
from graph.store import Row, Store


async def classes_of(store: Store, rows: Sequence[Row]) -> list[Boundary]:
    """Return the class of the document in each row, which has `boundary`, `document_name` and `source_document`."""
    unstated = {name for row in rows if row["boundary"] is None for name in _names(row)}
    others: defaultdict[str, list[str]] = defaultdict(list)
    if unstated:
        for row in await store.read("boundaries_of_sources", ids=sorted(unstated)):
            others[row["source_id"]].append(row["boundary"])
    return [boundary_of(row["boundary"], [one for name in _names(row) for one in others[name]]) for row in rows]


def _names(row: Row) -> tuple[str, ...]:
    return tuple(name for name in (row["document_name"], row["source_document"]) if name is not None)
