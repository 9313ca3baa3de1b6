"""An agent for asyncio, with the methods of `a2ap.agent.agent.Agent`."""

import asyncio
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import IO, Any, Literal, TypeVar, cast, overload

from a2ap.agent.base import content_of, is_url, name_at
from a2ap.agent.connections import AsyncConnection
from a2ap.agent.content import Content, Progress
from a2ap.agent.drafts import CONFIDENCE, Draft
from a2ap.agent.following import LogEvent
from a2ap.agent.quotes import Quotes, Source
from a2ap.agent.runs import Recorded, RunOptions, RunWarning, run_of, under_way
from a2ap.agent.submitting import Target, Targets, texts_of
from a2ap.boundary import Boundary
from a2ap.bundle.bundle import BundleReport
from a2ap.client.answers import ProblemError, Receipt, public_address
from a2ap.errors import A2APError
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.messages.reference import Reference
from a2ap.pack.packing import Pack

Function = TypeVar("Function", bound=Callable[..., Awaitable[Any]])


class AsyncAgent(AsyncConnection):
    """An agent for asyncio: it signs claims, sources and verdicts with its key, and sends them to a node.

        async with AsyncAgent.load("clerk.key", node="http://127.0.0.1:8000") as agent:
            minutes = await agent.source("minutes.txt", title="Minutes of the council")
            await agent.claim("The height limit stays.", quote="keep the height limit", source=minutes)

    Outbox, receipts and repeated requests are as `Agent` has them.
    """

    async def register(self) -> Receipt:
        """Register the agent and its key at the node; repeated, it returns the first receipt.

        Raises `DraftError` for an agent that `create` has not made here.
        """
        return await self._run(self._operations.register())

    async def source(
        self,
        content: str | Path | IO[bytes] | Content,
        *,
        title: str | None = None,
        source_id: str | None = None,
        boundary: Boundary | str = Boundary.PUBLIC,
        media_type: str | None = None,
        origin: str | None = None,
        publisher: str | None = None,
        licence: str | None = None,
        progress: Progress | None = None,
    ) -> Source:
        """Register a source with its bytes, of a file, a binary stream or an address, or as they are; return it.

        A text is the path of a file, whose name is the title unless one is stated, or an address, as for `fetch`. The
        id is `urn:sha256:…` of the bytes unless it is stated: state one if later versions of the document are to have
        the same id. `boundary` is the class that a reader must be cleared for, and `origin` the address at which the
        document was found. Bytes beyond eight mebibytes are not held in memory: they are hashed, and then sent, from
        the file, which may not change meanwhile. `progress(sent, total)` is told the bytes sent.
        """
        data: Content | Path | IO[bytes]
        if isinstance(content, str) and is_url(content):
            data, fetched = await self._fetched(content)
            title, media_type, origin = (
                title or name_at(content),
                media_type or fetched,
                origin or public_address(content),
            )
        else:
            data = Path(content) if isinstance(content, str) else content
        found, named, kind = await asyncio.to_thread(content_of, data, title, media_type)
        return await self._run(
            self._operations.source(
                found,
                title=named,
                source_id=source_id,
                boundary=Boundary(boundary),
                media_type=kind,
                origin=origin,
                publisher=publisher,
                licence=licence,
                progress=progress,
            )
        )

    async def fetch(
        self,
        url: str,
        *,
        title: str | None = None,
        origin: str | None = None,
        boundary: Boundary | str = Boundary.PUBLIC,
        progress: Progress | None = None,
    ) -> Source:
        """Fetch a document from an address, and register it as a source with that origin.

        The agent fetches it, without its token; the node fetches nothing. The title is the file's name unless it is
        stated. The origin is published: state another one for an address with a secret in it; a user and a password are
        left out. Raises `UnreachableError`, also for a document of more than `MAX_FETCHED` bytes.
        """
        return await self.source(url, title=title, boundary=boundary, origin=origin, progress=progress)

    @overload
    async def claim(
        self,
        text: str,
        *,
        quote: Quotes,
        source: Source | None = None,
        confidence: float = CONFIDENCE,
        method: str | None = None,
        supports: Targets = (),
        contradicts: Targets = (),
        generated_by: str | Sequence[str] = (),
        dry_run: Literal[False] = False,
    ) -> Receipt: ...

    @overload
    async def claim(
        self,
        text: str,
        *,
        quote: Quotes,
        source: Source | None = None,
        confidence: float = CONFIDENCE,
        method: str | None = None,
        supports: Targets = (),
        contradicts: Targets = (),
        generated_by: str | Sequence[str] = (),
        dry_run: Literal[True],
    ) -> Draft: ...

    async def claim(
        self,
        text: str,
        *,
        quote: Quotes,
        source: Source | None = None,
        confidence: float = CONFIDENCE,
        method: str | None = None,
        supports: Targets = (),
        contradicts: Targets = (),
        generated_by: str | Sequence[str] = (),
        dry_run: bool = False,
    ) -> Receipt | Draft:
        """Claim something that quotes support; return the verified receipt of the signed statement.

        Each quote is words that stand in the source exactly so, once; `Quote` states its place, its form or another
        source. `confidence` is a share from 0 to 1. `supports` and `contradicts` name other statements, and
        `generated_by` hashes of records. Repeated with the same content, the same statement is sent.

        Raises `DraftError` with all problems of the claim before anything is sent, `ProblemError` if the node refuses
        the statement, and `LogError` for a receipt that does not hold. With `dry_run` nothing is signed or sent: the
        draft has the message, or the problems.
        """
        composed = self._operations.compose(
            text,
            quote,
            source,
            confidence=confidence,
            method=method,
            supports=supports,
            contradicts=contradicts,
            generated_by=generated_by,
        )
        if dry_run:
            return await self._run(self._operations.draft(composed, run_of(self.id)))
        return await self._run(self._operations.claim(composed, run_of(self.id)))

    async def revise(
        self,
        target: Target,
        text: str,
        *,
        quote: Quotes,
        source: Source | None = None,
        confidence: float = CONFIDENCE,
        method: str | None = None,
        supports: Targets = (),
        contradicts: Targets = (),
        generated_by: str | Sequence[str] = (),
    ) -> Receipt:
        """Replace an earlier statement of the agent by a new one; raises as `claim` does."""
        composed = self._operations.compose(
            text,
            quote,
            source,
            confidence=confidence,
            method=method,
            supports=supports,
            contradicts=contradicts,
            generated_by=generated_by,
            revises=target,
        )
        return await self._run(self._operations.claim(composed, run_of(self.id)))

    async def retract(self, target: Target, reason: str | None = None) -> Receipt:
        """Retract a statement or a verdict of the agent; it stays in the log and has no weight."""
        return await self._run(self._operations.retract(target, reason))

    async def endorse(self, agent_id: str) -> Receipt:
        """Endorse another agent: this agent answers for it."""
        return await self._run(self._operations.endorse(agent_id))

    async def request_verification(
        self,
        target: Target,
        criteria: Sequence[str] = DEFAULT_CRITERIA,
        *,
        wanted_verdicts: int | None = None,
        verifiers: Sequence[str] | None = None,
    ) -> Receipt:
        """Request verdicts on a statement under these criteria, of any agents or of the `verifiers` that it names."""
        wanted: dict[str, Any] = {"wanted_verdicts": wanted_verdicts}
        if verifiers is not None:
            wanted["eligible_verifiers"] = list(verifiers)
        return await self._run(self._operations.request_verification(target, criteria, **wanted))

    async def verdict(
        self,
        target: Target,
        findings: Mapping[str, FindingStatus | str | Finding],
        *,
        reason: str | None = None,
        quote: Quotes = (),
        source: Source | None = None,
        counter_statement: Target | None = None,
        request: Receipt | Reference | None = None,
    ) -> Receipt:
        """Give a verdict on a statement, as it follows from the findings by criterion (A2AP §4.2).

        A finding is `PASS`, `FAIL` or `INCONCLUSIVE`, or a `Finding` with words and a confidence. The verdict points at
        the places of the quotes and does not repeat their words. `request` is the request answered.
        """
        given = self._operations.verdict(
            target,
            findings,
            reason=reason,
            quote=quote,
            source=source,
            counter_statement=counter_statement,
            request=request,
        )
        return await self._run(given)

    async def challenge(
        self,
        target: Target,
        criterion: str,
        reason: str,
        *,
        quote: Quotes = (),
        source: Source | None = None,
        counter_statement: Target | None = None,
        confidence: float = CONFIDENCE,
    ) -> Receipt:
        """Challenge a statement under one criterion, such as `logical-consistency`, with a reason."""
        given = self._operations.challenge(
            target,
            criterion,
            reason,
            confidence=confidence,
            quote=quote,
            source=source,
            counter_statement=counter_statement,
        )
        return await self._run(given)

    @overload
    def provenance(self, function: Function) -> Function: ...

    @overload
    def provenance(
        self,
        *,
        inputs: Sequence[str] | None = None,
        outputs: Callable[[Any], Any] | None = None,
        model: str | None = None,
        boundary: Boundary | str = Boundary.PUBLIC,
    ) -> Callable[[Function], Function]: ...

    def provenance(
        self,
        function: Function | None = None,
        *,
        inputs: Sequence[str] | None = None,
        outputs: Callable[[Any], Any] | None = None,
        model: str | None = None,
        boundary: Boundary | str = Boundary.PUBLIC,
    ) -> Function | Callable[[Function], Function]:
        """Record the runs of a function: arguments, result, times and claims, as a pack that the agent registers.

            @agent.provenance
            async def summary(minutes: Source, words: int) -> str: ...

        Arguments and results are bytes, texts, paths (the file's bytes), sources, receipts or JSON values; others raise
        `RunError`, for arguments before the function is called. `inputs` names the parameters that are recorded, all by
        default; `outputs` is a function that turns the result into the value that is recorded. A claim that the agent
        makes within names the pack of the run as it began, which the pack of the whole run follows. A function that
        raises an error is recorded as failed, with the type of the error, and the error is raised on. If the node does
        not take a pack, or the disk, there is a `RunWarning`, and a pack on the disk waits for `flush`. The pack of a
        run that is stopped (Ctrl-C, `sys.exit`, a cancelled task) waits for `flush` too: it is not sent before.
        """
        options = RunOptions(None if inputs is None else texts_of(inputs), outputs, model, Boundary(boundary))

        def decorate(function: Function) -> Function:
            recorded = Recorded(function, options, asynchronous=True)

            @wraps(function)
            async def call(*arguments: Any, **named: Any) -> Any:
                run = recorded.begin(arguments, named, self._clock())
                try:
                    with under_way(self.id, run):
                        result = await function(*arguments, **named)
                    pack = run.ended(result, self._clock())
                except Exception as error:
                    await self.hand_in(run.failed(error, self._clock()), options.boundary)
                    raise
                except BaseException as error:
                    self._keep(run.failed(error, self._clock()), options.boundary)
                    raise
                await self.hand_in(pack, options.boundary)
                return result

            return cast(Function, call)

        return decorate if function is None else decorate(function)

    async def hand_in(self, pack: Pack, boundary: Boundary | str = Boundary.PUBLIC) -> Receipt | None:
        """Register the pack of a run with its contents, readable for a class; return its verified receipt.

        The result of the run is worth more than the answer of the node. If the node does not take the pack, there is a
        `RunWarning`, the answer is None, and the pack waits for `flush`.
        """
        self.last_pack = pack.hash
        try:
            return await self._run(self._operations.record(pack, Boundary(boundary)))
        except (A2APError, OSError) as error:
            warnings.warn(f"the node has not taken the pack {pack.hash}: {error}", RunWarning, stacklevel=3)
            return None

    async def ask(self, question: str) -> dict[str, Any]:
        """Return the answer of the node to a question, with the statements and quotes behind it."""
        return await self._run(self._operations.ask(question))

    async def search(self, words: str, first: int = 20) -> dict[str, Any]:
        """Return the statements that the node finds by words and meaning, best first."""
        return await self._run(self._operations.search(words, first))

    async def bundle(self, target: Target) -> bytes:
        """Return the bundle of a statement: the statement, its verdicts and their proofs, to be verified off-line."""
        return await self._run(self._operations.bundle(target))

    async def verify(self, bundle: bytes) -> BundleReport:
        """Verify a bundle by the log key of the agent's node; raises `BundleError`. The node is not asked.

        Only an agent that has never met the node asks it for its log key first, once.
        """
        return await self._run(self._operations.verify(bundle))

    async def follow(
        self,
        after: int | None = None,
        *,
        types: str | Sequence[str] = (),
        agents: str | Sequence[str] = (),
        inbox: bool = False,
    ) -> AsyncIterator[LogEvent]:
        """Yield the entries of the node's log with their messages, in order: those behind `after`, then those to come.

            async for event in agent.follow(types="VerificationResponse", inbox=True):
                print(event.log_index, event.message.verdict)

        `after` is the log index of the last event seen, -1 for the beginning of the log; without it the events are
        those from now on. `types` names types of message, `agents` the agents that sign them; with `inbox` only events
        that `inbox` returns are yielded. While the node is away, it is waited for; no event comes twice. Raises
        `UnreachableError` if the node does not answer at first, `LogEndError` if its log ends before `after`, and
        `LogMessageError` for another message than an entry's.
        """
        follower = self._operations.follow(after, types, agents, inbox=inbox)
        while True:
            for event in await self._run(follower.next()):
                yield event

    async def inbox(self, after: int = -1) -> list[LogEvent]:
        """Return the messages of others behind the log index `after` that concern the agent, in the order of the log.

        They are verification requests that name the agent or one of its statements, verdicts and challenges on its
        statements, answers to its challenges, declines of its requests, retractions of statements on which its own
        rest, and endorsements of it. `concerns` has the signed hashes of its messages. Raises as `follow` does.
        """
        return await self._run(self._operations.follow(after, (), (), inbox=True).present())

    async def flush(self) -> list[Receipt | ProblemError]:
        """Send all messages again that the node has not answered, after a crash or without a network before.

        Returns the receipts and refusals. A source is not among them: `source` sends its bytes again.
        """
        return await self._run(self._operations.flush())
