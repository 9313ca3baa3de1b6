"""The last signed checkpoint, kept outside the graph: in the data folder, and in the bucket if there is one.

Beside it are the leaf hashes of the bundle that is not full at its size, so that a later change of one of these entries
can be located. They follow from the graph and are not trusted; the signed root hash is.
"""

from dataclasses import dataclass

from a2ap.errors import LogFormatError
from a2ap.log.checkpoint import Checkpoint, read_checkpoint
from a2ap.log.merkle import HASH_BYTES
from a2ap.log.signed_note import read_note
from a2ap.log.tiles import TILE_WIDTH
from graph.content.content_store import Objects
from graph.errors import ContentNotFoundError, LogMismatchError

CHECKPOINT = "log/checkpoint"
EDGE = "log/edge"

_SIZE_BYTES = 8


@dataclass(slots=True)
class Place:
    """The place of a kept checkpoint, and the bytes last seen there."""

    objects: Objects
    name: str
    known: bytes | None = None

    async def replace(self, note: str, edge: bytes) -> bytes | None:
        """Keep another checkpoint if the known one is still there; return the one found instead, None if kept."""
        content = note.encode()
        found = await self.objects.replace(CHECKPOINT, self.known, content, {EDGE: edge})
        if found != self.known:
            return found
        self.known = content
        return None

    def read(self, kept: bytes) -> Checkpoint:
        """Return a checkpoint that was found here, not yet verified; raises `LogMismatchError`."""
        try:
            return read_checkpoint(read_note(kept.decode()).text)
        except (LogFormatError, UnicodeDecodeError) as error:
            raise LogMismatchError(f"the checkpoint kept in {self.name} cannot be read: {error}") from error


async def read_kept(place: Place) -> Checkpoint | None:
    """Return the checkpoint that is kept in a place, or None, and remember it as the one known there."""
    try:
        place.known = await place.objects.read(CHECKPOINT, 0, None)
    except ContentNotFoundError:
        return None
    return place.read(place.known)


def write_edge(size: int, leaf_hashes: list[bytes]) -> bytes:
    """Return the leaf hashes of the unfinished bundle of a tree of this size, behind the size."""
    return size.to_bytes(_SIZE_BYTES, "big") + b"".join(leaf_hashes)


async def read_edge(place: Place) -> tuple[int, bytes] | None:
    """Return the index of the first entry of the unfinished bundle and its leaf hashes; None if there are none."""
    try:
        data = await place.objects.read(EDGE, 0, None)
    except ContentNotFoundError:
        return None
    size, hashes = int.from_bytes(data[:_SIZE_BYTES], "big"), data[_SIZE_BYTES:]
    if len(hashes) != size % TILE_WIDTH * HASH_BYTES:
        return None
    return size - size % TILE_WIDTH, hashes
