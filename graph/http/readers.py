"""Who has which token at any time: the file of reader tokens is read again when it has changed.

Rules (docs/decisions/0227):

- Before a token is looked up, and at each event of a stream, the file is looked at, once in `PATIENCE` seconds at most.
- A file that is gone, or cannot be used, names nobody: the log says so, and the operator's token holds.
- Whose token was taken away reads no further event; one that was given another class reads on with that.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic

from graph.clearance import Reader, Readers
from graph.settings import Settings, SettingsError

logger = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds for which a file is taken to be as it was when it was looked at."""


class KnownReaders:
    """The readers of these settings as they are now. Raises SettingsError where they cannot be used at the start."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._looked_at = clock()
        self._state = _state_of(settings.reader_tokens)
        self._readers = Readers.from_settings(settings)

    def find(self, authorization: str | None) -> Reader:
        """Return whoever the `Authorization` header names; raise `UnauthenticatedError` for an unknown token."""
        self._look()
        return self._readers.find(authorization)

    def again(self, reader: Reader) -> Reader:
        """Return who a reader is by now; raise `UnauthenticatedError` where the token was taken away."""
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
            self._state = state  # as it was before it is read: what is written meanwhile is seen the next time
            self._readers = self._read()

    def _read(self) -> Readers:
        try:
            readers = Readers.from_settings(self._settings)
        except SettingsError as error:
            logger.error("no token but the operator's holds any more: %s", error)
            return Readers.from_settings(replace(self._settings, reader_tokens=None))
        logger.info("the file of reader tokens has changed and was read again")
        return readers


def _state_of(path: Path | None) -> tuple[int, ...] | None:
    """Return what tells whether a file is as it was; None where there is none."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return None if found is None else (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
