"""The bytes of registered sources, and the machine's checks of citing statements when bytes come, change or go.

Each check appends a verdict only if its result differs from the last one: the later verdict stands, and with it the
gate. Bytes that are gone no longer prove anything, but do not take back that a statement was found false: an
inconclusive check never replaces a FAIL (docs/decisions/0035).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Protocol
from weakref import WeakValueDictionary

from a2ap.boundary import Boundary
from a2ap.errors import A2APError
from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.message import read_message
from a2ap.messages.possession import PossessionMac
from a2ap.messages.redaction import Redaction
from a2ap.messages.source_registration import SourceRegistration
from a2ap.messages.statement import ProvenanceStatement
from graph.content.content_store import ContentStore
from graph.errors import ConflictError, ForbiddenError, GraphError, NotRegisteredError, RedactedError, RefusedError
from graph.evidence.checking import look_at
from graph.evidence.chunk_texts import fill_chunk_texts, mark_held
from graph.evidence.machine import MachineResult, sealed_status, sign_verdict
from graph.evidence.machine_check import CheckStatus
from graph.evidence.reader import EvidenceReader
from graph.evidence.remainders import remainders_of
from graph.kinds.admission import check_message, check_signature
from graph.kinds.possession_check import check_may_prove, check_proof_is_logged
from graph.log.entry import Outcome, Receipt, log_size
from graph.log.name_here import name_of_message
from graph.node import Node
from graph.quotas.caller import Caller
from graph.quotas.charge import Charge
from graph.retention.erasing import erase
from graph.retention.named_content import stored_otherwise
from graph.retention.redactions import RedactionRecord, redactions_of
from graph.retention.standing import read_standing
from graph.store import Row, Store
from graph.submission.gate import QuotaGate
from graph.submission.state_loader import load_state
from graph.submission.submission import Submission

logger = logging.getLogger(__name__)

_PAGE = 500
# So often another server's verdict may come first.
_ATTEMPTS = 5
# Sources that a process remembers as settled: nothing is left to do for their bytes.
_SETTLED = 100_000


class Append(Protocol):
    """Appends messages, which count for the quotas of a caller."""

    async def __call__(self, submissions: Sequence[Submission], caller: Caller | None = None) -> list[Outcome]:
        """Return the outcome of each."""


Page = Callable[[int], Awaitable[list[Row]]]


class Sources:
    """Takes in the bytes of registered sources and has the machine check again the statements that cite them."""

    def __init__(
        self,
        store: Store,
        content: ContentStore,
        node: Node,
        evidence: EvidenceReader,
        append: Append,
        clock: Callable[[], datetime],
        quotas: QuotaGate,
    ) -> None:
        self._store = store
        self._content = content
        self._node = node
        self._evidence = evidence
        self._append = append
        self._clock = clock
        self._quotas = quotas
        self._turns = WeakValueDictionary[str, asyncio.Lock]()
        self._settled = set[str]()

    @property
    def evidence(self) -> EvidenceReader:
        """Return the reader of sources for the machine."""
        return self._evidence

    async def put(
        self,
        document_hash: str,
        chunks: AsyncIterator[bytes],
        caller: Caller | None = None,
        *,
        length: int = 0,
        boundary: Boundary | None = None,
    ) -> bool:
        """Store the bytes of a registered source; return whether they were new.

        When this returns the bytes are durable and every statement that cites them has been checked against them. Bytes
        of a `caller` count for quotas; `length` is the announced number. `boundary` is the mildest class under which
        the caller gives bytes that are not here yet, any class if it is omitted.

        Raises `NotRegisteredError` if no agent registered that hash, `ForbiddenError` if its class is milder,
        `ContentMismatchError` if the bytes have another hash, `RedactedError` if they were erased, and `QuotaError`.
        """
        (known,) = await self._store.read("documents_known", hashes=[document_hash]) or [{}]
        if not known.get("registration_hash"):
            raise NotRegisteredError(f"no agent registered {document_hash} as a source")
        _check_class(known, boundary)
        await self._check_not_erased(document_hash)
        async with self._quotas.upload(caller, known["registered_by"], length) as upload:
            length = await self._content.put_stream(upload.counted(chunks), expected=document_hash)
            upload.arrived(new=not known["held"])
        await self._settle_once(document_hash, length)
        return not known["held"]

    async def add(
        self,
        message: SourceRegistration,
        chunks: AsyncIterator[bytes],
        caller: Caller | None = None,
        *,
        length: int = 0,
    ) -> tuple[Receipt, bool]:
        """Append a source registration that proves possession, and store the bytes; return whether these were new.

        When this returns the bytes are durable and every statement that cites them has been checked against them. If
        they are not those that the registration proves, nothing is appended or stored. If the store of bytes fails, the
        registration may be in the log without them: the same call again stores them. Bytes that are here need not come
        again: the MAC is compared with these.

        Raises the errors of `check_message` and `check_possession`, `ContentMismatchError` and `QuotaError`.
        """
        name, agent = message.document_hash, message.envelope.agent_id
        try:
            is_new = await self._check_may_come(message)
        except (A2APError, RefusedError):
            await self._quotas.count_unreadable(caller, len(message.envelope.received))
            raise
        mac = PossessionMac(agent)
        receipt: Receipt | None = None

        async def fed() -> AsyncIterator[bytes]:
            async for chunk in chunks:
                mac.update(chunk)
                yield chunk

        async def append() -> None:
            nonlocal receipt
            (outcome,) = await self._append([Submission(message, possession_mac=mac.text)], caller)
            if isinstance(outcome, Exception):
                raise outcome
            receipt = outcome

        if is_new:
            async with self._quotas.upload(caller, agent, length) as upload:
                length = await self._content.put_stream(upload.counted(fed()), expected=name, on_arrival=append)
                upload.arrived(new=True)
        else:
            async for _ in chunks:
                pass
            length = await self._content.size(name)
            async for chunk in self._content.stream(name):
                mac.update(chunk)
            await append()
        await self._settle_once(name, length)
        assert receipt is not None
        return receipt, is_new

    async def _check_may_come(self, message: SourceRegistration) -> bool:
        """Return whether the bytes of a registration are new here. Raises the errors of `add` that need no bytes."""
        name = message.document_hash
        state = await load_state(self._store, [message])
        state.node_agent = self._node.agent_id
        known = state.documents.get(name)
        is_new = known is None or not known.held
        receipt = state.receipts.get(name_of_message(message))
        if receipt is None:
            check_message(message, state)
        else:
            check_signature(message, state)
            check_proof_is_logged(message, receipt.entry)
        if is_new or receipt is None:
            check_may_prove(message, state, is_stored=name in await stored_otherwise(self._store, [name]))
        return is_new

    async def _settle_once(self, document_hash: str, length: int) -> None:
        async with self._turns.setdefault(document_hash, asyncio.Lock()):
            # Anybody can send bytes that are here again, as often as they like.
            if not (document_hash in self._settled and await self._is_held(document_hash)):
                await self._settle(document_hash, length)

    async def _is_held(self, document_hash: str) -> bool:
        return any(row["held"] for row in await self._store.read("documents_known", hashes=[document_hash]))

    async def _settle(self, document_hash: str, length: int) -> None:
        """Mark bytes as held, set the texts of their chunks, and check again the statements that cite them."""
        try:
            await mark_held(self._store, document_hash, length)
        except RedactedError:
            # It was erased while its bytes arrived again.
            await erase(self._store, self._content, document_hash)
            raise
        await fill_chunk_texts(self._store, self._content, document_hash)
        await self.check_again(document_hash)
        if len(self._settled) >= _SETTLED:
            self._settled.clear()
        self._settled.add(document_hash)

    async def _check_not_erased(self, document_hash: str) -> None:
        erased = (await redactions_of(self._store, [document_hash])).get(document_hash)
        if erased:
            raise RedactedError(f"{document_hash} was {erased[-1].sentence}")

    async def check_again(self, document_hash: str, *, passed: bool = False) -> int:
        """Have the machine check again the statements that cite the document; return the number of verdicts made.

        It checks the statements that have not passed, for bytes that have come, and with `passed` all of them, for
        bytes that may be gone.
        """
        return await self._look(
            lambda after: self._store.read(
                "statements_citing_document", document_hash=document_hash, passed=passed, after=after, first=_PAGE
            )
        )

    async def check_again_as(self, named: Sequence[tuple[str, str]]) -> None:
        """Have the machine check again the statements that cite held documents under these newly given names."""
        known = await self._store.read("documents_known", hashes=sorted({document for document, _ in named}))
        held = {row["document_hash"] for row in known if row["held"]}
        for document_hash, source_id in named:
            if document_hash in held:
                await self._look(partial(self._citing_as, document_hash=document_hash, source_id=source_id))

    async def _citing_as(self, after: int, *, document_hash: str, source_id: str) -> list[Row]:
        return await self._store.read(
            "statements_citing_as", document_hash=document_hash, source_id=source_id, after=after, first=_PAGE
        )

    async def _look(self, read: Page) -> int:
        after, made = -1, 0
        while page := await read(after):
            after = page[-1]["log_index"]
            made += await self._look_at(page)
        return made

    async def _look_at(self, page: Sequence[Row]) -> int:
        made = 0
        for attempt in range(1, _ATTEMPTS + 1):
            outcomes = await self._appended(await self._verdicts(page))
            failed = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
            made += len(outcomes) - len(failed)
            for error in failed:
                if not isinstance(error, ConflictError) or attempt == _ATTEMPTS:
                    raise error
            if not failed:
                break
            # Another server's verdict on one of these came at the same size of the log: it is read.
            known = await self._store.read("machine_checks_of", hashes=[row["signed_hash"] for row in page])
            checks = {row["signed_hash"]: row for row in known}
            page = [{**row, **checks[row["signed_hash"]]} for row in page]
        return made

    async def _appended(self, verdicts: Sequence[Submission]) -> list[Outcome]:
        """Append verdicts; those on statements of strangers use the strangers' share of the writer's turns."""
        parts = [[one for one in verdicts if one.charge.of_stranger is of_stranger] for of_stranger in (False, True)]
        return [outcome for part in parts if part for outcome in await self._append(part)]

    async def _verdicts(self, page: Sequence[Row]) -> list[Submission]:
        documents = await read_standing(self._store, self._content, [row["document_hash"] for row in page])
        statements = [_statement(document) for document in documents]
        hashes = {segment.document_hash for statement in statements for segment in statement.evidence}
        names = sorted(name for name in hashes if name)
        known = {row["document_hash"]: row for row in await self._store.read("documents_known", hashes=names)}
        held = {name for name, document in known.items() if document["held"]}
        erased = await redactions_of(self._store, names)
        remainders = remainders_of(erased)
        size = await log_size(self._store)
        strangers = await self._quotas.strangers_among({row["agent_id"] for row in page})
        verdicts = []
        for row, statement in zip(page, statements, strict=True):
            classes = [
                _class_compared(segment, known.get(segment.document_hash or "", {}), has_passed=row["has_passed"])
                for segment in statement.evidence
            ]
            result = await look_at(self._evidence, statement, classes, held=held, remainders=remainders)
            causes = _causes(statement, erased)
            # The outcome that a verdict seals rests on the bytes of closed sources: it goes when they are erased.
            ends_seal = bool(causes) and sealed_status(row["machine_reason"]) is not None
            if _is_news(row["machine_check"], result.check.status, ends_seal=ends_seal):
                if ends_seal or row["machine_check"] == "PASS":
                    result = _with_causes(result, causes)
                verdict = await sign_verdict(self._node, statement, result, self._clock(), repeat=size)
                charge = Charge(of_stranger=row["agent_id"] in strangers)
                verdicts.append(Submission(verdict, charge=charge))
        return verdicts


def _check_class(known: Row, least: Boundary | None) -> None:
    """Raise `ForbiddenError` if bytes that are not here yet would be readable below the class that their sender states.

    Another agent may have registered their hash as a source before, and own it.
    """
    boundary = Boundary(known["boundary"])
    if least is not None and not known["held"] and boundary < least:
        raise ForbiddenError(
            f"{known['document_hash']} is {boundary} by the registration of {known['registered_by']}, and its bytes "
            f"would be readable as such, not as {least}",
            "boundary",
        )


def _class_compared(segment: EvidenceSegment, document: Row, *, has_passed: bool) -> Boundary | None:
    """Return the class under which the bytes are compared; None if they are not, or not registered under that name.

    The log does not state the clearance of a submitter. So closed bytes are compared when a statement comes, and not
    later (docs/decisions/0042). A statement that has passed was compared with bytes that were public then.
    """
    if segment.source_document not in document.get("sources", ()):
        return None
    public = has_passed or (document["boundary"] or Boundary.PUBLIC) == Boundary.PUBLIC
    return Boundary.PUBLIC if public else None


def _is_news(before: str, found: CheckStatus, *, ends_seal: bool) -> bool:
    takes_fail_back = before == CheckStatus.FAIL and found is CheckStatus.INCONCLUSIVE
    return not takes_fail_back and (ends_seal or found != before)


def _causes(statement: ProvenanceStatement, erased: Mapping[str, Sequence[RedactionRecord]]) -> list[str]:
    """Return a sentence for each redaction of bytes that a statement cites."""
    return list(
        dict.fromkeys(
            record.sentence
            for segment in statement.evidence
            for record in erased.get(segment.document_hash or "", ())
            if record.covers(segment.byte_range.start, segment.byte_range.end)
        )
    )


def _with_causes(result: MachineResult, causes: Sequence[str]) -> MachineResult:
    """Return the outcome for a statement that had passed, with the redactions that ended its PASS."""
    reason = "; ".join([result.check.reason, *causes])
    return replace(result, check=replace(result.check, reason=reason))


def _statement(document: bytes) -> ProvenanceStatement:
    statement = read_message(document)
    assert isinstance(statement, ProvenanceStatement)
    return statement


async def look_at_changes(sources: Sources, submissions: Sequence[Submission], outcomes: Sequence[Outcome]) -> None:
    """Have the machine check again the statements that cite the sources changed by these accepted messages.

    These are touched by an erasure or a new name: a registration takes no bytes and no name away. If a check fails, the
    messages are accepted all the same, and `a2ap source recheck` finds the remaining checks.
    """
    accepted = [
        submission.message
        for submission, outcome in zip(submissions, outcomes, strict=True)
        if isinstance(outcome, Receipt) and outcome.created
    ]
    erased = [message.document_hash for message in accepted if isinstance(message, Redaction)]
    named = {(one.document_hash, one.source_id) for one in accepted if isinstance(one, SourceRegistration)}
    try:
        for document_hash in erased:
            if document_hash is not None:
                await sources.check_again(document_hash, passed=True)
        if named:
            await sources.check_again_as(sorted(named))
    except (A2APError, GraphError) as error:
        logger.error("statements that cite the changed sources cannot be checked again yet: %s", error)
