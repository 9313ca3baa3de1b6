"""A file sent to an S3 service in parts, which can be resumed after an interruption.

Rules:

- The service shows an object when all of its parts are there and it is told to put them together: no reader ever sees
  half of one.
- An object's name is the hash of its content, so that an earlier upload of that name has the same bytes. Its parts are
  listed, and a part with the same MD5 and length as the file's is not sent again.
- An upload that was begun and not ended is kept for a day so that it can be resumed. Every upload, and every server
  that starts, removes older ones.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.sax.saxutils import escape

from graph.content.s3_service import NoSuchUploadError, S3Service, S3Session, elements, text_of
from graph.errors import ContentError

logger = logging.getLogger(__name__)

PART = 16 * 2**20
"""Bytes of a part, for files of up to 160 GB; for longer ones it is more, because the number of parts is limited."""

KEPT = timedelta(days=1)
"""The time for which an upload that was broken off can be resumed."""

_MOST_PARTS = 10_000
_AT_ONCE = 4
_TRIES = 3

Report = Callable[[int], None]
"""Called with the number of bytes of the file that have arrived, each time it has grown."""


@dataclass(frozen=True, slots=True)
class Begun:
    """An upload that was begun and not ended."""

    key: str
    upload_id: str
    at: datetime


async def send_file(
    service: S3Service, name: str, file: Path, report: Report = lambda arrived: None, *, part: int = PART
) -> None:
    """Write one object from a file; when this returns it is stored, whole. Raises ContentError.

    `part` is the least length of a part in bytes; services take none below 5 MiB but the last.
    """
    key = service.key(name)
    async with service.session() as session:
        before = await _version(session, key)
        for attempt in range(1, _TRIES + 1):
            known = await uploads_under_way(session, key)
            upload = known[0].upload_id if known else await _begin(session, key)
            try:
                await _send_parts(session, key, upload, _Parts(file, part), report)
                break
            except ContentError as error:
                # Another sender may have put it together meanwhile, of the same bytes: some services answer 500 then.
                if await _version(session, key) not in (None, before):
                    break
                if not isinstance(error, NoSuchUploadError):
                    raise
                if attempt == _TRIES:
                    raise ContentError(f"{key} cannot be written: others end its upload again and again") from error
    await end_old(service)


async def end_old(service: S3Service, older: timedelta = KEPT) -> int:
    """Remove uploads begun longer ago than `older` and not ended; return their number. Raises ContentError."""
    since, ended = datetime.now(UTC) - older, 0
    async with service.session() as session:
        for one in await uploads_under_way(session, service.key("")):
            if one.at < since:
                try:
                    await session.send("DELETE", one.key, {"uploadId": one.upload_id})
                except NoSuchUploadError:
                    continue
                ended += 1
                logger.info("the upload of %s, begun at %s and broken off, was taken away", one.key, one.at.isoformat())
    return ended


class _Parts:
    """A file cut into parts, which are numbered from 1."""

    def __init__(self, file: Path, least: int) -> None:
        length = file.stat().st_size
        self._file = file
        self._size = max(least, -(-length // _MOST_PARTS))
        self.count = -(-length // self._size)

    def read(self, number: int) -> bytes:
        """Return one part."""
        with self._file.open("rb") as opened:
            opened.seek((number - 1) * self._size)
            return opened.read(self._size)


async def _version(session: S3Session, key: str) -> tuple[str, str] | None:
    """Return the ETag and time that identify a version of an object, None if there is none."""
    try:
        answer = await session.send("HEAD", key, {})
    except ContentError:
        return None
    return answer.headers.get("etag", ""), answer.headers.get("last-modified", "")


async def _begin(session: S3Session, key: str) -> str:
    return text_of(await session.send("POST", key, {"uploads": ""}), "UploadId")


async def uploads_under_way(session: S3Session, prefix: str) -> list[Begun]:
    """Return the uploads, begun and not ended, of keys with this prefix; the oldest first."""
    found: list[Begun] = []
    after = {"key-marker": "", "upload-id-marker": ""}
    while True:
        query = {"uploads": "", "prefix": prefix, **{name: value for name, value in after.items() if value}}
        answer = await session.send("GET", "", query)
        for one in elements(answer, "Upload"):
            found.append(Begun(one["Key"], one["UploadId"], datetime.fromisoformat(one["Initiated"])))
        if text_of(answer, "IsTruncated") != "true":
            return sorted(found, key=lambda one: (one.at, one.upload_id))
        after = {
            "key-marker": text_of(answer, "NextKeyMarker"),
            "upload-id-marker": text_of(answer, "NextUploadIdMarker"),
        }


async def _arrived(session: S3Session, key: str, upload: str) -> dict[int, tuple[str, int]]:
    """Return the tags and lengths of the parts that have arrived, by their numbers."""
    found: dict[int, tuple[str, int]] = {}
    after = ""
    while True:
        query = {"uploadId": upload, **({"part-number-marker": after} if after else {})}
        answer = await session.send("GET", key, query)
        for one in elements(answer, "Part"):
            found[int(one["PartNumber"])] = one["ETag"].strip('"'), int(one["Size"])
        if text_of(answer, "IsTruncated") != "true":
            return found
        after = text_of(answer, "NextPartNumberMarker")


async def _send_parts(session: S3Session, key: str, upload: str, parts: _Parts, report: Report) -> None:
    there = await _arrived(session, key, upload)
    tags: dict[int, str] = {}
    gate, arrived = asyncio.Semaphore(_AT_ONCE), 0

    async def send(number: int) -> None:
        nonlocal arrived
        async with gate:
            piece = await asyncio.to_thread(parts.read, number)
            tag = (await asyncio.to_thread(hashlib.md5, piece, usedforsecurity=False)).hexdigest()
            if there.get(number) != (tag, len(piece)):
                answer = await session.send("PUT", key, {"partNumber": str(number), "uploadId": upload}, piece)
                tag = answer.headers["etag"].strip('"')
            tags[number] = tag
            arrived += len(piece)
            report(arrived)

    try:
        async with asyncio.TaskGroup() as group:
            for number in range(1, parts.count + 1):
                group.create_task(send(number))
    except BaseExceptionGroup as group:
        # The first to fail has ended the others.
        raise group.exceptions[0] from None
    listed = "".join(
        f"<Part><PartNumber>{number}</PartNumber><ETag>{escape(tags[number])}</ETag></Part>" for number in sorted(tags)
    )
    body = f"<CompleteMultipartUpload>{listed}</CompleteMultipartUpload>".encode()
    await session.send("POST", key, {"uploadId": upload}, body)
