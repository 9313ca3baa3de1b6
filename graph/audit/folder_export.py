"""The files for an off-line audit, beside checkpoint and tiles: documents, sources, and the rows of the graph.

The folder is read by `graph.audit.folder_node`, which documents its layout. A document that this reader may not read is
named in a `.json` file with the reason. Files of an earlier export in the folder are deleted if they have been erased
since or are not for this reader.
"""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from a2ap.boundary import Boundary
from graph.audit.folder_node import GRAPH, MESSAGES, SOURCES, file_of
from graph.clearance import Reader, boundary_of
from graph.content.content_store import ContentStore
from graph.errors import ContentNotFoundError
from graph.export import ExportFormat, export
from graph.export.messages_by_hash import MAX_HASHES, FoundMessage, messages_by_hash
from graph.retention.erasing import all_redactions, erased_names
from graph.retention.redactions import RedactionRecord, redactions_of
from graph.store import Store


async def export_documents(store: Store, content: ContentStore, folder: Path, size: int, clearance: Boundary) -> None:
    """Write the documents of the first `size` entries, and all held sources and records, for a reader's clearance."""
    await _forget_erased(store, folder)
    for start in range(0, size, MAX_HASHES):
        rows = await store.read("log_entries_from", start=start, first=min(MAX_HASHES, size - start))
        hashes = [row["document_hash"] for row in rows]
        found = await messages_by_hash(store, content, hashes, clearance)
        left = [one.redaction.redacted_document_hash for one in found if one.redaction is not None]
        found += await messages_by_hash(store, content, [name for name in left if name is not None], clearance)
        await asyncio.to_thread(_write_messages, folder / MESSAGES, found)
    for row in await store.read("registered_documents"):
        await _write_source(store, content, folder / SOURCES, row["document_hash"], Reader(clearance))
    for row in await store.read("held_records"):
        await _write_source(store, content, folder / SOURCES, row["document_hash"], Reader(clearance), held=True)


async def export_graph(store: Store, content: ContentStore, folder: Path, size: int, clearance: Boundary) -> None:
    """Write the rows of the graph at that tree size."""
    with (folder / GRAPH).open("wb") as file:
        async for piece in export(store, content, ExportFormat.GRAPH_ROWS, clearance, size):
            await asyncio.to_thread(file.write, piece)


async def _forget_erased(store: Store, folder: Path) -> None:
    async for record in all_redactions(store):
        rows = await store.read("redactions_by_target", targets=[record.target])
        for name in erased_names([RedactionRecord.from_row(row) for row in rows]):
            for kind in (MESSAGES, SOURCES):
                file_of(folder / kind, name).unlink(missing_ok=True)


def _write_messages(folder: Path, found: Sequence[FoundMessage]) -> None:
    for message in found:
        path = file_of(folder, message.document_hash)
        path.parent.mkdir(parents=True, exist_ok=True)
        if message.content is not None:
            path.write_bytes(message.content)
            _note_of(path).unlink(missing_ok=True)
        elif message.redaction is not None:
            redaction = message.redaction
            redacted = {"by": redaction.redaction_id, "documentHash": redaction.redacted_document_hash}
            _write_note(path, {"redacted": redacted})
        elif message.withheld is not None:
            _write_note(path, {"withheld": message.withheld})


async def _write_source(
    store: Store, content: ContentStore, folder: Path, name: str, reader: Reader, *, held: bool = False
) -> None:
    (known,) = await store.read("documents_known", hashes=[name])
    if erased := (await redactions_of(store, [name])).get(name):
        # The source of erased passages is there under the hash that it has since.
        name = erased[-1].redacted_document_hash or name
    if not await content.has(name) or not (held or known["held"] or erased):
        return
    path = file_of(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    reason = reader.reason_withheld(boundary_of(known["boundary"]))
    if reason is not None:
        _write_note(path, {"withheld": reason})
        return
    _note_of(path).unlink(missing_ok=True)
    try:
        with path.open("wb") as file:
            async for piece in content.stream(name):
                await asyncio.to_thread(file.write, piece)
    except ContentNotFoundError:
        path.unlink()


def _write_note(path: Path, members: dict[str, Any]) -> None:
    """Write the reason why a file is missing, and delete the file if it exists."""
    path.unlink(missing_ok=True)
    _note_of(path).write_text(json.dumps(members) + "\n", encoding="utf-8")


def _note_of(path: Path) -> Path:
    return path.with_name(path.name + ".json")
