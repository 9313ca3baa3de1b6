"""Fetches the public sources that a peer's statements cite, from that peer alone, by their hashes.

See docs/how-to/federation.md.

Rules:

- The bytes of a source are stored like an upload: not before their SHA-256 was compared, and then the machine checks
  again the statements that cite them. Bytes change neither class, date, name nor owner of a source
  (docs/decisions/0043).
- A pull fetches bytes and numbers up to `FetchBounds`, within its seconds. At most half of the bytes that the peer may
  give in a day are sources, so that its log is still pulled.
- Bytes that arrived are kept when an answer breaks off, and the next request asks for the rest.
- A source that is not given is requested again, each time after twice as long, up to `MAX_TRIES` times. No failure ends
  a pull.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta

from a2ap.boundary import Boundary
from a2ap.errors import A2APError
from a2ap.times import format_instant, parse_instant
from graph.errors import ContentMismatchError, GraphError, RedactedError
from graph.federation.agreements import Agreement
from graph.federation.errors import PeerAnswerError, PeerQuotaError, PeerStatusError
from graph.federation.here import FetchBounds, Here
from graph.federation.peer_client import GivenSource, PeerClient
from graph.federation.peer_folder import PeerFolder
from graph.federation.source_candidates import SourceCandidate, candidates_between, fetchable
from graph.federation.source_parts import SourceParts
from graph.log.entry import log_size

logger = logging.getLogger(__name__)

MAX_TRIES = 8
"""Maximum requests for one source; the last is about a day after the first."""

MAX_RETRIES = 1000
"""Maximum sources of one peer that are requested again; further ones are given up."""

_FIRST_PAUSE = timedelta(minutes=10)
_ENTRIES = 1000  # of our log, that are looked at together
_PROGRESS = 2**20  # bytes; an answer that breaks off after as many is no failed try
_MAX_REASON = 300  # characters

_FORBIDDEN, _NOT_FOUND, _GONE, _NOT_SATISFIABLE = 403, 404, 410, 416


@dataclass(slots=True)
class SourceReport:
    """The numbers of sources that a pull `fetched`, `skipped` (too large, or not given) and `failed` to fetch.

    `waiting` counts those that a later pull requests again. `problems` has the reason for each that was skipped or
    failed, by hash. `stopped` says why the pull ended before all were requested, if it did.
    """

    fetched: int = 0
    skipped: int = 0
    failed: int = 0
    waiting: int = 0
    problems: dict[str, str] = field(default_factory=dict)
    stopped: str | None = None


class SourceTooLargeError(PeerAnswerError):
    """A source has more bytes than may be fetched."""


class SourceFetch:
    """Fetches from one peer, for one pull."""

    def __init__(
        self, here: Here, agreement: Agreement, folder: PeerFolder, client: PeerClient, bounds: FetchBounds
    ) -> None:
        self._here = here
        self._origin = agreement.origin
        self._folder = folder
        self._progress = folder.progress
        self._client = client
        self._bounds = bounds
        self._parts = SourceParts(folder.source_folder)
        self._deadline = asyncio.get_running_loop().time() + bounds.seconds
        of_day = agreement.quota.bytes_per_day // 2 - folder.progress.spent - client.spent
        self._left = min(bounds.pull_bytes, of_day)
        self._report = SourceReport()

    async def fetch(self) -> SourceReport:
        """Fetch the sources that are due again, then those of the messages taken from the peer since the last pull."""
        try:
            await self._fetch_again()
            await self._fetch_new()
        except PeerQuotaError as error:
            self._report.stopped = str(error)
        except (A2APError, GraphError, OSError) as error:
            # The log was pulled all the same; the next pull goes on here.
            logger.error("the sources of %s cannot be fetched yet: %s", self._origin, error)
            self._report.stopped = str(error)
        self._report.waiting = len(self._progress.source_retries)
        return self._report

    async def _fetch_again(self) -> None:
        now = self._here.clock()
        retries = self._progress.source_retries
        due = [name for name, noted in retries.items() if parse_instant(noted["after"]) <= now]
        found = {one.document_hash: one for one in await fetchable(self._here, self._origin, due)}
        for name in due:
            if (candidate := found.get(name)) is not None:
                await self._try(candidate)
            else:
                self._forget(name)

    async def _fetch_new(self) -> None:
        progress, size = self._progress, await log_size(self._here.store)
        while progress.source_position < size:
            end = min(progress.source_position + _ENTRIES, size)
            chosen = await candidates_between(self._here, self._origin, progress.source_position, end)
            for candidate in chosen:
                if candidate.document_hash > progress.source_after:
                    if candidate.document_hash not in progress.source_retries:
                        await self._try(candidate)
                    progress.source_after = candidate.document_hash
            progress.source_position, progress.source_after = end, ""
            if chosen:
                self._folder.keep_progress()

    async def _try(self, candidate: SourceCandidate) -> None:
        name = candidate.document_hash
        before = self._parts.length(name)
        if candidate.held and not before:
            return
        self._check_bounds()
        try:
            if not candidate.held:
                await self._receive(name, before)
            await self._store(name)
        except PeerQuotaError:
            self._keep_part(name)
            raise
        except RedactedError:
            self._forget(name)
        except PeerStatusError as error:
            given_later = error.status in (_FORBIDDEN, _NOT_FOUND)
            self._note(name, str(error), skipped=given_later or error.status == _GONE, again=error.status != _GONE)
        except SourceTooLargeError as error:
            self._note(name, str(error), skipped=True)
        except (PeerAnswerError, ContentMismatchError) as error:
            self._note(name, str(error), came=self._parts.length(name) - before)
        except (A2APError, GraphError, OSError):
            raise
        except Exception as error:
            # A source on which the machine fails must not keep the others from being fetched.
            logger.exception("the statements that cite %s cannot be checked", name)
            self._note(name, f"the statements that cite {name} cannot be checked: {type(error).__name__}")
        else:
            self._forget(name)
            self._report.fetched += 1

    def _check_bounds(self) -> None:
        """Raise `PeerQuotaError` if this pull may fetch no more."""
        report = self._report
        if report.fetched + report.skipped + report.failed >= self._bounds.sources:
            raise PeerQuotaError(f"{self._bounds.sources} sources are asked for in one pull")
        if asyncio.get_running_loop().time() >= self._deadline:
            raise PeerQuotaError(f"{self._bounds.seconds:g} seconds are spent on sources in one pull")
        if self._left <= 0:
            raise self._out_of_bytes()

    def _out_of_bytes(self) -> PeerQuotaError:
        return PeerQuotaError(f"{self._origin} has given as many bytes of sources as it may in this pull or today")

    async def _receive(self, name: str, before: int) -> None:
        """Fetch the missing bytes of a source into its part."""
        seconds = self._deadline - asyncio.get_running_loop().time()
        try:
            async with self._client.source(name, before, seconds) as given:
                if given.total is not None and given.total > self._bounds.source_bytes:
                    raise self._too_large(name)
                await self._parts.write(name, given.start, self._counted(name, given))
        except PeerStatusError as error:
            # All of it had arrived, and was not stored.
            if error.status != _NOT_SATISFIABLE or not before:
                raise

    async def _counted(self, name: str, given: GivenSource) -> AsyncIterator[bytes]:
        length = given.start
        async for piece in given.pieces:
            length += len(piece)
            if length > self._bounds.source_bytes:
                raise self._too_large(name)
            left, self._left = self._left, self._left - len(piece)
            yield piece[:left]
            if self._left < 0:
                raise self._out_of_bytes()

    def _too_large(self, name: str) -> SourceTooLargeError:
        return SourceTooLargeError(f"{name} has more than the {self._bounds.source_bytes} bytes that are fetched")

    async def _store(self, name: str) -> None:
        try:
            await self._here.sources.put(name, self._parts.chunks(name), boundary=Boundary.PUBLIC)
        except ContentMismatchError as error:
            self._parts.remove(name)
            raise ContentMismatchError(f"{self._origin} gives other bytes than those of {name}") from error

    def _keep_part(self, name: str) -> None:
        """Keep the received bytes of a source for the next request, as far as parts may be kept."""
        if self._parts.total() > max(self._bounds.pull_bytes, self._bounds.source_bytes):
            self._parts.remove(name)

    def _note(self, name: str, reason: str, *, skipped: bool = False, again: bool = True, came: int = 0) -> None:
        """Note why a source was not fetched, and when it is requested again."""
        retries = self._progress.source_retries
        tries = int(retries.get(name, {}).get("tries", 0)) + (came < _PROGRESS)
        self._report.problems[name] = reason
        self._report.skipped += skipped
        self._report.failed += not skipped
        known = name in retries or len(retries) < MAX_RETRIES
        if not again or tries >= MAX_TRIES or not known:
            logger.warning("%s is not asked for again: %s", name, reason)
            self._forget(name)
            return
        if skipped:
            self._parts.remove(name)
        else:
            self._keep_part(name)
        after = self._here.clock() + _FIRST_PAUSE * 2 ** max(tries - 1, 0)
        retries[name] = {"tries": tries, "after": format_instant(after), "reason": reason[:_MAX_REASON]}

    def _forget(self, name: str) -> None:
        self._parts.remove(name)
        self._progress.source_retries.pop(name, None)
