"""Takes in the messages that a peer's log has and this node's log lacks (docs/how-to/federation.md).

The order: (1) fetch the checkpoint: the agreed key, or one that it handed the log to, signed it; (2) check that its
tree begins with the trees checked before, from the files in the data folder and the notes in this node's log; (3) fetch
the new entries, and make sure that they are the leaves of that tree; (4) for each stretch of them, fetch the documents
that are not stored here, compare each with its entry, and check every signature with the key valid there; (5) hand them
to the ledger in the peer's order, behind the checkpoint that they rest on; (6) fetch the public sources that the peer's
statements cite. Errors in (6) are reported, and end nothing.

A pull that is killed goes on at the end of this node's log: messages stored already are found by their signed hashes. A
peer that lies is found in (1) to (4), before any message of the stretch is taken; it is suspended, and the proof kept
if there is one. Only the peer's own entries are taken: it vouches for no other node's.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from graph.federation.agreements import Agreement, agreement_with, equivocation_message, suspended
from graph.federation.errors import PeerError, PeerFaultError, PeerQuotaError
from graph.federation.given_documents import DocumentReader
from graph.federation.here import Here
from graph.federation.peer_client import PeerClient, open_peer
from graph.federation.peer_folder import PeerFolder
from graph.federation.peer_log import PeerLog
from graph.federation.source_fetch import SourceFetch, SourceReport
from graph.federation.taking import Taking
from graph.keys.signing_aside import signed_aside
from graph.submission.submission import Submission

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PullReport:
    """The result of a pull: the number of messages `taken`, and its end in the peer's log of `tree_size` entries.

    `waiting` counts the messages that lack another one, `withheld` those that the peer does not give, and `left` those
    that are not taken, in all. `stopped` says why the pull ended before the end of the log, if it did. `sources`
    reports on the sources that were to be fetched.
    """

    origin: str
    tree_size: int
    position: int
    taken: int
    waiting: int
    withheld: int
    left: int
    stopped: str | None = None
    sources: SourceReport = field(default_factory=SourceReport)


async def pull(here: Here, origin: str) -> PullReport:
    """Take in the new messages of a peer; raises `PeerError`, and `NotFoundError` if there is no agreement with it."""
    agreement = await agreement_with(here.store, origin)
    if agreement.suspended:
        raise PeerError(f"{origin} is suspended; adding it again takes it up again")
    if agreement.url is None:
        raise PeerError(f"no address is agreed for {origin}")
    with PeerFolder(here.data, origin) as folder:
        folder.progress.begin(f"{here.clock():%Y-%m-%d}")
        budget = agreement.quota.bytes_per_day - folder.progress.spent
        opened = open_peer(agreement.url, here.transport, here.clock, budget, private=agreement.private_address)
        async with opened as client:
            try:
                return await _pull(here, agreement, folder, client)
            except PeerFaultError as fault:
                folder.progress.fault = str(fault)
                await _suspend(here, agreement, fault, folder.progress.successions)
                raise
            finally:
                folder.progress.spent += client.spent
                folder.keep_progress()


async def _pull(here: Here, agreement: Agreement, folder: PeerFolder, client: PeerClient) -> PullReport:
    origin, progress = agreement.origin, folder.progress
    noted = await here.store.read("last_peer_checkpoints", origins=[origin], first=1)
    log = PeerLog(agreement, folder, client)
    documents = DocumentReader(client, here.content, here.node.agent_id)
    taking = Taking(here, agreement, folder, log, documents, int(noted[0]["tree_size"]) if noted else 0)
    stopped, sources = None, SourceReport()
    try:
        await log.fetch([row["checkpoint"] for row in noted])
        await log.extend()
        await taking.take_new()
        await taking.take_waiting()
    except PeerQuotaError as error:
        stopped = str(error)
    if stopped is None and here.fetch_bounds is not None:
        folder.keep_progress()
        sources = await SourceFetch(here, agreement, folder, client, here.fetch_bounds).fetch()
    if stopped is None and progress.size < log.checkpoint.tree_size:
        stopped = f"{agreement.quota.entries_per_pull} entries are taken in one pull"
    return PullReport(
        origin=origin,
        tree_size=log.checkpoint.tree_size,
        position=progress.position,
        taken=taking.number,
        waiting=len(progress.waiting),
        withheld=len(progress.withheld),
        left=progress.left_number,
        stopped=stopped,
        sources=sources,
    )


async def _suspend(here: Here, agreement: Agreement, fault: PeerFaultError, successions: Sequence[str]) -> None:
    """Note that the peer is no longer pulled, and the proof against it if there is one.

    `successions` are the notes by which the agreed log key was handed on.
    """
    logger.info("%s is suspended", agreement.origin)
    now = here.clock()
    if fault.contradiction is not None:
        notes, hashes = fault.contradiction
        shown = await signed_aside(
            here.node.key,
            lambda: equivocation_message(here.node, agreement.origin, notes, hashes, now, successions),
        )
        (outcome,) = await here.append([Submission(shown)])
        if isinstance(outcome, Exception):
            logger.error("the equivocation of %s cannot be kept: %s", agreement.origin, outcome)
    message = await signed_aside(here.node.key, lambda: suspended(agreement).message(here.node, now))
    (outcome,) = await here.append([Submission(message)])
    if isinstance(outcome, Exception):
        raise outcome
