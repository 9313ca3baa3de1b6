"""The bytes of records that come with a batch: each registration is lent its own, and all together a bounded number.

Whoever reads a registration reads its bytes again, so one content under many registrations is as much work as many.
"""

from collections.abc import Sequence

from a2ap.canonical import sha256_digest
from graph.errors import TooLargeError

MAX_LENT = 16 * 2**20
"""Bytes that the registrations of one batch are lent, counted as often as a registration names them."""


class LentContents:
    """Contents by their hashes, and how many bytes may still be lent."""

    def __init__(self, contents: Sequence[bytes] = ()) -> None:
        self._by_hash = {sha256_digest(content): content for content in contents}
        self._left = MAX_LENT

    def lend(self, name: str) -> tuple[bytes, ...]:
        """Return the content of that hash, if it is here; raise `TooLargeError` where it would be too many bytes."""
        content = self._by_hash.get(name)
        if content is None:
            return ()
        if len(content) > self._left:
            message = f"the registrations of one call name {MAX_LENT} bytes of contents at most, with those of {name}"
            raise TooLargeError(message, "documentHash")
        self._left -= len(content)
        return (content,)
