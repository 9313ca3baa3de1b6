"""Checks the bytes of all registered sources, and has the machine check statements again if bytes have changed or gone.

Each source is read whole and compared with its hash: a disk may have lost or damaged it. A source that is no longer
held is noted as such, one that is there again is held again, and statements that cite either are checked. The recheck
can be stopped at any source and goes on after the last one it reported; it may run beside a server.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from graph.content.content_store import ContentStore
from graph.evidence.chunk_texts import fill_chunk_texts, mark_held
from graph.retention.named_content import kept_for_others
from graph.retention.redactions import redactions_of
from graph.store import Row, Store, Transaction
from graph.submission.sources import Sources

_PAGE = 100


@dataclass(frozen=True, slots=True)
class RecheckedSource:
    """A source that was checked: whether it is held, whether it was held before, and the number of verdicts made."""

    document_hash: str
    held: bool
    was_held: bool
    verdicts: int


async def recheck_sources(
    store: Store, content: ContentStore, sources: Sources, *, after: str = ""
) -> AsyncIterator[RecheckedSource]:
    """Yield the registered sources after `after`, by hash, each once it has been checked."""
    while page := await store.read("documents_from", after=after, first=_PAGE):
        after = page[-1]["document_hash"]
        names = [row["document_hash"] for row in page]
        erased = await redactions_of(store, names)
        kept = await kept_for_others(store, names)
        for row in page:
            name = row["document_hash"]
            not_ours = name in kept and not row["held"]
            held = name not in erased and not not_ours and await sources.evidence.intact(name)
            yield await _recheck(store, content, sources, row, held=held)


async def _recheck(store: Store, content: ContentStore, sources: Sources, row: Row, *, held: bool) -> RecheckedSource:
    name, was_held = row["document_hash"], bool(row["held"])
    if held and not was_held:
        await mark_held(store, name, await content.size(name))
        await fill_chunk_texts(store, content, name)
    elif was_held and not held:
        await store.write(lambda transaction: _mark_lost(transaction, name))
    verdicts = await sources.check_again(name, passed=True)
    return RecheckedSource(name, held, was_held, verdicts)


async def _mark_lost(transaction: Transaction, name: str) -> None:
    await transaction.run("mark_document_lost", document_hash=name)
