"""Submission of records of other formats through GraphQL, as text, so that their bytes are kept."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from a2ap.messages.record_registration import RecordFormat
from graph.clearance import parse_boundary
from graph.errors import InputError
from graph.graphql.context import Info
from graph.graphql.log_entry import Receipt
from graph.services.record_permission import check_hand_in, counted_if_no_record
from graph.services.record_submission import register_received, register_signed

Read = TypeVar("Read")


async def read_admitted(info: Info, registration: str | None, read: Callable[[], Read]) -> Read:
    """Return the result of `read`, run in a thread after a check that this reader may submit."""
    await check_hand_in(info.context.platform, info.context.reader, _signed(registration), info.context.caller)
    async with _counted(info):
        return await asyncio.to_thread(read)


async def register_records(
    info: Info,
    format: RecordFormat,
    contents: Sequence[bytes],
    boundary: str | None,
    registration: str | None,
    blobs: Sequence[bytes] = (),
) -> list[Receipt]:
    """Register records under an agent's own registration, or by the node, in the strictest class by default."""
    platform, reader, caller = info.context.platform, info.context.reader, info.context.caller
    signed = _signed(registration)
    async with _counted(info, sum(map(len, contents))):
        if signed is not None:
            if len(contents) != 1:
                raise InputError(f"a registration is of one record, and there are {len(contents)}", "registration")
            return [Receipt.from_receipt(await register_signed(platform, signed, contents[0], format, blobs, caller))]
        stated = None if boundary is None else parse_boundary(boundary)
        receipts = await register_received(platform, reader, format, contents, stated, blobs, caller)
    return [Receipt.from_receipt(one) for one in receipts]


def _counted(info: Info, size: int = 0) -> AbstractAsyncContextManager[None]:
    return counted_if_no_record(info.context.platform, info.context.caller, lambda: size)


def _signed(registration: str | None) -> bytes | None:
    return None if registration is None else registration.encode("utf-8", "replace")
