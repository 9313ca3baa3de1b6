"""The accepted documents as one JSON-LD document, in log order, each as it was signed.

A statement has its derived state in `verificationStatus`, which is not signed: every signature still holds. A document
that cannot be given without text above the reader's clearance is replaced by its id, hash and the reason, under the
type `a2ap:WithheldDocument`.
"""

from collections.abc import AsyncIterator
from typing import Any

from a2ap.json_text import write_json
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_status import fill_verification_status
from contexts import A2AP_CONTEXT_URL
from graph.export.documents import StoredMessage
from graph.export.reader import ExportReader
from graph.export.redaction import redacted_document
from graph.scoring.statuses import statuses_of
from graph.store import Store


async def json_ld(reader: ExportReader) -> AsyncIterator[bytes]:
    """Yield the JSON-LD of the messages, one document a line."""
    if reader.is_fresh:
        yield f'{{"@context": "{A2AP_CONTEXT_URL}", "@graph": ['.encode()
    async for page in reader.messages():
        separator = ",\n" if reader.tally.get("messages") else "\n"
        documents = await _filled(reader.store, page)
        reader.count("messages", len(page))
        yield separator.encode() + b",\n".join(write_json(document) for document in documents)
    yield b"\n]}\n"


async def _filled(store: Store, page: list[StoredMessage]) -> list[dict[str, Any]]:
    statements = [stored.entry.signed_hash for stored in page if isinstance(stored.message, ProvenanceStatement)]
    statuses = await statuses_of(store, statements) if statements else {}
    documents = []
    for stored in page:
        document = redacted_document(stored)
        if document is None:
            documents.append(_stub(stored))
        elif stored.entry.signed_hash in statuses:
            documents.append(fill_verification_status(document, statuses[stored.entry.signed_hash]))
        else:
            documents.append(dict(document))
    return documents


def _stub(stored: StoredMessage) -> dict[str, Any]:
    assert stored.withheld is not None
    return {
        "@id": stored.entry.id,
        "@type": "a2ap:WithheldDocument",
        "a2ap:documentHash": stored.entry.document_hash,
        "a2ap:withheld": stored.withheld.reason,
    }
