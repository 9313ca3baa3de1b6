"""The gate of quotas, which every submission through an endpoint passes before it is queued or stored.

Rules (docs/decisions/0044):

- Submissions with the operator's token, the node's own messages, and submissions without a caller pass uncounted.
- A document counts for an endorsed agent and its operator if that agent has signed it, which is verified here, and if
  it is not in the log yet: anyone can send a copy, or put a name on a document. Every other document is a stranger's,
  and counts for the address that it comes from and for the agent that it names.
- A copy of a message in the log is answered from the log and not queued, without a count and whether or not a quota has
  room for it, so that a sender that lost receipts may send all of it again. Each further copy in one call counts for
  the address, as does each document that cannot be read.
- A message or record counts as one document for each `DOCUMENT_BYTES` that it begins; the bytes that come with a pack
  count in bytes alone. A statement of a stranger cites up to `STRANGER_PASSAGES`, and a verification request of a
  stranger counts as `REQUEST_DOCUMENTS`.
- Submissions that the node failed to write are given back; a refused one counts for the address, and so does a document
  that was refused before, also if an endorsed agent signed it.
- The bytes of a source count for the sender's address as they come, and for the agent that registered it once they are
  kept: then no longer for the address, unless that agent is a stranger. Other bodies count as the documents in them,
  and no body is held that is longer than the rest of its account's quota (`graph.quotas.body`).
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from math import ceil
from typing import Any, TypeVar

from a2ap.errors import A2APError
from a2ap.messages.admission_policy import AdmissionPolicy
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.message import Message
from a2ap.messages.record_registration import RecordFormat, RecordRegistration
from a2ap.messages.redaction import Redaction
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_request import VerificationRequest
from graph.content.space import Space
from graph.errors import GraphError, InputError, RefusedError, StorageFullError, StoreBusyError, TooLargeError
from graph.kinds.admission import check_signature
from graph.kinds.state import State
from graph.kinds.wanted_names import WantedNames
from graph.log.entry import Outcome, Receipt
from graph.log.name_here import name_of_message
from graph.quotas.body import Body
from graph.quotas.caller import Caller
from graph.quotas.charge import Charge
from graph.quotas.counters import Counters
from graph.quotas.decision import Account, AccountKind, Amount, Part, Use, hour_of
from graph.quotas.in_force import QuotasInForce
from graph.quotas.standings import Standings
from graph.quotas.upload import Upload
from graph.store import Store
from graph.submission.state_loader import look_up
from graph.submission.submission import Submission

logger = logging.getLogger(__name__)

T = TypeVar("T")

DOCUMENT_BYTES = 4096
"""Bytes of a message or record that count as one document; a shorter rest counts as one as well."""

REQUEST_DOCUMENTS = 5
"""Documents as which a verification request of a stranger counts: verifiers have to look at each."""

STRANGER_PASSAGES = 50
"""Maximum passages that a statement of a stranger may cite: a page of the newest statements shows all of them."""

_TOO_MANY_PASSAGES = (
    f"a statement of an agent for which this node's operator does not answer cites at most {STRANGER_PASSAGES} passages"
)

# Refused documents that a process remembers.
_REFUSED = 10_000


class QuotaGate:
    """Counts submissions, and refuses those for which a quota has no room."""

    def __init__(
        self,
        store: Store,
        node_agent: str,
        counters: Counters,
        clock: Callable[[], datetime],
        space: Space,
        signed_size: Callable[[], int],
    ) -> None:
        """Make the gate; `signed_size` returns the number of log entries that this process knows to be signed."""
        self._space = space
        self._store = store
        self._node_agent = node_agent
        self._counters = counters
        self._clock = clock
        self._standings = Standings(store, node_agent, clock)
        self._in_force = QuotasInForce(store, clock)
        self._signed_size = signed_size
        self._held: Counter[Account] = Counter()
        self._refused: dict[str, None] = {}

    async def admit(
        self,
        submissions: Sequence[Submission],
        caller: Caller | None,
        *,
        received: bool = False,
        seen: set[str] | None = None,
    ) -> list[Submission | Receipt | GraphError]:
        """Count submissions; return each with its charge, its receipt in the log, or its refusal.

        A refusal is of a quota, or of a stranger's statement with too many passages (`TooLargeError`). If counts cannot
        be written, that error is the refusal of all. `seen` has the names of earlier messages of the same call, and
        gets the names of these. `received` messages were signed by the node itself for their sender, which counts as a
        stranger.
        """
        if caller is None or caller.is_operator or not submissions:
            return list(submissions)
        messages = [one.message for one in submissions]
        names, seen = [name_of_message(message) for message in messages], set() if seen is None else seen
        operators, receipts = await self._look_up(messages, received=received)
        strangers = await self.strangers_among({one.envelope.agent_id for one in messages if _is_long(one)})
        repeated = _repeated(names, seen)
        copies = [self._copy_of(one, receipts) for one in submissions]
        asked = [
            self._asked(caller, one, name, operator, copy, again=again, received=received)
            for one, name, operator, copy, again in zip(submissions, names, operators, copies, repeated, strict=True)
        ]
        now = self._clock()
        refusals = await self._take_each(names, asked, repeated, now)
        seen.difference_update(name for name, refusal in zip(names, refusals, strict=True) if refusal is not None)
        admitted: list[Submission | Receipt | GraphError] = []
        for one, name, parts, refusal, copy, again in zip(
            submissions, names, asked, refusals, copies, repeated, strict=True
        ):
            is_too_long = _is_long(one.message) and one.message.envelope.agent_id in strangers and name not in receipts
            if copy is not None:
                admitted.append(refusal if again and refusal is not None else copy)
            elif refusal is None and is_too_long:
                admitted.append(TooLargeError(_TOO_MANY_PASSAGES))
            elif refusal is None:
                admitted.append(replace(one, charge=Charge(parts, hour_of(now), _is_at_address(parts), stays=again)))
            elif name in receipts and not again:
                # It takes no space, and its sender may not have heard of its receipt.
                admitted.append(replace(one, charge=Charge(of_stranger=True)))
            else:
                admitted.append(refusal)
        return admitted

    async def admit_unreadable(self, caller: Caller | None, sizes: Sequence[int]) -> list[GraphError | None]:
        """Count documents of these sizes, which are no messages, for the address; return each refusal of a quota."""
        if caller is None or caller.is_operator or not sizes:
            return [None] * len(sizes)
        asked = [(_at_address(caller, Amount(documents=1, bytes=size)),) for size in sizes]
        return await self._take(asked, self._clock())

    async def count_unreadable(self, caller: Caller | None, size: int) -> None:
        """Count one document that is no message, or has no content that is taken. Raises `QuotaError`."""
        for refusal in await self.admit_unreadable(caller, [size]):
            if refusal is not None:
                raise refusal

    @asynccontextmanager
    async def signed_call(self, caller: Caller | None, agent: str, size: int) -> AsyncIterator[None]:
        """Count a call that claims to be signed by `agent`, and adds nothing to the log, as a document of the address.

        A call of an agent that an operator answers for counts if it is refused: its signature is verified within.
        Raises `QuotaError`.
        """
        is_endorsed = await self._operator(agent) is not None
        if not is_endorsed:
            await self.count_unreadable(caller, size)
        try:
            yield
        except (A2APError, RefusedError):
            if is_endorsed:
                await self.count_unreadable(caller, size)
            raise

    async def settle(self, submissions: Sequence[Submission], outcomes: Sequence[Outcome]) -> None:
        """Give back the charges of submissions that were not kept, and note changes of quotas or agents' standing."""
        accepted = [
            one.message for one, outcome in zip(submissions, outcomes, strict=True) if isinstance(outcome, Receipt)
        ]
        self._standings.forget(accepted)
        if any(isinstance(message, AdmissionPolicy) for message in accepted):
            self._in_force.forget()
        for one, outcome in zip(submissions, outcomes, strict=True):
            kept = isinstance(outcome, Receipt) and outcome.created
            refused = isinstance(outcome, A2APError | RefusedError | InputError)
            if refused and one.charge.parts and not _is_at_address(one.charge.parts):
                self._remember_refused(name_of_message(one.message))
            if back := one.charge.back(kept=kept, refused=refused):
                await self._count(self._counters.add, back, one.charge.hour)

    async def check(self, caller: Caller | None, signer: str | None, length: int) -> None:
        """Raise `QuotaError` if some quota has no room for a body of `length` bytes; count nothing.

        The signature of a `signer` has been verified; a body without one is a stranger's.
        """
        if caller is None or caller.is_operator:
            return
        parts = self._parts(caller, signer, await self._operator(signer), Amount(documents=1, bytes=length))
        await asyncio.to_thread(self._counters.look, parts, await self._in_force.quotas(), self._clock())

    async def body(self, caller: Caller | None, signer: str | None = None, *, free: int = 0) -> Body:
        """Return the meter of a body that is about to arrive, to be released when the body is no longer held.

        The signature of a `signer` has been verified; a body without one is a stranger's. Of all bytes held at the same
        time, `free` bytes are taken although a quota is used up.
        """
        parts: tuple[Part, ...] = ()
        if caller is not None and not caller.is_operator:
            parts = self._parts(caller, signer, await self._operator(signer), Amount())
        account = parts[0].account if parts else None
        return Body(self._counters, account, await self._in_force.quotas(), self._clock, self._held, free)

    @asynccontextmanager
    async def upload(self, caller: Caller | None, owner: str, length: int) -> AsyncIterator[Upload]:
        """Count the bytes of a source that `owner` registered, of which `length` are announced.

        Raises `QuotaError`, as the upload's `counted` does.
        """
        address: Account | None = None
        owners: list[Account] = []
        if caller is not None and not caller.is_operator:
            address = Account(AccountKind.ADDRESS, caller.address)
            parts = self._parts(caller, owner, await self._operator(owner), Amount())
            owners = [part.account for part in parts if part.account != address]
        upload = Upload(self._counters, address, owners, await self._in_force.quotas(), self._clock)
        try:
            await upload.begin(length)
            yield upload
        finally:
            try:
                await upload.end()
            except GraphError as error:
                logger.error("the bytes of a source that came cannot be counted: %s", error)

    async def largest_uses(self, most: int) -> list[Use]:
        """Return the accounts that have used the largest share of a quota within a day, the largest share first."""
        return await asyncio.to_thread(self._counters.largest, await self._in_force.quotas(), self._clock(), most)

    async def strangers_among(self, agents: Collection[str]) -> set[str]:
        """Return those of these agents for which no operator answers."""
        return set(agents).difference(await self._standings.operators_of(agents))

    def _remember_refused(self, name: str) -> None:
        """Remember a refused document, which counts for the address if it comes again: anyone may send it."""
        if len(self._refused) >= _REFUSED:
            del self._refused[next(iter(self._refused))]
        self._refused[name] = None

    async def _take_each(
        self, names: Sequence[str], asked: Sequence[Sequence[Part]], repeated: Sequence[bool], now: datetime
    ) -> list[GraphError | None]:
        """Count documents and return their refusals; a repeated name gets the refusal of its first document."""
        first = await self._take([() if again else parts for parts, again in zip(asked, repeated, strict=True)], now)
        told = {name: refusal for name, refusal in zip(names, first, strict=True) if refusal is not None}
        wanted = [
            parts if again and name not in told else ()
            for name, parts, again in zip(names, asked, repeated, strict=True)
        ]
        further = await self._take(wanted, now)
        return [one or told.get(name) or other for name, one, other in zip(names, first, further, strict=True)]

    async def _take(self, asked: Sequence[Sequence[Part]], now: datetime) -> list[GraphError | None]:
        """Count each request that has room; return the refusals, which are all the same if counts cannot be written."""
        if not any(asked):
            return [None] * len(asked)
        try:
            return [*await self._count(self._counters.take, asked, await self._in_force.quotas(), now)]
        except (StorageFullError, StoreBusyError) as error:
            return [error] * len(asked)

    async def _count(self, step: Callable[..., T], *arguments: Any) -> T:
        """Run a step of the counters in a thread, and note if there is no space for it."""
        try:
            return await asyncio.to_thread(step, *arguments)
        except StorageFullError as error:
            raise self._space.told(error) from error

    async def _operator(self, agent: str | None) -> str | None:
        return None if agent is None else (await self._standings.operators_of([agent])).get(agent)

    async def _look_up(
        self, messages: Sequence[Message], *, received: bool
    ) -> tuple[list[str | None], Mapping[str, Receipt]]:
        """Return for each message the operator that answers for its signer, and the receipts of those in the log.

        There is an operator if the agent that the message names signed it, and it is new.
        """
        # A registration names the key that it is signed with, so that it says nothing of an agent that is here.
        known = {one.envelope.agent_id for one in messages if not isinstance(one, AgentRegistration) and not received}
        operators = await self._standings.operators_of(known)
        claimed = [
            one if one.envelope.agent_id in operators and not isinstance(one, AgentRegistration) else None
            for one in messages
        ]
        wanted = WantedNames()
        wanted.hashes.update(one.envelope.signed_hash for one in messages)
        for one in claimed:
            if one is not None:
                _add_signature(wanted, one)
        state = await look_up(self._store, wanted)
        if not any(one is not None for one in claimed):
            return [None] * len(messages), state.receipts
        verified = await asyncio.to_thread(_verified, claimed, state)
        found = [
            operators[one.envelope.agent_id] if holds else None for one, holds in zip(messages, verified, strict=True)
        ]
        return found, state.receipts

    def _copy_of(self, submission: Submission, receipts: Mapping[str, Receipt]) -> Receipt | None:
        """Return the receipt of an earlier message with the same bytes, if its copy has no effect.

        Bytes of a record may be missing here, and the remainder of a redaction may be in the way. An entry that is not
        signed yet has no receipt.
        """
        message = submission.message
        known = receipts.get(name_of_message(message))
        if known is None or submission.blobs or isinstance(message, Redaction):
            return None
        if known.entry.document_hash != message.envelope.document_hash or known.entry.log_index >= self._signed_size():
            return None
        return known.repeated()

    def _asked(
        self,
        caller: Caller,
        submission: Submission,
        name: str,
        operator: str | None,
        copy: Receipt | None,
        *,
        again: bool,
        received: bool,
    ) -> tuple[Part, ...]:
        """Return the parts to count: the address's alone if sent `again`, none for a first copy of a logged message."""
        if copy is not None:
            return (_at_address(caller, Amount(documents=1)),) if again else ()
        message, amount = submission.message, _amount(submission)
        if again or (operator is None and _is_long(message)) or name in self._refused:
            return (_at_address(caller, amount),)
        agent = None if received else message.envelope.agent_id
        if operator is None and isinstance(message, VerificationRequest):
            amount = replace(amount, documents=REQUEST_DOCUMENTS * amount.documents)
        return self._parts(caller, agent, operator, amount, message)

    def _parts(
        self, caller: Caller, agent: str | None, operator: str | None, amount: Amount, message: Message | None = None
    ) -> tuple[Part, ...]:
        """Return the parts of an amount, by account; none for the node's own messages."""
        if agent is not None and agent == operator == self._node_agent:
            return ()
        if agent is not None and operator is not None:
            endorsed = Amount(agents=1 if isinstance(message, Endorsement) else 0)
            return (
                Part(Account(AccountKind.ENDORSED, agent), amount),
                Part(Account(AccountKind.OPERATOR, operator), amount + endorsed),
            )
        registered = Amount(agents=1 if isinstance(message, AgentRegistration) else 0)
        address = Part(Account(AccountKind.ADDRESS, caller.address), amount + registered)
        return (address,) if agent is None else (address, Part(Account(AccountKind.STRANGER, agent), amount))


