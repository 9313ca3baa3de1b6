"""Documents that were handed in together, and those of them that wait until the sources that they cite are read.

A PDF may take ten seconds of a processor, a statement may cite four, and while the writer has its turn nobody else
writes. So a statement that cites what takes long to be read, and is not read, is set aside; that is read outside of
the turn (`graph.log.submitter`), and the statement comes again with it: whatever the graph decides about its sources is
looked up again then. What comes behind it in its call is set aside as well, whatever batch it is in, so that a call is
taken in order; others go on (docs/decisions/0228).
"""

from collections.abc import Awaitable, Callable, Mapping

from graph.evidence.source_text import SourceText

ReadSources = Callable[[], Awaitable[Mapping[str, SourceText]]]
"""Reads what a statement waits for, and gives it by the hashes of its bytes."""


class Call:
    """The documents of one call, which have places from 0; those before `answered` have a receipt or an error.

    Once one is `of_strangers` all that follow go their way to the writer, so that they stay behind it. The names of
    those that came are in `seen`.
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
        """Take note that the document at a place has its answer; one before it may still wait for its own."""
        self._beyond.add(place)
        while self.answered in self._beyond:
            self._beyond.discard(self.answered)
            self.answered += 1


class SetAsideError(Exception):
    """A document is not looked at yet: its own sources have to be read, or one before it in its call waits.

    No sender is told so: it comes again.
    """

    def __init__(self, read: ReadSources | None = None) -> None:
        super().__init__("it waits until sources are read")
        self.read = read
