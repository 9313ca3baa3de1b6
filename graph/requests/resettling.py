"""Works out anew whether requests wait, after a policy with other seeds: a page at a time, each in its own transaction.

As with scores (`graph.scoring.rescoring`), how far it has come is in the graph, so that the next page may be another
server's, or that of the next start. What others write in between is followed by the new policy at once, and a policy
that comes meanwhile begins anew. What comes out is a function of the log, whatever came in between.
"""

import secrets

from graph.log.state_loader import InTransaction
from graph.requests.settling import settle
from graph.store import Store, Transaction

PAGE = 200
"""So many requests are in one transaction."""


async def begin_resettling(transaction: Transaction) -> None:
    """Note that all requests are to be looked at again, and look at the first page: all of them where they are few."""
    await transaction.run("begin_resettling")
    await _resettle_next(transaction)


async def resettle_page(store: Store) -> bool:
    """Look at the next page in a transaction; return whether more are left."""

    async def work(transaction: Transaction) -> bool:
        await transaction.run("lock_log_head", nonce=secrets.token_hex(8))
        return await _resettle_next(transaction)

    return await store.write(work)


async def finish_resettling(store: Store) -> None:
    """Look at whatever is left."""
    if await is_resettling(store):
        while await resettle_page(store):
            pass


async def is_resettling(store: Store) -> bool:
    """Say whether what is noted of some requests may be by a policy that is in force no longer."""
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
