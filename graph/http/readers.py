"""The readers by their tokens at any time: the file of reader tokens is read again when it has changed.

Rules (docs/decisions/0045):

- Before a token is looked up, and at each event of a stream, the file is checked, at most once in `PATIENCE` seconds.
- A file that is gone, or cannot be used, names no readers: the process logs it, and the operator's token holds.
- A reader whose token was removed reads no further event; a reader whose class was changed reads on with the new class.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic

from starlette.requests import HTTPConnection

from graph.clearance import Reader, Readers
from graph.settings import Settings, SettingsError

logger = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds for which a file is taken to be unchanged after a check."""


class KnownReaders:
    """The readers of these settings as they are now. Raises SettingsError if they cannot be used at the start."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._looked_at = clock()
        self._state = _state_of(settings.reader_tokens)
        self._readers = Readers.from_settings(settings)

    def find(self, authorization: str | None) -> Reader:
        """Return the reader of an `Authorization` header; raise `UnauthenticatedError` for an unknown token."""
        self._look()
        return self._readers.find(authorization)

    def again(self, reader: Reader) -> Reader:
        """Return a reader as it is by now; raise `UnauthenticatedError` if its token was removed."""
        if reader.token is None:
            return reader
        self._look()
        return self._readers.with_digest(reader.token)

    def _look(self) -> None:
        if self._clock() - self._looked_at < PATIENCE:
            return
        self._looked_at = self._clock()
        state = _state_of(self._settings.reader_tokens)
        if state != self._state:
            self._state = state  # as it was before it is read: a change that is written meanwhile is seen the next time
            self._readers = self._read()

    def _read(self) -> Readers:
        try:
            readers = Readers.from_settings(self._settings)
        except SettingsError as error:
            logger.error("no token but the operator's holds any more: %s", error)
            return Readers.from_settings(replace(self._settings, reader_tokens=None))
        logger.info("the file of reader tokens has changed and was read again")
        return readers


def readers_of(connection: HTTPConnection) -> KnownReaders:
    """Return the readers of the application that a request or WebSocket came to."""
    readers: KnownReaders = connection.app.state.readers
    return readers


def _state_of(path: Path | None) -> tuple[int, ...] | None:
    """Return the values by which a change of a file shows; None if there is no file."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return None if found is None else (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
