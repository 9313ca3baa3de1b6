"""Takes the texts that a reader may not see out of rows of the graph; the rules of clearance are elsewhere.

A withheld text is `""`, and a property `withheld` gives the reason. The subjects of a packet, the packets that it
supersedes, and the records about it are in its text: a relationship or a document that only these would show is left
out, and counted.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from a2ap.boundary import Boundary
from graph.clearance import boundary_of
from graph.dictionary.labels import DESCRIBED, PUBLIC_OF_PACKETS, SOURCE_TEXTS
from graph.store import Row, Store
from graph.withholding import Withholding


class WithheldRows:
    """Takes out of rows the texts that one reader is not cleared for, and counts the rows that are left out.

    `left_out` holds the numbers of nodes of a label and relationships of a type that this reader may not know of.
    """

    def __init__(self, store: Store, clearance: Boundary) -> None:
        self.left_out: Counter[str] = Counter()
        self._store = store
        self._withholding = Withholding(store, clearance)

    async def nodes(self, label: str, rows: list[Row]) -> list[Row]:
        """Return the nodes of a label that this reader may know of, their properties as it may have them."""
        if label == "Chunk":
            _withhold(rows, await self._withholding.of_documents(rows), label)
        elif label in DESCRIBED:
            _withhold(rows, await self._withholding.of_documents([_described(label, row) for row in rows]), label)
            return await self._without_packets_own(rows) if label == "Document" else rows
        elif label in SOURCE_TEXTS:
            await self._about(rows, [_statement_of(label, row) for row in rows], label)
        elif label in PUBLIC_OF_PACKETS:
            self._packets(rows, label)
        return rows

    async def edges(self, type: str, rows: list[Row]) -> list[Row]:
        """Return the relationships of a type that this reader may know of, their properties as it may have them."""
        kept = [row for row in rows if all(self._may_read(boundary) for boundary in row.get("boundaries", ()))]
        self.left_out[type] += len(rows) - len(kept)
        if type == "CITES":
            about = [{**row, "source_document": row["properties"].get("source_document")} for row in kept]
            _withhold(kept, await self._withholding.of_documents(about), type)
        elif type == "CHALLENGED":
            await self._about(kept, [row["end"] for row in kept], type)
        return kept

    async def _about(self, rows: Sequence[Row], statements: Sequence[str], label: str) -> None:
        """Take out the texts about statements that cite documents which this reader is not cleared for."""
        withheld = await self._withholding.of_statements(statements)
        for row, statement in zip(rows, statements, strict=True):
            if statement in withheld:
                _withhold([row], [withheld[statement].reason], label)

    def _packets(self, rows: Sequence[Row], label: str) -> None:
        """Reduce the records that this reader is not cleared for to the fact that they exist."""
        for row in rows:
            reason = self._withholding.reader.reason_withheld(boundary_of(row["boundary"]))
            if reason is not None:
                kept = {name: row["properties"].get(name) for name in PUBLIC_OF_PACKETS[label]}
                row["properties"] = {**kept, "withheld": reason}

    async def _without_packets_own(self, rows: Sequence[Row]) -> list[Row]:
        """Return the documents without those that are only the subjects of packets which this reader may not have."""
        unknown = [row["key"] for row in rows if row["properties"].get("boundary") is None]
        readable: dict[str, bool] = {}
        for row in await self._store.read("documents_items_are_about", hashes=unknown) if unknown else ():
            name = row["document_key"]
            readable[name] = readable.get(name, False) or self._may_read(row["boundary"])
        kept = [row for row in rows if readable.get(row["key"], True)]
        self.left_out["Document"] += len(rows) - len(kept)
        return kept

    def _may_read(self, boundary: str | None) -> bool:
        return boundary is None or self._withholding.reader.may_read(Boundary(boundary))


def _withhold(rows: Sequence[Row], reasons: Sequence[str | None], label: str) -> None:
    for row, reason in zip(rows, reasons, strict=True):
        properties = row["properties"]
        texts = [name for name in SOURCE_TEXTS[label] if properties.get(name)]
        if reason is None or not texts:
            continue
        for name in texts:
            found = properties[name]
            properties[name] = [""] * len(found) if isinstance(found, list) else ""
        properties["withheld"] = reason


def _described(label: str, row: Row) -> Row:
    """Return the row that gives the class of a document, or of a source: the strictest of the same name's documents."""
    if label == "Source":
        return {"boundary": None, "document_name": row["key"]}
    return {"boundary": row["properties"].get("boundary"), "document_name": row["properties"].get("doc_id")}


def _statement_of(label: str, row: Mapping[str, Any]) -> str:
    """Return the statement whose sources the words of a node may be."""
    if label == "Statement":
        return str(row["properties"]["signed_hash"])
    return str(row.get("statement") or row["properties"]["target_hash"])
