"""Works out anew whether requests wait, after a policy with other seeds: in pages, each in its own transaction.

As with scores (`graph.scores.recomputation`), the progress is stored in the graph, so that another server, or the next
start, can take the next page. Messages written in between follow the new policy at once, and a newer policy begins
anew. The result is a function of the log, independent of the messages in between.
"""

import secrets

from graph.requests.settling import settle
from graph.store import InTransaction, Store, Transaction

PAGE = 200
"""The most requests in one transaction."""


async def begin_resettling(transaction: Transaction) -> None:
    """Note that all requests are to be looked at again, and look at the first page: all of them if they are few."""
    await transaction.run("begin_resettling")
    await _resettle_next(transaction)


async def resettle_page(store: Store) -> bool:
    """Look at the next page in a transaction; return whether more are left."""

    async def work(transaction: Transaction) -> bool:
        await transaction.run("lock_log_head", nonce=secrets.token_hex(8))
        return await _resettle_next(transaction)

    return await store.write(work)


async def finish_resettling(store: Store) -> None:
    """Look at all the pages that are left."""
    if await is_resettling(store):
        while await resettle_page(store):
            pass


async def is_resettling(store: Store) -> bool:
    """Return whether the notes on some requests may follow a policy that is no longer in force."""
    return any(row["after"] is not None for row in await store.read("resettling_left"))


async def _resettle_next(transaction: Transaction) -> bool:
    (left,) = await transaction.run("resettling_left")
    if left["after"] is None:
        return False
    rows = await transaction.run("requests_wanting", after=left["after"], first=PAGE)
    names = [row["signed_hash"] for row in rows]
    if names:
        await settle(transaction, InTransaction(transaction), names)
    if len(names) < PAGE:
        await transaction.run("end_resettling")
        return False
    await transaction.run("note_resettled", after=names[-1])
    return True