def _at_address(caller: Caller, amount: Amount) -> Part:
    return Part(Account(AccountKind.ADDRESS, caller.address), amount)


def _is_long(message: Message) -> bool:
    return isinstance(message, ProvenanceStatement) and len(message.evidence) > STRANGER_PASSAGES


def _is_at_address(parts: Sequence[Part]) -> bool:
    return any(part.account.kind is AccountKind.ADDRESS for part in parts)


def _repeated(names: Iterable[str], seen: set[str]) -> list[bool]:
    """Return for each message whether it is among those `seen`, and add it to them."""
    found = []
    for name in names:
        found.append(name in seen)
        seen.add(name)
    return found


def _amount(submission: Submission) -> Amount:
    """Return the amount of a submission: a long message or record takes as much work as several documents."""
    message, blobs = submission.message, sum(map(len, submission.blobs))
    size = len(message.envelope.received)
    is_pack = isinstance(message, RecordRegistration) and message.format is RecordFormat.PACK
    # The record comes first. The content that a pack names is kept and not read.
    read = sum(map(len, submission.blobs[:1])) if is_pack else blobs
    return Amount(documents=max(1, ceil((size + read) / DOCUMENT_BYTES)), bytes=size + blobs)


def _add_signature(wanted: WantedNames, message: Message) -> None:
    envelope = message.envelope
    wanted.hashes.add(envelope.signed_hash)
    wanted.agents.add(envelope.agent_id)
    if envelope.signature is not None:
        wanted.keys.add(envelope.signature.public_key)
    wanted.keys.update(proof.key_reference for proof in envelope.proofs)


def _verified(messages: Sequence[Message | None], state: State) -> list[bool]:
    """Return for each message whether its agent signed it, and it came neither before nor earlier among these."""
    seen = set(state.receipts)
    found = []
    for message in messages:
        holds = message is not None and name_of_message(message) not in seen
        if message is not None and holds:
            seen.add(name_of_message(message))
            try:
                check_signature(message, state)
            except (A2APError, GraphError):
                holds = False
        found.append(holds)
    return found
