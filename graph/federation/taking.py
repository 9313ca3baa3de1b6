"""Takes the messages of a peer's log whose entries are checked: stretch by stretch, in the peer's order.

Before any message of a stretch is handed to the ledger, all of the stretch is compared with its entries, and every
signature is checked with the key that is valid there. A message with a target that is not stored here waits, and is
tried again when this node's log has grown; so does a request beyond the number that may be open at once.
"""

import logging
from collections.abc import Iterable, Sequence

from a2ap.errors import A2APError, SignatureError
from a2ap.log.entry import LogEntry
from a2ap.messages.message import Message
from a2ap.messages.scoping import origin_of, scope_agent
from graph.errors import GraphError, NotRegisteredError, RefusedError, TargetError, TooManyOpenError
from graph.federation.agreements import Agreement, checkpoint_message
from graph.federation.errors import PeerFaultError, PeerQuotaError
from graph.federation.given_documents import DocumentReader, GivenDocuments
from graph.federation.here import Here
from graph.federation.peer_folder import PeerFolder
from graph.federation.peer_log import PeerLog
from graph.keys.signing_aside import signed_aside
from graph.kinds.admission import check_message
from graph.kinds.recording import record_message
from graph.kinds.registry import FROM_PEERS
from graph.log.entry import Receipt, log_size
from graph.log.imported import place_revocation
from graph.log.name_here import name_here
from graph.submission.state_loader import load_state
from graph.submission.submission import Submission

logger = logging.getLogger(__name__)

STRETCH = 256
"""Entries that are taken together."""


