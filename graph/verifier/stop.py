"""Being told to stop: what is under way is finished, what only waits is broken off."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType


class StoppedError(Exception):
    """A wait was broken off because somebody wants the worker to stop."""


class Stop:
    """Whether somebody wants a worker to stop; `note` handles a signal."""

    def __init__(self) -> None:
        self._event = Event()
        self._waits = False

    @property
    def wanted(self) -> bool:
        """Tell whether somebody does."""
        return self._event.is_set()

    def want(self) -> None:
        """Want it."""
        self._event.set()

    def pause(self, seconds: float) -> None:
        """Do nothing for some seconds, or until somebody wants it to stop."""
        self._event.wait(seconds)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Let a signal break off what is done within; raises StoppedError then."""
        self._waits = True
        try:
            if self.wanted:
                raise StoppedError
            yield
        finally:
            self._waits = False

    def note(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal; the second one interrupts whatever is under way."""
        if self.wanted and not self._waits:
            raise KeyboardInterrupt
        self._event.set()
        if self._waits:
            raise StoppedError
