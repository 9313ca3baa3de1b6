"""The platform as its interfaces use it: submit a signed document, get a receipt; submit a source; read scores."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from datetime import UTC, datetime

from a2ap.boundary import STRICTEST, Boundary
from a2ap.messages.message import Message, MessageType
from a2ap.messages.policy import Policy
from a2ap.messages.redaction import Redaction
from a2ap.signing.keys import Signer
from graph.answers.asking import Asking
from graph.content.content_store import ContentStore, open_content_store
from graph.content.space import Space
from graph.errors import ConflictError, NodeError
from graph.evidence.reader import EvidenceReader
from graph.keys.node_signers import open_log_signer, open_node
from graph.keys.signing_aside import signed_aside
from graph.log.entry import Outcome, Receipt
from graph.log.watch import LogWatch
from graph.names.agent_names import AgentNames
from graph.node import Node
from graph.past.engine import PastEngine, remove_leftovers
from graph.past.pasts import Pasts
from graph.quotas.caller import Caller
from graph.quotas.counters import counted_in
from graph.requests.following import MAX_CONNECTIONS, MAX_CONNECTIONS_OF_READER, Subscribers
from graph.requests.query_budget import EXPORTS, OPERATIONS, QueryBudget
from graph.retention.erasing import finish_erasing
from graph.search.search import Search, open_search
from graph.settings import Settings
from graph.sparql.folder import remove_stores
from graph.store import Store, open_store
from graph.submission.epoch_keeper import EpochKeeper
from graph.submission.gate import QuotaGate
from graph.submission.leases import Leases
from graph.submission.ledger import Ledger
from graph.submission.log_key_rotation import ensure_log_key
from graph.submission.planner import Planner
from graph.submission.sources import Sources, look_at_changes
from graph.submission.submission import Submission
from graph.submission.submitter import Submitter
from graph.submission.writer import Writer
from graph.transparency.log import Log
from graph.transparency.open_log import open_log
from graph.transparency.witnesses import asking_witnesses, witnesses_to_ask

logger = logging.getLogger(__name__)


def utc_now() -> datetime:
    """Return the time of day; the one place where the platform reads a clock."""
    return datetime.now(UTC)


class Platform:
    """One process's access to the graph: the store, the content store, the node and the one writer."""

    def __init__(
        self,
        store: Store,
        content: ContentStore,
        node: Node,
        settings: Settings,
        evidence: EvidenceReader,
        writer: Writer,
        clock: Callable[[], datetime],
        log: Log,
        watch: LogWatch,
        epochs: EpochKeeper,
        search: Search,
        pasts: Pasts,
        space: Space,
        quotas: QuotaGate,
    ) -> None:
        self.store = store
        self.search = search
        self.names = AgentNames(store)
        self.pasts = pasts
        self.log = log
        self.content = content
        self.evidence = evidence
        self.node = node
        self.settings = settings
        self.clock = clock
        self.watch = watch
        self.epochs = epochs
        self.space = space
        self.quotas = quotas
        self.subscribers = Subscribers()
        self.connections = Subscribers(MAX_CONNECTIONS, MAX_CONNECTIONS_OF_READER, "connections")
        self.own_queries = QueryBudget()
        self.operations = QueryBudget(OPERATIONS)
        self.exports = QueryBudget(EXPORTS)
        self.asking = Asking(search, settings, clock, self.own_queries)
        self.leases = Leases(store, self.watch, clock, node.agent_id)
        self._submitter = Submitter(node, writer, self._follow, quotas)
        self.sources = Sources(store, content, node, evidence, self.append, clock, quotas)

    async def submit(
        self,
        data: bytes,
        *,
        expected: MessageType | None = None,
        authenticated: bool = False,
        clearance: Boundary = STRICTEST,
        caller: Caller | None = None,
    ) -> Receipt:
        """Check and append one signed document, as received; return its receipt once it is durable.

        A document of another type than `expected` is refused. An unsigned verification request is taken from an
        `authenticated` caller only, and countersigned. Evidence is compared with sources within the caller's
        `clearance`. The same signed bytes get their first receipt again. Submissions of a `caller` count for quotas.
        Raises the errors of `read_message` and `check_message`, and `QuotaError`.
        """
        return await self._submitter.submit(
            data, expected=expected, authenticated=authenticated, clearance=clearance, caller=caller
        )

    async def submit_many(
        self,
        documents: Sequence[bytes],
        *,
        authenticated: bool = False,
        clearance: Boundary = STRICTEST,
        contents: Sequence[bytes] = (),
        caller: Caller | None = None,
    ) -> list[Outcome]:
        """Check and append many documents in order; a bad document is one error in the result and stops no other.

        `contents` holds the bytes of the records that these documents register; the contents that a pack names are not
        taken here.
        """
        return await self._submitter.submit_many(
            documents, authenticated=authenticated, clearance=clearance, contents=contents, caller=caller
        )

    async def append(
        self, submissions: Sequence[Submission], caller: Caller | None = None, *, received: bool = False
    ) -> list[Outcome]:
        """Append messages that are already read; the writer groups them with other arrivals.

        They count for the quotas of a `caller`; `received` says that the node has signed them for this caller.
        """
        return await self._submitter.append(submissions, caller, received=received)

    async def finish(self) -> None:
        """Wait until all submissions are written and followed up, also those of callers that have gone."""
        await self._submitter.finish()

    async def _follow(self, submissions: Sequence[Submission], outcomes: Sequence[Outcome]) -> None:
        """Carry out the effects of messages before their senders are answered: a policy's sender sees its scores."""
        redactions = [
            outcome
            for one, outcome in zip(submissions, outcomes, strict=True)
            if isinstance(one.message, Redaction) and isinstance(outcome, Receipt)
        ]
        # One that is sent again takes away nothing that was made after it: anybody can send it.
        if any(outcome.created for outcome in redactions):
            self.pasts.forget()
        if redactions:
            newest = max(outcome.entry.log_index for outcome in redactions)
            await asyncio.to_thread(remove_stores, self.settings.data, newest)
        await look_at_changes(self.sources, submissions, outcomes)
        if any(isinstance(one.message, Policy) for one in submissions):
            await self.epochs.rescored()


