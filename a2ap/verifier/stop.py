"""Stops a worker: work under way is finished, a wait is broken off."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Thread, current_thread, main_thread
from types import FrameType
from typing import Generic, TypeVar

T = TypeVar("T")

STOPPING = (signal.SIGINT, signal.SIGTERM)
"""The signals that stop a worker."""

# A signal may come between a look at the state and the wait for a change of it: no wait is longer.
_LONGEST_WAIT = 0.5  # seconds
# A call that is still connecting has no connection to interrupt: it is interrupted again until it ends.
_INTERRUPTS = 20
_INTERRUPT_PAUSE = 0.1  # seconds


class StoppedError(Exception):
    """A wait was broken off because the worker is to stop."""


class Stop:
    """The request that a worker stops; `note` handles a signal. Threads may share it."""

    def __init__(self) -> None:
        self._changed = Condition()  # with a lock that its holder may take again, as a signal's handler does
        self._is_wanted = False

    @property
    def wanted(self) -> bool:
        """Whether the worker is to stop."""
        return self._is_wanted

    def want(self) -> None:
        """Request the stop."""
        with self._changed:
            self._is_wanted = True
            self._changed.notify_all()

    def note(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal; the second one interrupts any work under way."""
        if self._is_wanted:
            raise KeyboardInterrupt
        self.want()

    def pause(self, seconds: float) -> None:
        """Wait for some seconds, or until a stop is requested."""
        with self._changed:
            while not self._is_wanted and seconds > 0:
                self._changed.wait(min(seconds, _LONGEST_WAIT))
                seconds -= _LONGEST_WAIT

    def break_off(self, call: Callable[[], T], interrupt: Callable[[], None]) -> T:
        """Return the result of a call that waits, or raise its error.

        Once a stop is requested the call, which is made in another thread, is broken off by `interrupt`. Raises
        StoppedError then, unless the call had a result all the same. A call that goes on for two seconds more is left
        behind, and its result is lost.
        """
        if self.wanted:
            raise StoppedError
        outcome: _Outcome[T] = _Outcome()

        def make() -> None:
            try:
                outcome.values.append(call())
            except BaseException as error:
                outcome.error = error
            with self._changed:
                outcome.is_there = True
                self._changed.notify_all()

        Thread(target=make, daemon=True).start()
        with self._changed:
            while not outcome.is_there and not self._is_wanted:
                self._changed.wait(_LONGEST_WAIT)
        for _ in range(_INTERRUPTS):
            if outcome.is_there:
                break
            interrupt()
            with self._changed:
                self._changed.wait_for(lambda: outcome.is_there, _INTERRUPT_PAUSE)
        if outcome.values:
            return outcome.values[0]
        if self._is_wanted:
            raise StoppedError from outcome.error
        assert outcome.error is not None
        raise outcome.error

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Stop on SIGINT and SIGTERM while the enclosed code runs, if it runs in the main thread."""
        if current_thread() is not main_thread():
            yield
            return
        earlier = {number: signal.signal(number, self.note) for number in STOPPING}
        try:
            yield
        finally:
            for number, handler in earlier.items():
                signal.signal(number, handler)


class _Outcome(Generic[T]):
    """The outcome of a call in another thread."""

    def __init__(self) -> None:
        self.is_there = False
        self.values: list[T] = []
        self.error: BaseException | None = None
