"""Documents and sources as bytes under their SHA-256: in a local folder, or in a bucket of any S3 service.

Rules:

- A name is `sha256:<64 hex digits>`, and the object it stands for is `.ctx/objects/<2 digits>/<62 digits>`.
- Bytes are durable when the call that puts them returns, also if the same bytes were stored before.
- Stored bytes are compared before they are trusted, and written again if they are damaged.
- Content that is read whole is hashed again; a part cannot be.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, Protocol

from a2ap.durable_files import private_folder
from graph.content.object_bucket import open_bucket
from graph.content.object_folder import ObjectFolder, content_error
from graph.errors import ContentDamagedError, ContentMismatchError, ContentNotFoundError
from graph.settings import Settings

_OBJECTS = ".ctx/objects"
_PACKS = ".ctx/packs"
_NAME = re.compile(r"sha256:([0-9a-f]{2})([0-9a-f]{62})")
_CHUNK = 1 << 20  # bytes
_KEPT = 86_400.0  # seconds
_NOTHING: Mapping[str, bytes] = MappingProxyType({})


class Objects(Protocol):
    """The port that keeps the bytes: a folder or a bucket. Every method may raise ContentError."""

    async def write_many(self, objects: Mapping[str, bytes], *, durable: bool = True) -> None:
        """Write objects, all durable when this returns if `durable`."""

    async def replace(
        self, name: str, known: bytes | None, content: bytes, beside: Mapping[str, bytes] = _NOTHING
    ) -> bytes | None:
        """Write one object durably if it still holds `known`, None for no object; return its content before.

        The objects in `beside` are written first, in the same place, and are not durable.
        """

    async def write_file(self, name: str, file: Path) -> None:
        """Write one object from a file, durable when this returns; the file may be moved away."""

    async def read(self, name: str, start: int, end: int | None) -> bytes:
        """Return the bytes from `start` to before `end`, or to the object's end."""

    async def size(self, name: str) -> int:
        """Return an object's length in bytes."""

    async def remove(self, name: str) -> None:
        """Remove one object, durably; it need not exist."""

    def names(self, prefix: str) -> AsyncIterator[str]:
        """Yield the names below a folder or prefix."""

    async def tidy(self) -> None:
        """Remove writes that were begun long ago and never ended."""