@asynccontextmanager
async def open_platform(
    settings: Settings, *, observe: Callable[[str], None] | None = None, clock: Callable[[], datetime] = utc_now
) -> AsyncIterator[Platform]:
    """Open store, content store and node of these settings; a new graph gets its first two log entries."""
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(settings, observe))
        content = open_content_store(settings)
        node, log_signer = open_node(settings), open_log_signer(settings)
        async with platform_on(store, content, node, settings, clock=clock, log_signer=log_signer) as platform:
            yield platform


@asynccontextmanager
async def platform_on(
    store: Store,
    content: ContentStore,
    node: Node,
    settings: Settings,
    *,
    clock: Callable[[], datetime] = utc_now,
    log_signer: Signer | None = None,
    past_engine: PastEngine | None = None,
) -> AsyncIterator[Platform]:
    """Run a platform on an open store.

    `log_signer` stands in for the log's key file. A `past_engine` is the caller's, for several platforms one after the
    other or side by side; without it the platform starts its own if it needs one.
    """
    evidence = EvidenceReader(content)
    await store.write(lambda transaction: transaction.run("open_log"))
    await _check_owner(store, node)
    log = await open_log(store, content, node, settings, log_signer)
    planner = Planner(
        node,
        evidence,
        clock,
        log,
        record_failed_evidence=settings.on_failed_evidence == "record",
        record_unbound_verdicts=settings.on_unbound_verdict == "record",
        max_open_requests=settings.max_open_requests,
    )
    ledger = Ledger(store, content, planner, node.agent_id, log)
    witnesses = witnesses_to_ask(settings)
    space = Space(settings.data)
    async with aclosing(LogWatch(store)) as watch, counted_in(settings.data) as counters:

        async def append(submissions: Sequence[Submission]) -> list[Outcome]:
            outcomes = [space.told(outcome) for outcome in await ledger.append(submissions)]
            await watch.note(log.size)
            return outcomes

        turn = asyncio.Lock()
        async with (
            open_search(store, settings) as search,
            EpochKeeper(store, node, append, clock, turn) as epochs,
            Writer(append, after=epochs.note, turn=turn) as writer,
            asking_witnesses(log, witnesses),
            aclosing(Pasts(store, content, settings, watch, past_engine)) as pasts,
        ):
            quotas = QuotaGate(store, node.agent_id, counters, clock, space, lambda: log.checkpoint.tree_size)
            platform = Platform(
                store,
                content,
                node,
                settings,
                evidence,
                writer,
                clock,
                log,
                watch,
                epochs,
                search,
                pasts,
                space,
                quotas,
            )
            await _found(platform, clock)
            await finish_erasing(store, content)
            for newest in await store.read("newest_redaction"):
                await asyncio.to_thread(remove_stores, settings.data, newest["log_index"])
            await asyncio.to_thread(remove_leftovers, settings.data)
            try:
                yield platform
            finally:
                await platform.finish()


async def _check_owner(store: Store, node: Node) -> None:
    first = await store.read("log_entries_from", start=0, first=1)
    if first and first[0]["agent"] != node.agent_id:
        raise NodeError(f"this graph belongs to {first[0]['agent']}, and the node key here is that of {node.agent_id}")


async def _found(platform: Platform, clock: Callable[[], datetime]) -> None:
    """Register the node and set its first policy if the log is empty; refuse another node's graph."""
    log = platform.log
    if not log.size:
        node, log_key = platform.node, log.signers.first().text
        await _append_once(platform, await signed_aside(node.key, lambda: node.registration(clock(), log_key)))
        await log.refresh()
        await _check_owner(platform.store, platform.node)
    await ensure_log_key(platform.node, log, platform.append, clock)
    # Asked for itself: a platform that was killed before may have got no further than its registration.
    if not await platform.store.read("current_policy"):
        node = platform.node
        await _append_once(platform, await signed_aside(node.key, lambda: node.default_policy(clock())))


async def _append_once(platform: Platform, message: Message) -> None:
    """Append one of the first messages, unless another server with the same key was quicker."""
    (outcome,) = await platform.append([Submission(message)])
    if isinstance(outcome, Exception) and not isinstance(outcome, ConflictError):
        raise outcome
