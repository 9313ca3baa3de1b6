"""Stops a worker: work under way is finished, a wait is interrupted."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType


class StoppedError(Exception):
    """A wait was interrupted because the worker is to stop."""


class Stop:
    """The request that a worker stops; `note` handles a signal."""

    def __init__(self) -> None:
        self._event = Event()
        self._waits = False

    @property
    def wanted(self) -> bool:
        """Whether the worker is to stop."""
        return self._event.is_set()

    def want(self) -> None:
        """Request the stop."""
        self._event.set()

    def pause(self, seconds: float) -> None:
        """Wait for some seconds, or until a stop is requested."""
        self._event.wait(seconds)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Let a signal interrupt the enclosed code; raises StoppedError then."""
        self._waits = True
        try:
            if self.wanted:
                raise StoppedError
            yield
        finally:
            self._waits = False

    def note(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal; the second one interrupts any work under way."""
        if self.wanted and not self._waits:
            raise KeyboardInterrupt
        self._event.set()
        if self._waits:
            raise StoppedError