class ContentStore:
    """Bytes by their hash. Streams are collected in the folder `spool` until their hash is known."""

    def __init__(self, objects: Objects, spool: Path) -> None:
        self._objects = objects
        self._spool = spool

    @property
    def objects(self) -> Objects:
        """Return the port that keeps the bytes, for objects with their own names: the log's tiles and checkpoints."""
        return self._objects

    async def put_many(self, contents: Sequence[bytes]) -> tuple[str, ...]:
        """Keep these contents and return their hashes, in order."""
        names = tuple(_hash_name(hashlib.sha256(content).digest()) for content in contents)
        objects = {_object_of(name): content for name, content in zip(names, contents, strict=True)}
        if objects:
            await self._objects.write_many(objects)
        return names

    async def put_stream(
        self, chunks: AsyncIterable[bytes], *, expected: str, on_arrival: Callable[[], Awaitable[None]] | None = None
    ) -> int:
        """Keep a stream of chunks under its expected hash, and return its length in bytes.

        `on_arrival` is called once all of it has come, and before it is kept. Raises ContentMismatchError if it has
        another hash, and the errors of `on_arrival`; nothing is kept then.
        """
        if not _NAME.fullmatch(expected):
            raise ValueError(f"{expected!r} is not the name of content")
        try:
            return await self._put_stream(chunks, expected, on_arrival)
        except ConnectionError:
            # It is of the stream, and not of the disk.
            raise
        except OSError as error:
            raise content_error(error) from error

    async def _put_stream(
        self, chunks: AsyncIterable[bytes], expected: str, on_arrival: Callable[[], Awaitable[None]] | None
    ) -> int:
        with await asyncio.to_thread(_temporary_folder, self._spool) as folder:
            path = Path(folder) / "content"
            digest, length = hashlib.sha256(), 0
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                async for chunk in chunks:
                    digest.update(chunk)
                    await asyncio.to_thread(file.write, chunk)
                    length += len(chunk)
            found = _hash_name(digest.digest())
            if found != expected:
                raise ContentMismatchError(f"content announced as {expected} is {found}")
            if on_arrival is not None:
                await on_arrival()
            await self._objects.write_file(_object_of(expected), path)
        return length

    async def put_file(self, path: Path) -> str:
        """Keep the content of a file and return its hash."""
        with path.open("rb") as file:
            digest = await asyncio.to_thread(hashlib.file_digest, file, "sha256")
            found = _hash_name(digest.digest())
            file.seek(0)
            await self.put_stream(_chunks_of(file), expected=found)
        return found

    async def get(self, name: str, start: int = 0, end: int | None = None) -> bytes:
        """Return content, or its bytes from `start` to before `end`; a range beyond its end is cut off.

        Raises ContentNotFoundError, and ContentDamagedError if content that is read whole is damaged.
        """
        if start < 0 or (end is not None and end < start):
            raise ValueError(f"{start} to {end} is not a byte range")
        content = await self._objects.read(_object_of(name), start, end)
        if start == 0 and end is None:
            found = _hash_name((await asyncio.to_thread(hashlib.sha256, content)).digest())
            if found != name:
                raise ContentDamagedError(f"content kept as {name} is {found}")
        return content

    async def stream(self, name: str, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Yield content, or a byte range of it, in chunks of up to a mebibyte; it is not hashed."""
        stop = await self.size(name)
        stop = stop if end is None else min(end, stop)
        for position in range(start, stop, _CHUNK):
            yield await self.get(name, position, min(position + _CHUNK, stop))

    async def size(self, name: str) -> int:
        """Return the length of content in bytes. Raises ContentNotFoundError."""
        return await self._objects.size(_object_of(name))

    async def has(self, name: str) -> bool:
        """Return whether content is held."""
        try:
            await self.size(name)
        except ContentNotFoundError:
            return False
        return True

    async def remove(self, name: str) -> None:
        """Erase content: when this returns nothing is held under that hash. The caller must know all its references."""
        await self._objects.remove(_object_of(name))
        await self._objects.remove(f"{_PACKS}/{name.removeprefix('sha256:')}")

    async def list_pack(self, name: str) -> None:
        """List content as the manifest of a Context Pack, as a store of ContextSubstrate does."""
        _object_of(name)
        await self._objects.write_many({f"{_PACKS}/{name.removeprefix('sha256:')}": name.encode()})

    async def tidy(self) -> None:
        """Remove the remains of processes that died: half-collected streams, and parts that were never completed.

        Those younger than a day may still be in progress, and stay.
        """
        await asyncio.to_thread(_clear_old, self._spool)
        await self._objects.tidy()

    async def names(self) -> AsyncIterator[str]:
        """Yield the hash of all content that is held."""
        async for path in self._objects.names(_OBJECTS):
            name = "sha256:" + "".join(path.split("/")[-2:])
            if _NAME.fullmatch(name):
                yield name


def open_content_store(settings: Settings) -> ContentStore:
    """Return the content store that the settings name: the bucket if there is a URL, else the data folder."""
    spool = settings.data / ".ctx" / "incoming"
    if settings.objects_url is not None:
        return ContentStore(open_bucket(settings.objects_url, dict(settings.objects_options)), spool)
    return ContentStore(ObjectFolder(settings.data), spool)


def _object_of(name: str) -> str:
    parts = _NAME.fullmatch(name)
    if parts is None:
        raise ContentNotFoundError(f"{name!r} is not the name of content")
    return f"{_OBJECTS}/{parts[1]}/{parts[2]}"


def _hash_name(digest: bytes) -> str:
    return f"sha256:{digest.hex()}"


def _clear_old(spool: Path) -> None:
    if not spool.is_dir():
        return
    for folder in spool.iterdir():
        with suppress(FileNotFoundError):
            if time.time() - max(one.stat().st_mtime for one in (folder, *folder.glob("*"))) > _KEPT:
                shutil.rmtree(folder, ignore_errors=True)


def _temporary_folder(parent: Path) -> tempfile.TemporaryDirectory[str]:
    private_folder(parent)
    return tempfile.TemporaryDirectory(dir=parent)


async def _chunks_of(file: BinaryIO) -> AsyncIterator[bytes]:
    while chunk := await asyncio.to_thread(file.read, _CHUNK):
        yield chunk
