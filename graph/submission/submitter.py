"""Reads documents from all endpoints, queues them for the writer, and does the follow-up work of their messages.

Each document has one result, regardless of the documents that came with it. A queued document is written and followed
to its end even if its sender disconnects; a document that was not queued never is. Sources that a statement cites, and
that are slow to read, are read here, beside the writer's turns, for `_WAITING_AT_ONCE` statements at a time
(`graph.submission.call`).

Each registration of a record is lent the bytes that came with its batch, up to a total number: reading a registration
reads its bytes again, so one content under many registrations is as much work as many contents.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from contextvars import Context
from dataclasses import replace
from itertools import repeat
from weakref import WeakValueDictionary

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import sha256_digest
from a2ap.errors import A2APError, TypeNameError
from a2ap.json_text import MAX_BYTES
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.verification_request import VerificationRequest
from graph.errors import ForbiddenError, GraphError, NotReadyError, TooLargeError
from graph.keys.signing_aside import signed_aside
from graph.log.entry import Outcome, Receipt
from graph.node import Node
from graph.quotas.caller import Caller
from graph.submission.call import Call, SetAsideError
from graph.submission.gate import QuotaGate
from graph.submission.submission import Submission
from graph.submission.writer import Writer

logger = logging.getLogger(__name__)

Follow = Callable[[Sequence[Submission], Sequence[Outcome]], Awaitable[None]]

# Documents that are queued together, and bytes of them that are read before the loop runs other tasks: those that were
# queued before, whose next query the database waits for.
_READ_AT_ONCE = 250
_BYTES_AT_ONCE = 16 * 1024
# Documents of a call that are read in its first turn at its address: few, since that turn goes before those of copies.
_READ_FIRST = 25
# Statements whose sources are being read, or that are queued with them.
_WAITING_AT_ONCE = 2
# Number of times for each document of a chunk, taken together, that a statement may be set aside.
_ATTEMPTS = 5

MAX_LENT = 16 * 2**20
"""Maximum number of bytes lent to the registrations of one batch, counted once for each registration."""


class LentContents:
    """Contents by their hashes, and the number of bytes that may still be lent."""

    def __init__(self, contents: Sequence[bytes] = ()) -> None:
        self._by_hash = {sha256_digest(content): content for content in contents}
        self._left = MAX_LENT

    def lend(self, name: str) -> tuple[bytes, ...]:
        """Return the content with that hash, if it is stored; raise `TooLargeError` if it exceeds the bytes left."""
        content = self._by_hash.get(name)
        if content is None:
            return ()
        if len(content) > self._left:
            message = f"the registrations of one call name {MAX_LENT} bytes of contents at most, with those of {name}"
            raise TooLargeError(message, "documentHash")
        self._left -= len(content)
        return (content,)


class Submitter:
    """The way to the writer; `follow` does the follow-up work of messages before their senders are answered."""

    def __init__(self, node: Node, writer: Writer, follow: Follow, quotas: QuotaGate) -> None:
        self._node = node
        self._writer = writer
        self._follow = follow
        self._quotas = quotas
        self._under_way: set[asyncio.Task[list[Outcome]]] = set()
        self._waiting = asyncio.Semaphore(_WAITING_AT_ONCE)
        self._turns: WeakValueDictionary[str, _Turns] = WeakValueDictionary()

    async def submit(
        self,
        data: bytes,
        *,
        expected: MessageType | None = None,
        authenticated: bool = False,
        clearance: Boundary = STRICTEST,
        caller: Caller | None = None,
    ) -> Receipt:
        """Append one document; see `Platform.submit`."""
        try:
            submission = await self._submission(data, authenticated, clearance, LentContents(), expected)
        except (A2APError, GraphError):
            await self._quotas.count_unreadable(caller, len(data))
            raise
        (outcome,) = await self.append([submission], caller)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def submit_many(
        self,
        documents: Sequence[bytes],
        *,
        authenticated: bool = False,
        clearance: Boundary = STRICTEST,
        contents: Sequence[bytes] = (),
        caller: Caller | None = None,
    ) -> list[Outcome]:
        """Append documents in order; see `Platform.submit_many`."""
        given, call = LentContents(contents), Call()
        begun: list[tuple[list[Submission | Outcome], asyncio.Task[list[Outcome]]]] = []
        turns = self._turns_of(caller)
        goes_first, first = True, 0
        while first < len(documents):
            # While the writer waits for the database, the next ones are read.
            chunk = documents[first : first + (_READ_FIRST if turns is not None and not begun else _READ_AT_ONCE)]
            async with nullcontext() if turns is None else turns.turn(goes_first=goes_first):
                found = await self._read(chunk, authenticated, clearance, given)
                read = await self._admit(await self._counted(found, chunk, caller), call, caller)
            taken = [item for item in read if isinstance(item, Submission)]
            goes_first = any(item.charge.of_endorsed for item in taken)
            begun.append((read, self._begin(taken, begun[-1][1] if begun else None)))
            first += len(chunk)
            await asyncio.sleep(0)
        return [outcome for read, task in begun for outcome in await _outcomes(read, task)]

    def _turns_of(self, caller: Caller | None) -> "_Turns | None":
        if caller is None or caller.is_operator:
            return None
        return self._turns.setdefault(caller.address, _Turns())

    async def append(
        self, submissions: Sequence[Submission], caller: Caller | None = None, *, received: bool = False
    ) -> list[Outcome]:
        """Append messages that are already read; the writer groups them with other submissions.

        With `received`, the node itself has signed the messages for the caller.
        """
        admitted = await self._admit(submissions, Call(), caller, received=received)
        own = [item for item in admitted if isinstance(item, Submission)]
        outcomes = iter(await asyncio.shield(self._begin(own)) if own else ())
        return [next(outcomes) if isinstance(item, Submission) else item for item in admitted]

    async def _admit(
        self,
        read: Sequence[Submission | Exception],
        call: Call,
        caller: Caller | None,
        *,
        received: bool = False,
    ) -> list[Submission | Outcome]:
        """Return the submissions within the quotas with their places in the call; for others, refusal or receipt."""
        taken = [item for item in read if isinstance(item, Submission)]
        told = iter(await self._quotas.admit(taken, caller, received=received, seen=call.seen))
        admitted = [next(told) if isinstance(item, Submission) else item for item in read]
        call.of_strangers |= any(isinstance(item, Submission) and item.charge.of_stranger for item in admitted)
        return [
            replace(item, call=call, place=call.next_place()) if isinstance(item, Submission) else item
            for item in admitted
        ]

    async def _counted(
        self, read: Sequence[Submission | Exception], documents: Sequence[bytes], caller: Caller | None
    ) -> list[Submission | Exception]:
        """Count the documents that cannot be read; return the refusal of a quota instead of the error."""
        sizes = [len(data) for item, data in zip(read, documents, strict=True) if isinstance(item, Exception)]
        refusals = iter(await self._quotas.admit_unreadable(caller, sizes))
        return [(next(refusals) or item) if isinstance(item, Exception) else item for item in read]

    async def finish(self) -> None:
        """Wait for all work under way, even if its senders have disconnected."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    async def _read(
        self, documents: Sequence[bytes], authenticated: bool, clearance: Boundary, given: LentContents
    ) -> list[Submission | Exception]:
        read: list[Submission | Exception] = []
        since = 0
        for data in documents:
            since += len(data)
            if since > _BYTES_AT_ONCE:
                since = len(data)
                await asyncio.sleep(0)
            try:
                read.append(await self._submission(data, authenticated, clearance, given))
            except (A2APError, GraphError) as error:
                read.append(error)
        return read

    def _begin(
        self, submissions: Sequence[Submission], previous: "asyncio.Task[list[Outcome]] | None" = None
    ) -> "asyncio.Task[list[Outcome]]":
        # In a context of its own: the queries of an operation that is over end with it, and these do not.
        task = asyncio.create_task(self._appended(submissions, previous), context=Context())
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _appended(
        self, submissions: Sequence[Submission], previous: "asyncio.Task[list[Outcome]] | None"
    ) -> list[Outcome]:
        """Append submissions, in order behind the `previous` ones of their call, and follow them."""
        if not submissions:
            await _over(previous)  # so that a wait for these includes those
            return []
        outcomes = await self._writer.enqueue(submissions)
        for _ in range(_ATTEMPTS * len(submissions)):
            place = next((place for place, one in enumerate(outcomes) if isinstance(one, SetAsideError)), None)
            if place is None:
                break
            outcomes[place:] = await self._come_again(submissions[place:], outcomes[place], previous)
        outcomes = [_told(submission, outcome) for submission, outcome in zip(submissions, outcomes, strict=True)]
        await self._settle(submissions, outcomes)
        await self._follow(submissions, outcomes)
        return outcomes

    async def _settle(self, submissions: Sequence[Submission], outcomes: Sequence[Outcome]) -> None:
        """Settle the charges that were counted; a count that cannot be written revokes no receipt."""
        try:
            await self._quotas.settle(submissions, outcomes)
        except GraphError as error:
            logger.error("the quota charge cannot be given back: %s", error)

    async def _come_again(
        self,
        submissions: Sequence[Submission],
        outcome: Outcome,
        previous: "asyncio.Task[list[Outcome]] | None",
    ) -> list[Outcome]:
        """Append submissions again, once the sources or the call that the first of them waits for are ready."""
        assert isinstance(outcome, SetAsideError)
        first, *others = submissions
        if outcome.read is None:
            await _over(previous)
            return await self._writer.enqueue(submissions)
        async with self._waiting:
            try:
                first = replace(first, read=await outcome.read())
            except Exception as error:  # it cannot be read, which is the answer to this one alone
                first.note(error)
                return [error, *await self._writer.enqueue(others)]
            return await self._writer.enqueue([first, *others])

    async def _submission(
        self,
        data: bytes,
        authenticated: bool,
        clearance: Boundary,
        given: LentContents,
        expected: MessageType | None = None,
    ) -> Submission:
        if len(data) > MAX_BYTES:
            raise TooLargeError(f"the document has more than {MAX_BYTES} bytes")
        message = read_message(data)
        if expected is not None and message.envelope.type is not expected:
            raise TypeNameError("@type", f"is {message.envelope.type.wire}, not {expected.wire}")
        if isinstance(message, RecordRegistration):
            blobs = given.lend(message.document_hash)
            return Submission(message, clearance=clearance, blobs=blobs)
        if message.envelope.signature is not None or not isinstance(message, VerificationRequest):
            return Submission(message, clearance=clearance)
        if not authenticated:
            raise ForbiddenError("an unsigned verification request needs the operator's token", "signature")
        document = dict(message.envelope.document)
        signed = await signed_aside(self._node.key, lambda: self._node.sign(document))
        return Submission(signed, countersigned=True)


