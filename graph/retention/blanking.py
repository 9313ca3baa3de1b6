"""Bytes of which some are blank: the remainder of a source when passages of it are erased."""

import hashlib
from collections.abc import AsyncIterator, Sequence

from a2ap.messages.evidence import ByteRange

_BLANK = b" "


async def blanked(chunks: AsyncIterator[bytes], byte_ranges: Sequence[ByteRange]) -> AsyncIterator[bytes]:
    """Yield the chunks of a source with a space in place of every byte within the ranges."""
    position = 0
    async for chunk in chunks:
        end = position + len(chunk)
        piece = bytearray(chunk)
        for one in byte_ranges:
            start, stop = max(one.start, position), min(one.end, end)
            if start < stop:
                piece[start - position : stop - position] = _BLANK * (stop - start)
        yield bytes(piece)
        position = end


async def hash_of_stream(chunks: AsyncIterator[bytes]) -> str:
    """Return `sha256:…` of the bytes that a stream yields."""
    digest = hashlib.sha256()
    async for chunk in chunks:
        digest.update(chunk)
    return f"sha256:{digest.hexdigest()}"
