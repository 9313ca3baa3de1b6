"""The permission to submit records, which every endpoint checks before it reads the submission.

A record that an agent registers needs a registration that this node would accept, for any record; a record without an
agent's registration needs an open node, or the operator.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from a2ap.errors import A2APError, TypeNameError
from a2ap.messages.admission_policy import AdmissionMode
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.record_registration import RecordRegistration
from graph.clearance import Reader
from graph.errors import ContentMismatchError, ForbiddenError, InputError
from graph.kinds.admission import check_message
from graph.log.name_here import name_of_message
from graph.platform import Platform
from graph.quotas.caller import Caller
from graph.submission.state_loader import load_state


async def check_hand_in(
    platform: Platform, reader: Reader, registration: bytes | None, caller: Caller | None, *, length: int = 0
) -> str | None:
    """Raise if no record is taken from this reader, or under this registration, for any content.

    Return the agent that signed the registration, if there is one and it is new. Raises `QuotaError` if no quota of the
    caller has room for a body with the announced `length`.
    """
    if registration is None:
        await check_reader_admitted(platform, reader)
        signer = None
    else:
        signer = await _check_registration(platform, registration)
    await platform.quotas.check(caller, signer, length)
    return signer


@asynccontextmanager
async def counted_if_no_record(
    platform: Platform, caller: Caller | None, size: Callable[[], int]
) -> AsyncIterator[None]:
    """Count a submission against the caller's address, with its `size`, if it turns out to be no record.

    Raises `QuotaError` then if the address has no room for it.
    """
    try:
        yield
    except (A2APError, InputError, ContentMismatchError):
        await platform.quotas.count_unreadable(caller, size())
        raise


async def check_reader_admitted(platform: Platform, reader: Reader) -> None:
    """Raise `ForbiddenError` if records without an agent's registration are not taken from this reader."""
    rows = await platform.store.read("current_admission_policy")
    if rows and rows[0]["mode"] != AdmissionMode.OPEN and not reader.operator:
        raise ForbiddenError(
            "not everybody may join here: a record that no agent signed for needs the operator's token"
        )


def read_registration(registration: bytes) -> RecordRegistration:
    """Return the registration in these bytes. Raises `TypeNameError`, and the errors of `read_message`."""
    message = read_message(registration)
    if not isinstance(message, RecordRegistration):
        expected = MessageType.RECORD_REGISTRATION.wire
        raise TypeNameError("@type", f"is {message.envelope.type.wire}, not {expected}")
    return message


async def _check_registration(platform: Platform, registration: bytes) -> str | None:
    """Return the agent that signed a registration; None for one that is stored already, which anyone may have copied.

    Raises the errors of `check_message`.
    """
    message = read_registration(registration)
    state = await load_state(platform.store, [message])
    state.node_agent = platform.node.agent_id
    if name_of_message(message) in state.receipts:
        return None
    check_message(message, state)
    return message.envelope.agent_id
