"""The bytes of records that come with a batch: each registration is lent its own, up to a total number of bytes.

Reading a registration reads its bytes again, so one content under many registrations is as much work as many contents.
"""

from collections.abc import Sequence

from a2ap.canonical import sha256_digest
from graph.errors import TooLargeError

MAX_LENT = 16 * 2**20
"""Maximum number of bytes lent to the registrations of one batch, counted once for each registration."""


class LentContents:
    """Contents by their hashes, and the number of bytes that may still be lent."""

    def __init__(self, contents: Sequence[bytes] = ()) -> None:
        self._by_hash = {sha256_digest(content): content for content in contents}
        self._left = MAX_LENT

    def lend(self, name: str) -> tuple[bytes, ...]:
        """Return the content with that hash, if it is stored; raise `TooLargeError` if it exceeds the bytes left."""
        content = self._by_hash.get(name)
        if content is None:
            return ()
        if len(content) > self._left:
            message = f"the registrations of one call name {MAX_LENT} bytes of contents at most, with those of {name}"
            raise TooLargeError(message, "documentHash")
        self._left -= len(content)
        return (content,)