class _Turns:
    """The turns of one address, which reads for one call at a time: copies count in no quota, but are read.

    A turn that goes first waits for the running one, for others that go first, and for one of those behind. So copies
    on many connections hold up no call in which an endorsed agent hands in new documents.
    """

    def __init__(self) -> None:
        self._reading = asyncio.Lock()
        self._behind = asyncio.Lock()

    @asynccontextmanager
    async def turn(self, *, goes_first: bool) -> AsyncIterator[None]:
        """Wait for a turn, and hold it."""
        async with nullcontext() if goes_first else self._behind, self._reading:
            yield


async def _outcomes(read: Sequence[Submission | Outcome], task: "asyncio.Task[list[Outcome]]") -> list[Outcome]:
    """Return the outcomes of documents; if those of the appended ones are not known, the error that says so."""
    try:
        told: Iterator[Outcome] = iter(await asyncio.shield(task))
    except (A2APError, GraphError) as error:
        told = repeat(error)
    return [next(told) if isinstance(item, Submission) else item for item in read]


async def _over(task: "asyncio.Task[list[Outcome]] | None") -> None:
    """Wait until a task is over, regardless of its result."""
    if task is not None:
        await asyncio.wait([task])


def _told(submission: Submission, outcome: Outcome) -> Outcome:
    """Return an outcome, or the sender's error for a document that was set aside too often."""
    if not isinstance(outcome, SetAsideError):
        return outcome
    error = NotReadyError("the sources of the document, or of one before it, change while they are read")
    submission.note(error)
    return error
