"""Sources: the bytes of registered documents, and what changes in the graph when they arrive."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

from a2ap.message import read_message
from a2ap.statement import ProvenanceStatement
from graph.content.content_store import ContentStore
from graph.errors import ConflictError, NotRegisteredError, RedactedError
from graph.evidence.chunk_texts import fill_chunk_texts, mark_held
from graph.evidence.machine import check_statement, sign_verdict
from graph.evidence.reader import EvidenceReader
from graph.log.batch_plan import Outcome, Submission
from graph.log.state_loader import log_size
from graph.node import Node
from graph.retention.erasing import erase
from graph.retention.redactions import redactions_of
from graph.retention.standing import read_standing
from graph.store import Store

_PAGE = 500

Append = Callable[[Sequence[Submission]], Awaitable[list[Outcome]]]


class Sources:
    """Takes in the bytes of registered sources and has the machine look again at the statements that cite them."""

    def __init__(
        self,
        store: Store,
        content: ContentStore,
        node: Node,
        evidence: EvidenceReader,
        append: Append,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._content = content
        self._node = node
        self._evidence = evidence
        self._append = append
        self._clock = clock

    async def put(self, document_hash: str, chunks: AsyncIterator[bytes]) -> bool:
        """Store the bytes of a registered source; return whether they were new.

        When this returns the bytes are durable and every statement that cites them has been checked against them.
        Raises `NotRegisteredError` where no agent registered that hash,
        `ContentMismatchError` where they have another, `RedactedError` where they were erased.
        """
        (known,) = await self._store.read("documents_known", hashes=[document_hash]) or [{}]
        if not known.get("registration_hash"):
            raise NotRegisteredError(f"no agent registered {document_hash} as a source")
        await self._check_not_erased(document_hash)
        length = await self._content.put_stream(chunks, expected=document_hash)
        try:
            await mark_held(self._store, document_hash, length)
        except RedactedError:
            # It was erased while its bytes arrived again.
            await erase(self._store, self._content, document_hash)
            raise
        await fill_chunk_texts(self._store, self._content, document_hash)
        await self.check_again(document_hash)
        return not known["held"]

    async def _check_not_erased(self, document_hash: str) -> None:
        erased = (await redactions_of(self._store, [document_hash])).get(document_hash)
        if erased:
            raise RedactedError(f"{document_hash} was {erased[-1].sentence}")

    async def check_again(self, document_hash: str) -> None:
        """Have the machine look again at each statement that cites the document and has not passed.

        A new verdict is appended only where it says something else than the last one.
        """
        after = -1
        while True:
            page = await self._store.read(
                "statements_citing_document", document_hash=document_hash, after=after, first=_PAGE
            )
            if not page:
                return
            after = page[-1]["log_index"]
            for outcome in await self._append(await self._verdicts(page)):
                # A conflict is another server's verdict on the same statement, at the same size of the log: sources
                # are never taken away, so that it says the same.
                if isinstance(outcome, Exception) and not isinstance(outcome, ConflictError):
                    raise outcome

    async def _verdicts(self, page: Sequence[dict[str, Any]]) -> list[Submission]:
        documents = await read_standing(self._store, self._content, [row["document_hash"] for row in page])
        statements = [_statement(document) for document in documents]
        hashes = {segment.document_hash for statement in statements for segment in statement.evidence}
        known = await self._store.read("documents_known", hashes=sorted(name for name in hashes if name))
        held = {document["document_hash"] for document in known if document["held"]}
        names = {document["document_hash"]: document["sources"] for document in known}
        size = await log_size(self._store)
        verdicts = []
        for row, statement in zip(page, statements, strict=True):
            cited = await self._evidence.cited_bytes(statement, held)
            comparable = [
                segment.source_document in names.get(segment.document_hash or "", ()) for segment in statement.evidence
            ]
            result = check_statement(statement, cited, comparable)
            if result.check.status != row["machine_check"]:
                verdict = await sign_verdict(self._node, statement, result, self._clock(), repeat=size)
                verdicts.append(Submission(verdict))
        return verdicts


def _statement(document: bytes) -> ProvenanceStatement:
    statement = read_message(document)
    assert isinstance(statement, ProvenanceStatement)
    return statement
