"""The accepted documents as one JSON-LD document, in log order, each as it was signed.

A statement has its derived state in `verificationStatus`, which is not part of what was signed: every signature still
holds. Of a document that cannot be given without text above the reader's clearance there is its id, hash and the
reason, under the type `a2ap:WithheldDocument`.
"""

from collections.abc import AsyncIterator
from typing import Any

from a2ap.boundary import Boundary
from a2ap.json_text import write_json
from a2ap.statement import ProvenanceStatement
from a2ap.verification_status import fill_verification_status
from contexts import A2AP_CONTEXT_URL
from graph.content.content_store import ContentStore
from graph.export.documents import StoredMessage, stored_messages
from graph.export.redaction import redacted_document
from graph.scoring.statuses import statuses_of
from graph.store import Store


async def json_ld(store: Store, content: ContentStore, size: int, clearance: Boundary) -> AsyncIterator[str]:
    """Yield the JSON-LD of the first `size` log entries, one document a line."""
    yield f'{{"@context": "{A2AP_CONTEXT_URL}", "@graph": ['
    separator = "\n"
    async for page in stored_messages(store, content, size, clearance):
        for document in await _filled(store, page):
            yield separator + write_json(document).decode()
            separator = ",\n"
    yield "\n]}\n"


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
