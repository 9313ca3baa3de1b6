"""Submission of records at this node's own endpoints: registered by an agent, or else by the node.

A record without an agent's registration is registered by the node, which states only that it was received. The same
record in the same class again gets the first receipt again, and changes no class of its bytes. If the node is not open,
only the operator submits records without an agent's registration.
"""

import asyncio
from collections.abc import Sequence

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.record_registration import RecordFormat, build_record_registration
from graph.clearance import Reader
from graph.errors import ConflictError, ContentMismatchError, ForbiddenError, InputError, RedactedError
from graph.keys.signing_aside import signed_aside
from graph.log.entry import Receipt, entry_from_row
from graph.platform import Platform
from graph.quotas.caller import Caller
from graph.records.formats import READERS
from graph.retention.redactions import redactions_of
from graph.services.record_permission import check_reader_admitted, read_registration
from graph.submission.submission import Submission

MAX_RECORDS = 500
"""Maximum records submitted together."""


async def register_signed(
    platform: Platform,
    registration: bytes,
    content: bytes,
    format: RecordFormat,
    blobs: Sequence[bytes] = (),
    caller: Caller | None = None,
) -> Receipt:
    """Append an agent's own registration of a record, and keep the bytes. Raises the errors of `check_message`."""
    message = read_registration(registration)
    if message.format is not format:
        raise InputError(f"the registration is of a {message.format}, not of a {format}", "format")
    if sha256_digest(content) != message.document_hash:
        raise ContentMismatchError(f"the content is {sha256_digest(content)}, not {message.document_hash}")
    (outcome,) = await platform.append([Submission(message, blobs=(content, *blobs))], caller)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


async def register_received(
    platform: Platform,
    reader: Reader,
    format: RecordFormat,
    contents: Sequence[bytes],
    boundary: Boundary | None,
    blobs: Sequence[bytes] = (),
    caller: Caller | None = None,
) -> list[Receipt]:
    """Have the node register records that no agent signed for, in order; all of them are read before any is registered.

    `blobs` are other bytes that they name. Without a class, bytes that have one keep it, and others get the strictest.
    The records count for the quotas of a `caller`. Raises the first error; records before it are registered.
    """
    await check_reader_admitted(platform, reader)
    if len(contents) > MAX_RECORDS:
        raise InputError(f"there are {len(contents)} records, and {MAX_RECORDS} are taken at once")
    for content in contents:
        await asyncio.to_thread(READERS[format].check, content)
    await _check_not_erased(platform, contents)
    classes = await _classes(platform, contents, boundary)
    names = [
        _registration_id(platform, format, content, stated) for content, stated in zip(contents, classes, strict=True)
    ]
    known = await _receipts(platform, names)
    submissions = {
        name: await _submission(platform, name, format, content, stated, blobs)
        for name, content, stated in zip(names, contents, classes, strict=True)
        if name not in known
    }
    outcomes = await platform.append(list(submissions.values()), caller, received=True)
    for name, outcome in zip(submissions, outcomes, strict=True):
        if isinstance(outcome, ConflictError):
            # Another server of this node, or another request, was quicker.
            known |= await _receipts(platform, [name])
        elif isinstance(outcome, Exception):
            raise outcome
        else:
            known[name] = outcome
    return [known[name] for name in names]


async def _classes(platform: Platform, contents: Sequence[bytes], stated: Boundary | None) -> list[Boundary]:
    """Return the class of each record. Raises `ForbiddenError` if the stated class is stricter than a known one."""
    names = [sha256_digest(content) for content in contents]
    rows = await platform.store.read("documents_known", hashes=sorted(set(names)))
    known = {row["document_hash"]: Boundary(row["boundary"]) for row in rows if row["boundary"] is not None}
    for name, boundary in known.items():
        if stated is not None and stated > boundary:
            raise ForbiddenError(
                f"{name} is {boundary}: only an agent makes it {stated}, by a registration that it signs"
            )
    return [stated or known.get(name, STRICTEST) for name in names]


async def _submission(
    platform: Platform,
    name: str,
    format: RecordFormat,
    content: bytes,
    boundary: Boundary,
    blobs: Sequence[bytes],
) -> Submission:
    node = platform.node
    message = build_record_registration(
        registration_id=name,
        registered_at=platform.clock(),
        registering_agent=node.agent_id,
        format=format,
        document_hash=sha256_digest(content),
        boundary=boundary,
    )
    own = await asyncio.to_thread(_named_by, format, content, blobs)
    return Submission(await signed_aside(node.key, lambda: node.sign(message)), blobs=(content, *own))


def _named_by(format: RecordFormat, content: bytes, blobs: Sequence[bytes]) -> tuple[bytes, ...]:
    named = set(READERS[format].names(content))
    return tuple(blob for blob in blobs if sha256_digest(blob) in named)


def _registration_id(platform: Platform, format: RecordFormat, content: bytes, boundary: Boundary) -> str:
    return platform.node.derived_id(f"record|{format}|{sha256_digest(content)}|{boundary}")


async def _receipts(platform: Platform, names: Sequence[str]) -> dict[str, Receipt]:
    rows = await platform.store.read("log_entries_by_id", ids=list(names))
    hashes = [row["signed_hash"] for row in rows]
    entries = [entry_from_row(row) for row in await platform.store.read("log_entries_by_hash", hashes=hashes)]
    return {entry.id: Receipt(entry, created=False) for entry in entries}


async def _check_not_erased(platform: Platform, contents: Sequence[bytes]) -> None:
    for name, known in (await redactions_of(platform.store, [sha256_digest(one) for one in contents])).items():
        raise RedactedError(f"{name} was {known[-1].sentence}")
