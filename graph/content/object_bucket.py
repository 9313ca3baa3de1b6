"""Objects in a bucket of any S3 service, through obstore; a write that was answered is durable."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotSupportedError, PreconditionError
from obstore.store import ObjectStore, S3Store

from graph.content.s3_service import S3Service, s3_service
from graph.content.s3_upload import PART, end_old, send_file
from graph.errors import ContentError, ContentNotFoundError

if TYPE_CHECKING:
    from obstore import GetOptions, PutMode

logger = logging.getLogger(__name__)

_AT_ONCE = 16  # requests
_PATIENCE = timedelta(seconds=30)  # a request, and all of its repetitions
_REFUSALS = 10  # of one write, before it is given up
_PAUSE = 0.05  # seconds between a refusal and the next read, times the number of refusals


def open_bucket(url: str, options: Mapping[str, str]) -> ObjectBucket:
    """Return the bucket at an `s3://bucket/prefix` URL; `options` are variables such as AWS_ENDPOINT_URL."""
    config: Any = {name.lower(): value for name, value in options.items()}
    plain = config.get("aws_endpoint_url", "").startswith("http://")
    try:
        bucket = S3Store.from_url(
            url,
            config=config,
            client_options={"allow_http": plain, "timeout": _PATIENCE},
            retry_config={"max_retries": 4, "retry_timeout": _PATIENCE},
        )
    except (BaseError, ValueError) as error:
        raise ContentError(f"the bucket {url} cannot be used: {error}") from error
    return ObjectBucket(bucket, s3_service(url, config))


class ObjectBucket:
    """Objects below one prefix of a bucket. Names are keys with `/`.

    Without a `service` the library sends a long file in its own way, and begins anew if that is broken off.
    """

    def __init__(self, bucket: ObjectStore, service: S3Service | None = None) -> None:
        self._bucket = bucket
        self._service = service

    @property
    def bucket(self) -> ObjectStore:
        """Return the library's object for the bucket."""
        return self._bucket

    async def write_many(self, objects: Mapping[str, bytes], *, durable: bool = True) -> None:
        """Write objects, all durable when this returns; an existing object of the same name is replaced."""
        gate = asyncio.Semaphore(_AT_ONCE)

        async def write(name: str, content: bytes) -> None:
            async with gate:
                await self._put(name, content)

        # All are waited for, also where one fails: nothing goes on behind the caller's back.
        tasks = [asyncio.create_task(write(name, content)) for name, content in objects.items()]
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome

    async def replace(
        self, name: str, known: bytes | None, content: bytes, beside: Mapping[str, bytes] = MappingProxyType({})
    ) -> bytes | None:
        """Write one object if it still holds `known`, None for no object; return its content before.

        The objects in `beside` are written first. A service without conditional writes may let one of two writers
        replace the other's new object.
        """
        for refusals in range(1, _REFUSALS + 1):
            found, tag = await self._tagged(name)
            if found != known:
                return found
            await self.write_many(beside)
            mode: PutMode = "create" if tag is None else {"e_tag": tag}
            try:
                await obstore.put_async(self._bucket, name, content, mode=mode)
            except (AlreadyExistsError, PreconditionError):
                # The service may not show yet the object for which it refused this one.
                await asyncio.sleep(refusals * _PAUSE)
            except (NotSupportedError, NotImplementedError):
                await self._put(name, content)
                return found
            except BaseError as error:
                raise ContentError(f"{name} cannot be written: {error}") from error
            else:
                return found
        raise ContentError(f"{name} cannot be written: the service refuses it, and shows no other object in its place")

    async def write_file(self, name: str, file: Path) -> None:
        """Write one object from a file, durable when this returns; the file may be moved away.

        A long file is sent in parts: if that is broken off, the next writer of the file goes on.
        """
        length = (await asyncio.to_thread(file.stat)).st_size
        if length <= PART:
            await self._put(name, file, in_parts=False)
        elif self._service is None or not await self._sent_in_parts(self._service, name, file, length):
            await self._put(name, file)

    async def tidy(self) -> None:
        """Remove the parts of uploads that were broken off long ago."""
        if self._service is None:
            return
        try:
            await end_old(self._service)
        except ContentError as error:
            logger.warning("uploads that were broken off stay in the bucket: %s", error)

    async def _sent_in_parts(self, service: S3Service, name: str, file: Path, length: int) -> bool:
        """Send a file in resumable parts; return whether the service allowed it."""
        told = 0

        def report(arrived: int) -> None:
            nonlocal told
            if arrived * 10 // length > told:
                told = arrived * 10 // length
                logger.info("%s: %s of %s bytes are in the bucket", name, arrived, length)

        try:
            await send_file(service, name, file, report)
        except ContentError as error:
            # Whoever gives out the keys may not allow the lists of uploads under way.
            logger.warning("%s is sent in a way that cannot be gone on with: %s", name, error)
            return False
        return True

    async def read(self, name: str, start: int, end: int | None) -> bytes:
        """Return the bytes from `start` to before `end`, or to the object's end."""
        options: GetOptions = {"range": {"offset": start} if end is None else (start, end)}
        try:
            if start == 0 and end is None:
                options = {}
            elif start == end and await self.size(name) >= 0:
                return b""
            found = await obstore.get_async(self._bucket, name, options=options)
            return bytes(await found.bytes_async())
        except FileNotFoundError as error:
            raise ContentNotFoundError(f"{name} is not held") from error
        except BaseError as error:
            # RFC 9110 §14.4: a range that begins at or after the end is an error there, and empty here.
            if start > 0 and start >= await self.size(name):
                return b""
            raise ContentError(f"{name} cannot be read: {error}") from error

    async def size(self, name: str) -> int:
        """Return an object's length in bytes."""
        try:
            return (await obstore.head_async(self._bucket, name))["size"]
        except FileNotFoundError as error:
            raise ContentNotFoundError(f"{name} is not held") from error
        except BaseError as error:
            raise ContentError(f"{name} cannot be looked up: {error}") from error

    async def remove(self, name: str) -> None:
        """Remove one object; it need not exist."""
        try:
            await obstore.delete_async(self._bucket, name)
        except FileNotFoundError:
            pass
        except BaseError as error:
            raise ContentError(f"{name} cannot be erased: {error}") from error

    async def names(self, prefix: str) -> AsyncIterator[str]:
        """Yield the names below a prefix, in the service's order."""
        try:
            async for page in obstore.list(self._bucket, prefix=prefix):
                for entry in page:
                    yield entry["path"]
        except BaseError as error:
            raise ContentError(f"{prefix} cannot be listed: {error}") from error

    async def _tagged(self, name: str) -> tuple[bytes | None, str | None]:
        """Return an object's bytes and the tag of this version of it, None for both if there is none."""
        try:
            found = await obstore.get_async(self._bucket, name)
            return bytes(await found.bytes_async()), found.meta["e_tag"]
        except FileNotFoundError:
            return None, None
        except BaseError as error:
            raise ContentError(f"{name} cannot be read: {error}") from error

    async def _put(self, name: str, content: bytes | Path, *, in_parts: bool | None = None) -> None:
        """Write one object; None leaves it to the library whether in parts."""
        try:
            await obstore.put_async(self._bucket, name, content, use_multipart=in_parts)
        except BaseError as error:
            raise ContentError(f"{name} cannot be written: {error}") from error
