"""The texts that are withheld from a reader that is not cleared for them (docs/decisions/0041).

The rules are those of `graph.clearance`. A withheld text is `""` and a property `withheld` beside it gives the reason;
a document whose signed bytes hold such a text cannot be given without it. A registration describes its source in such
texts, so that it is withheld with the source (docs/decisions/0041).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from a2ap.boundary import Boundary
from graph.clearance import Reader, boundary_of
from graph.store import Row, Store


@dataclass(slots=True)
class Withheld:
    """The withheld texts of one statement or registration, by the documents and passages they quote; and the reason.

    The documents are named by key, the passages are those that were erased.
    """

    documents: set[str]
    reason: str
    boundary: Boundary
    passages: set[tuple[str, int, int]] = field(default_factory=set)

    @property
    def is_erased(self) -> bool:
        """Whether erased passages are all that is withheld, so that no reader gets them."""
        return bool(self.passages) and not self.documents

    def hides(self, document: str, start: int, end: int) -> bool:
        """Return whether the quote of these bytes of a document is withheld."""
        return document in self.documents or (document, start, end) in self.passages


class Withholding:
    """Decides which texts one reader may see."""

    def __init__(self, store: Store, clearance: Boundary) -> None:
        self.reader = Reader(clearance)
        self._store = store

    async def of_documents(self, rows: Sequence[Row]) -> list[str | None]:
        """Return for each row that names a document the reason why its text is withheld, None if it is not.

        The columns of a row are those that `classes_of` reads.
        """
        if self._may_read_all:
            return [None] * len(rows)
        return [self.reader.reason_withheld(boundary) for boundary in await classes_of(self._store, rows)]

    async def of_sources(self, hashes: Collection[str]) -> Mapping[str, Withheld]:
        """Return the withheld parts of the registrations of these documents, by hash; most have none and are left out.

        The class of the document counts, not the class that a registration of it states.
        """
        if not hashes or self._may_read_all:
            return {}
        keys = sorted(set(hashes))
        rows = await self._store.read("classes_of_documents", keys=keys, readable=list(self.reader.readable))
        found: dict[str, Withheld] = {}
        for row, boundary in zip(rows, await classes_of(self._store, rows), strict=True):
            reason = self.reader.reason_withheld(boundary)
            if reason is not None:
                found[row["key"]] = Withheld({row["key"]}, reason, boundary)
        return found

    async def of_statements(self, hashes: Collection[str]) -> Mapping[str, Withheld]:
        """Return the withheld parts of these statements, by signed hash; most have none and are left out.

        The texts of verifiers about a statement have the class of the strictest document that it cites.
        """
        if not hashes:
            return {}
        found = {} if self._may_read_all else await self._of_classes(hashes)
        # Erased texts are withheld from everybody.
        for row in await self._store.read("passages_redacted", hashes=sorted(set(hashes))):
            known = found.setdefault(row["statement"], Withheld(set(), row["redacted"], Boundary.PUBLIC))
            known.passages.add((row["document"], row["byte_start"], row["byte_end"]))
        return found

    async def _of_classes(self, hashes: Collection[str]) -> dict[str, Withheld]:
        rows = await self._store.read("boundaries_cited", hashes=sorted(set(hashes)))
        found: dict[str, Withheld] = {}
        for row, boundary in zip(rows, await classes_of(self._store, rows), strict=True):
            reason = self.reader.reason_withheld(boundary)
            if reason is None:
                continue
            known = found.setdefault(row["statement"], Withheld(set(), reason, boundary))
            known.documents.add(row["document"])
            if boundary > known.boundary:
                known.reason, known.boundary = reason, boundary
        return found

    @property
    def _may_read_all(self) -> bool:
        return all(self.reader.may_read(boundary) for boundary in Boundary)


async def classes_of(store: Store, rows: Sequence[Row]) -> list[Boundary]:
    """Return the class of the document that each row names.

    A row has `boundary` and `document_name`, and may have `source_document`: the document's name in a citation.
    """
    unstated = {name for row in rows if row["boundary"] is None for name in _names(row)}
    stated: dict[str, list[str]] = {name: [] for name in unstated}
    if unstated:
        for found in await store.read("boundaries_of_sources", ids=sorted(unstated)):
            stated[found["source_id"]].append(found["boundary"])
    return [
        boundary_of(row["boundary"], [other for name in _names(row) for other in stated.get(name, ())]) for row in rows
    ]


def _names(row: Row) -> tuple[str, ...]:
    return tuple(name for name in (row["document_name"], row.get("source_document")) if name)
