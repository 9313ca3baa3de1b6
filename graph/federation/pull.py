"""Takes in what a peer's log has that ours has not (docs/federation.md).

The order: (1) fetch the checkpoint: the agreed key, or one that it handed the log to, signed it; (2) its tree begins
with the trees that were checked before, by what is kept in the data folder and what our log notes; (3) fetch the
entries that are new, and make sure that they are the leaves of that tree; (4) for each stretch of them, fetch the
documents that are not here, compare each with its entry, and check every signature with the key valid there; (5) hand
them to the ledger in the peer's order, behind the checkpoint that they rest on; (6) fetch the public sources that the
peer's statements cite. What goes wrong in (6) is reported, and ends nothing.

A pull that is killed goes on where our log ends: what is here already is found by its signed hash. A peer that lies
is found in (1) to (4), before anything of the stretch is taken; it is suspended, and the proof kept where there is
one. Only the peer's own entries are taken: it vouches for nobody else's.
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
from graph.log.submission import Submission

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PullReport:
    """What a pull did: how many messages were `taken`, and where in the peer's log of `tree_size` entries it ended.

    `waiting` are those that lack something, `withheld` those that the peer does not give, and `left` those that are not
    taken, in all. `stopped` says why it ended before the end of the log, where it did. `sources` says what became
    of the sources that were to be fetched.
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
    """Take in what is new of a peer; raises `PeerError`, and `NotFoundError` where nothing is agreed with it."""
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
    """Note that the peer is not pulled any more, and the proof against it where there is one.

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
