"""Context Packs as they are submitted, whole, and their content for readers with access to it."""

import asyncio
import hashlib
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from a2ap.boundary import Boundary
from a2ap.pack.check_pack import Held
from a2ap.pack.manifest import Manifest, hash_content
from a2ap.pack.read_manifest import read_manifest
from graph.clearance import Reader, boundary_of
from graph.content.content_store import ContentStore
from graph.content.pack_archive import read_archive
from graph.errors import ContentNotFoundError, InputError, NotFoundError, RedactedError
from graph.records.reading import bytes_of_record
from graph.store import Row, Store

MAX_ARCHIVE = 64 * 1_048_576
"""Maximum bytes of one body."""
MAX_PACKS = 50
"""Maximum packs submitted together, including the packs that one follows."""


def read_handed_in(body: bytes) -> tuple[list[bytes], list[bytes]]:
    """Return the manifests and the content of a tar file of a store.

    Parents come before the packs that follow them. Raises InputError, and PackTextError or ManifestError for a bad
    manifest.
    """
    archive = read_archive(body)
    if not archive.packs:
        raise InputError("the archive lists no pack")
    if len(archive.packs) > MAX_PACKS:
        raise InputError(f"the archive has {len(archive.packs)} packs, and {MAX_PACKS} are taken at once")
    manifests = {name: read_manifest(archive.objects[name]).manifest for name in archive.packs}
    ordered = [archive.objects[name] for name in _parents_first(manifests)]
    return ordered, [content for name, content in archive.objects.items() if name not in manifests]


async def list_packs(store: ContentStore, contents: Sequence[bytes]) -> None:
    """List registered packs in the content store, so that tools of ContextSubstrate find them there."""
    for content in contents:
        await store.list_pack(hash_content(content))


async def held_content(content: ContentStore, manifest: bytes, spend: Callable[[int], None]) -> dict[str, Held]:
    """Return the held content that a manifest names, hashed again; damaged content has the hash that was found.

    `spend` is called after each chunk with the number of bytes read, and may raise.
    """
    found = {}
    for name in await asyncio.to_thread(_contents_of, manifest):
        with suppress(ContentNotFoundError):
            found[name] = await _held(content, name, spend)
    return found


async def _held(content: ContentStore, name: str, spend: Callable[[int], None]) -> Held:
    digest, size = hashlib.sha256(), 0
    async for chunk in content.stream(name):
        digest.update(chunk)
        size += len(chunk)
        spend(len(chunk))
    return Held(f"sha256:{digest.hexdigest()}", size)


async def read_blob(store: Store, content: ContentStore, record_hash: str, name: str, reader: Reader) -> bytes:
    """Return content that a pack names, to a reader with clearance for the pack and for the content itself.

    Raises `NotFoundError`, `ForbiddenError` above the reader's clearance, `RedactedError` if either was erased.
    """
    manifest = await bytes_of_record(store, content, record_hash, "Pack", reader)
    if name not in await asyncio.to_thread(_contents_of, manifest):
        raise NotFoundError(f"the pack {record_hash} does not name {name[:80]}")
    rows = {row["document_hash"]: row for row in await store.read("contents_known", hashes=[name, record_hash])}
    if known := rows.get(name):
        if boundary := _boundary_of(known, rows[record_hash]):
            reader.check(boundary, name)
        if known["redacted"]:
            raise RedactedError(f"{name} was {known['redacted']}")
    return await content.get(name)


async def lengths_of_blobs(
    store: Store, content: ContentStore, record_hash: str, names: Collection[str], reader: Reader
) -> dict[str, int]:
    """Return the lengths in bytes of contents that a pack names, of those that `read_blob` gives this reader."""
    rows = {row["document_hash"]: row for row in await store.read("contents_known", hashes=[*names, record_hash])}
    pack = rows[record_hash]
    if pack["redacted"] or not reader.may_read(boundary_of(pack["boundary"])):
        return {}
    lengths = {}
    for name in names:
        boundary = _boundary_of(rows[name], pack) if name in rows else None
        if name in rows and (rows[name]["redacted"] or not (boundary is None or reader.may_read(boundary))):
            continue
        with suppress(ContentNotFoundError):
            lengths[name] = await content.size(name)
    return lengths


def _boundary_of(content: Row, pack: Row) -> Boundary | None:
    """Return the class that content of a pack has beside that of the pack, or None."""
    # The same content can be a source with a class of its own.
    if content["boundary"] is None or _is_closed_by_strangers(content, pack):
        return None
    return boundary_of(content["boundary"])


def _is_closed_by_strangers(content: Row, pack: Row) -> bool:
    """Return whether only strangers registered this content as a source, and after the pack that it came with.

    A pack comes with all of its content: its sender had the bytes before another agent claimed them.
    """
    if content["answered_for"] or content["registered_as_record"]:
        return False
    return bool(min(content["registered"], default=0) > min(pack["registered_as_record"]))


def _contents_of(manifest: bytes) -> tuple[str, ...]:
    return read_manifest(manifest).manifest.blobs


def _parents_first(manifests: dict[str, Manifest]) -> list[str]:
    ordered: list[str] = []
    for name in manifests:
        line = []
        following = name
        while following in manifests and following not in ordered and following not in line:
            line.append(following)
            following = manifests[following].parent
        ordered += reversed(line)
    return ordered
