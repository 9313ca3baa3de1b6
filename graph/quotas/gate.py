"""The gate of quotas, which everything that is handed in through a door passes before it is queued or stored.

Rules (docs/decisions/0290):

- The operator's token, the node's own messages and what has no caller pass uncounted.
- A document counts for an endorsed agent and its operator if that agent has signed it, which is verified here, and if
  it is not in the log yet: anybody can send a copy, or put a name on a document. Everything else is a stranger's, and
  counts for the address that it comes from and for the agent that it names.
- What is here already is given back, or taken without a count where no quota has room for it, so that whoever lost
  receipts may send all of it again. What the node failed to write is given back; what is refused counts for the
  address.
- The bytes of a source count for the agent that registered it once they are kept, and a stranger's for the address as
  they come.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from a2ap.admission_policy import AdmissionPolicy
from a2ap.agent_registration import AgentRegistration
from a2ap.endorsement import Endorsement
from a2ap.errors import A2APError
from a2ap.message import Message
from graph.content.space import Space
from graph.errors import GraphError, InputError, RefusedError, StorageFullError, StoreBusyError
from graph.log.entry import Outcome, Receipt
from graph.log.name_here import name_of_message
from graph.log.signatures import check_signature
from graph.log.state import State
from graph.log.state_loader import load_names
from graph.log.submission import Submission
from graph.log.wanted_names import WantedNames
from graph.quotas.caller import Caller
from graph.quotas.charge import Charge
from graph.quotas.counters import Counters
from graph.quotas.decision import Account, AccountKind, Amount, Part, hour_of
from graph.quotas.in_force import QuotasInForce
from graph.quotas.standings import Standings
from graph.quotas.upload import Upload
from graph.store import Store

logger = logging.getLogger(__name__)

T = TypeVar("T")


class QuotaGate:
    """Counts what is handed in, and refuses what some quota has no room for."""

    def __init__(
        self, store: Store, node_agent: str, counters: Counters, clock: Callable[[], datetime], space: Space
    ) -> None:
        self._space = space
        self._store = store
        self._node_agent = node_agent
        self._counters = counters
        self._clock = clock
        self._standings = Standings(store, node_agent, clock)
        self._in_force = QuotasInForce(store, clock)

    async def admit(
        self, submissions: Sequence[Submission], caller: Caller | None, *, received: bool = False
    ) -> list[Submission | GraphError]:
        """Count submissions; return each with its charge, or the refusal of a quota that has no room for it.

        Where counts cannot be written, that is the refusal of all.

        What is `received` the node signed itself for its sender, for whom nobody answers.
        """
        if caller is None or caller.is_operator or not submissions:
            return list(submissions)
        messages = [one.message for one in submissions]
        operators = [None] * len(messages) if received else await self._operators(messages)
        asked = [
            self._parts(
                caller, None if received else one.message.envelope.agent_id, operator, _amount(one), one.message
            )
            for one, operator in zip(submissions, operators, strict=True)
        ]
        now = self._clock()
        quotas = await self._in_force.quotas()
        refusals: Sequence[GraphError | None]
        try:
            refusals = await self._count(self._counters.take, asked, quotas, now)
        except (StorageFullError, StoreBusyError) as error:
            refusals = [error] * len(asked)
        here = await self._here([one for one, refusal in zip(messages, refusals, strict=True) if refusal is not None])
        admitted: list[Submission | GraphError] = []
        for one, parts, refusal in zip(submissions, asked, refusals, strict=True):
            if refusal is None:
                of_stranger = any(part.account.kind is AccountKind.ADDRESS for part in parts)
                admitted.append(replace(one, charge=Charge(parts, hour_of(now), of_stranger)))
            elif name_of_message(one.message) in here:
                # It takes no space, and its sender may not have heard of its receipt.
                admitted.append(replace(one, charge=Charge(of_stranger=True)))
            else:
                admitted.append(refusal)
        return admitted

    async def settle(self, submissions: Sequence[Submission], outcomes: Sequence[Outcome]) -> None:
        """Give back what was counted and not kept, and note what changes the quotas or the standing of agents."""
        accepted = [
            one.message for one, outcome in zip(submissions, outcomes, strict=True) if isinstance(outcome, Receipt)
        ]
        self._standings.forget(accepted)
        if any(isinstance(message, AdmissionPolicy) for message in accepted):
            self._in_force.forget()
        for one, outcome in zip(submissions, outcomes, strict=True):
            kept = isinstance(outcome, Receipt) and outcome.created
            refused = isinstance(outcome, A2APError | RefusedError | InputError)
            if back := one.charge.back(kept=kept, refused=refused):
                await self._count(self._counters.add, back, one.charge.hour)

    async def check(self, caller: Caller | None, signer: str | None, length: int) -> None:
        """Raise `QuotaError` if some quota has no room for a body of so many bytes; count nothing.

        The signature of a `signer` has been verified; a body without one is a stranger's.
        """
        if caller is None or caller.is_operator:
            return
        parts = self._parts(caller, signer, await self._operator(signer), Amount(documents=1, bytes=length))
        await asyncio.to_thread(self._counters.look, parts, await self._in_force.quotas(), self._clock())

    @asynccontextmanager
    async def upload(self, caller: Caller | None, owner: str, length: int) -> AsyncIterator[Upload]:
        """Count the bytes of a source that `owner` registered, of which `length` are announced.

        Raises `QuotaError`, as the upload's `counted` does.
        """
        parts: tuple[Part, ...] = ()
        if caller is not None and not caller.is_operator:
            parts = self._parts(caller, owner, await self._operator(owner), Amount())
        accounts = [part.account for part in parts]
        upload = Upload(self._counters, accounts, await self._in_force.quotas(), self._clock)
        await upload.begin(length)
        try:
            yield upload
        finally:
            try:
                await upload.end()
            except GraphError as error:
                logger.error("the bytes of a source that came cannot be counted: %s", error)

    async def _count(self, step: Callable[..., T], *arguments: Any) -> T:
        """Take a step of the counters aside; that there is no space for it is noted."""
        try:
            return await asyncio.to_thread(step, *arguments)
        except StorageFullError as error:
            raise self._space.told(error) from error

    async def _operator(self, agent: str | None) -> str | None:
        return None if agent is None else (await self._standings.operators_of([agent])).get(agent)

    async def _operators(self, messages: Sequence[Message]) -> list[str | None]:
        """Return for each message the operator that answers for the agent who signed it, if one does and it is new."""
        # A registration names the key that it is signed with, so that it says nothing of an agent that is here.
        known = {one.envelope.agent_id for one in messages if not isinstance(one, AgentRegistration)}
        operators = await self._standings.operators_of(known)
        claimed = [
            one if one.envelope.agent_id in operators and not isinstance(one, AgentRegistration) else None
            for one in messages
        ]
        wanted = WantedNames()
        for one in claimed:
            if one is not None:
                _add_signature(wanted, one)
        if not wanted.hashes:
            return [None] * len(messages)
        state = await load_names(self._store, wanted)
        verified = await asyncio.to_thread(_verified, claimed, state)
        return [
            operators[one.envelope.agent_id] if holds else None for one, holds in zip(messages, verified, strict=True)
        ]

    async def _here(self, messages: Sequence[Message]) -> frozenset[str]:
        """Return the names of those of these messages that are in the log."""
        if not messages:
            return frozenset()
        wanted = WantedNames()
        wanted.hashes.update(one.envelope.signed_hash for one in messages)
        return frozenset((await load_names(self._store, wanted)).receipts)

    def _parts(
        self, caller: Caller, agent: str | None, operator: str | None, amount: Amount, message: Message | None = None
    ) -> tuple[Part, ...]:
        """Return what is asked of which accounts; of none for the node."""
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


def _amount(submission: Submission) -> Amount:
    received = submission.message.envelope.received
    return Amount(documents=1, bytes=len(received) + sum(map(len, submission.blobs)))


def _add_signature(wanted: WantedNames, message: Message) -> None:
    envelope = message.envelope
    wanted.hashes.add(envelope.signed_hash)
    wanted.agents.add(envelope.agent_id)
    if envelope.signature is not None:
        wanted.keys.add(envelope.signature.public_key)
    wanted.keys.update(proof.key_reference for proof in envelope.proofs)


def _verified(messages: Sequence[Message | None], state: State) -> list[bool]:
    """Say of each message whether its agent signed it, and it has come neither before nor earlier among these."""
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