class Taking:
    """Takes messages of one peer for one node; `number` counts them, `noted` is the peer's tree size in our log."""

    def __init__(
        self, here: Here, agreement: Agreement, folder: PeerFolder, log: PeerLog, documents: DocumentReader, noted: int
    ) -> None:
        self._here = here
        self._agreement = agreement
        self._origin = agreement.origin
        self._folder = folder
        self._progress = folder.progress
        self._log = log
        self._documents = documents
        self._noted = noted
        self._last = -1
        self.number = 0

    async def take_new(self) -> None:
        """Process the entries that were not yet processed; raises `PeerQuotaError` if the quota ends before them."""
        progress = self._progress
        await self._go_back_to_log()
        while progress.position < progress.size:
            end = min(progress.position + STRETCH, progress.size)
            entries = self._folder.entries(progress.position, end)
            reached = await self._take([entry for entry in entries if self._is_own(entry)])
            progress.position = end if reached is None else reached
            self._folder.keep_progress()
            self._check_reached(reached)

    async def take_waiting(self) -> None:
        """Request withheld messages again, and try waiting ones again, as long as some of them can be taken."""
        progress, before = self._progress, -1
        await self._take_places(progress.withheld)
        while progress.waiting and before < self.number and progress.looked != await log_size(self._here.store):
            before, size = self.number, await log_size(self._here.store)
            await self._take_places(progress.waiting)
            progress.looked = size
            self._folder.keep_progress()

    async def _take_places(self, chosen: Iterable[str]) -> None:
        places = sorted(map(int, chosen))
        for start in range(0, len(places), STRETCH):
            entries = [self._folder.entries(place, place + 1)[0] for place in places[start : start + STRETCH]]
            self._check_reached(await self._take(entries))

    def _is_own(self, entry: LogEntry) -> bool:
        return entry.origin == self._origin and entry.type in FROM_PEERS

    def _name(self, entry: LogEntry) -> str:
        return name_here(entry.signed_hash, entry.type, scope_agent(entry.agent, self._origin))

    def _check_reached(self, reached: int | None) -> None:
        if reached is not None:
            raise PeerQuotaError(f"{self._origin} has given as many bytes as it may today")

    async def _go_back_to_log(self) -> None:
        """Begin anew if this node's log has less than was taken: it was restored from a backup, or is another."""
        rows = await self._here.store.read("last_taken", origins=[self._origin])
        self._last = int(rows[0]["origin_index"]) if rows else -1
        if self._last < self._progress.taken:
            self._progress.go_back()

    async def _take(self, entries: Sequence[LogEntry]) -> int | None:
        """Take the messages that are not stored; return the first place beyond the quota, None if there is none."""
        rows = await self._here.store.read("log_entries_by_hash", hashes=[entry.signed_hash for entry in entries])
        known = {name_here(row["signed_hash"], row["type"], row["agent"]) for row in rows}
        wanted = [entry for entry in entries if self._name(entry) not in known]
        for entry in entries:
            if self._name(entry) in known:
                self._progress.settle(entry.log_index)
        if not wanted:
            return None
        found = await self._documents.read(wanted)
        reached = next((place for place, entry in enumerate(wanted) if not found.has(entry)), len(wanted))
        await self._submit(wanted[:reached], found)
        return None if reached == len(wanted) else wanted[reached].log_index

    async def _submit(self, entries: Sequence[LogEntry], found: GivenDocuments) -> None:
        for entry in entries:
            if (reason := found.withheld.get(entry.log_index)) is not None:
                self._progress.withhold(entry, reason)
            elif (reason := found.left.get(entry.log_index)) is not None:
                self._leave(entry, reason)
        given = [(entry, found.messages[entry.log_index]) for entry in entries if entry.log_index in found.messages]
        # A document that waits is fetched once.
        await self._here.content.put_many([message.envelope.received for _, message in given])
        refused = await self._rehearse(given)
        for entry, error in refused:
            self._note_outcome(entry, error)
        left = {entry.log_index for entry, _ in refused}
        chosen = [(entry, message) for entry, message in given if entry.log_index not in left]
        if not chosen:
            return
        await self._note_checkpoint()
        submissions = [
            Submission(
                message,
                clearance=self._agreement.clearance,
                origin=self._origin,
                origin_index=entry.log_index,
                origin_received_at=entry.received_at,
            )
            for entry, message in chosen
        ]
        for (entry, _), outcome in zip(chosen, await self._here.append(submissions), strict=True):
            self._note_outcome(entry, outcome)

    async def _rehearse(self, given: Sequence[tuple[LogEntry, Message]]) -> list[tuple[LogEntry, Exception]]:
        """Return the entries whose messages would not be accepted, and why.

        Raises `PeerFaultError` if the log has a message that its agent did not sign: no message of the stretch is taken
        then.
        """
        state = await load_state(self._here.store, [message for _, message in given])
        state.node_agent = self._here.node.agent_id
        refused: list[tuple[LogEntry, Exception]] = []
        for entry, message in given:
            try:
                placed = await place_revocation(message, self._origin, self._here.store, ())
                check_message(placed, state, origin=self._origin)
                record_message(placed, state, has_proof=False)
            except (A2APError, GraphError) as error:
                if isinstance(error, SignatureError) and self._is_in_order(entry, message):
                    raise PeerFaultError(f"entry {entry.log_index} of {self._origin}: {error}") from error
                refused.append((entry, error))
        return refused

    def _is_in_order(self, entry: LogEntry, message: Message) -> bool:
        """Return whether the agent's keys are here as they were in the peer's log at this place.

        They are not if a later message was taken already, if a message about keys was not taken, or if the agent is not
        the peer's alone: an alias may name another key by now.
        """
        if entry.log_index < self._last or origin_of(message.envelope.agent_id) != self._origin:
            return False
        return not self._progress.has_missed_keys(entry.agent, entry.log_index)

    async def _note_checkpoint(self) -> None:
        """Note in this node's log the checkpoint of the peer's log on which the next entries rest, once for each."""
        size = self._log.checkpoint.tree_size
        if size > self._noted:
            node, note, now = self._here.node, self._log.note, self._here.clock()
            message = await signed_aside(node.key, lambda: checkpoint_message(node, self._origin, note, now))
            (outcome,) = await self._here.append([Submission(message)])
            if isinstance(outcome, Exception):
                raise outcome
            self._noted = size

    def _note_outcome(self, entry: LogEntry, outcome: Receipt | Exception) -> None:
        match outcome:
            case Receipt():
                self._progress.settle(entry.log_index)
                if outcome.created:
                    self.number += 1
                    self._progress.taken = max(self._progress.taken, entry.log_index)
                    self._last = max(self._last, entry.log_index)
            case TargetError() | NotRegisteredError() | SignatureError() | TooManyOpenError():
                self._progress.wait(entry, str(outcome))
            case RefusedError() | A2APError():
                self._leave(entry, str(outcome))
            case _:
                raise outcome

    def _leave(self, entry: LogEntry, reason: str) -> None:
        logger.warning("entry %s of %s is not taken: %s", entry.log_index, self._origin, reason)
        self._progress.leave(entry, reason)
