"""The documents submitted in one call, and those of them that wait until the sources that they cite are read.

A PDF may take ten seconds of a processor, a statement may cite four, and no other task writes during the writer's turn.
So a statement that cites a source that is slow to read, and not read yet, is set aside. The source is read outside of
the turn (`graph.submission.submitter`), and the statement is queued again with it; the state of its sources in the
graph is looked up again then. The later documents of its call are set aside as well, in any batch, so that a call is
processed in order; other calls go on (docs/decisions/0019).
"""

from collections.abc import Awaitable, Callable, Mapping

from graph.evidence.source_text import SourceText

ReadSources = Callable[[], Awaitable[Mapping[str, SourceText]]]
"""Reads the sources that a statement waits for, and returns them by the hashes of their bytes."""


class Call:
    """The documents of one call, which have places from 0; those before `answered` have a receipt or an error.

    Once one document is `of_strangers`, all later ones use the strangers' queue, so that they stay behind it. `seen`
    has the names of the documents so far.
    """

    __slots__ = ("_beyond", "_size", "answered", "of_strangers", "seen")

    def __init__(self) -> None:
        self._size = 0
        self._beyond: set[int] = set()
        self.answered = 0
        self.of_strangers = False
        self.seen: set[str] = set()

    def next_place(self) -> int:
        """Return the place of one more document."""
        self._size += 1
        return self._size - 1

    def note(self, place: int) -> None:
        """Record that the document at a place has its answer; an earlier document may still wait for its own."""
        self._beyond.add(place)
        while self.answered in self._beyond:
            self._beyond.discard(self.answered)
            self.answered += 1


class SetAsideError(Exception):
    """A document is not planned yet: its own sources have to be read, or an earlier document of its call waits.

    No sender gets this error: the document is queued again.
    """

    def __init__(self, read: ReadSources | None = None) -> None:
        super().__init__("it waits until sources are read")
        self.read = read
