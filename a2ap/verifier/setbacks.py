"""Requests that could not be answered: the number of failures, and the time until which each is left to others.

The first failure costs a minute, each further one four times as long. The state is on disk, so that a restart tries
nothing sooner.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from a2ap.durable_files import write_private
from a2ap.times import format_instant
from a2ap.verifier.errors import VerifierError

ATTEMPTS = 3
"""Number of failures after which the request is declined."""

_FIRST = timedelta(minutes=1)
_FACTOR = 4
_FORGOTTEN_AFTER = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Setback:
    """The number of failures on a request, and the time of the next attempt."""

    failures: int
    again_at: datetime


class Setbacks:
    """The setbacks of one verifier, by the signed hash of the request."""

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        self._path = path
        self._clock = clock
        self._known = _read(path)

    def may_try(self, request_hash: str) -> bool:
        """Return whether a request may be tried now."""
        known = self._known.get(request_hash)
        return known is None or known.again_at <= self._clock()

    def note(self, request_hash: str) -> Setback:
        """Count a failure on a request, and return the number of its failures and the time of the next attempt."""
        known, now = self._known.get(request_hash), self._clock()
        failures = 1 if known is None else known.failures + 1
        found = Setback(failures, now + _FIRST * _FACTOR ** (min(failures, ATTEMPTS) - 1))
        recent = {name: one for name, one in self._known.items() if one.again_at > now - _FORGOTTEN_AFTER}
        self._keep(recent | {request_hash: found})
        return found

    def forget(self, request_hash: str) -> None:
        """Forget a request that has been answered."""
        if request_hash in self._known:
            self._keep({name: one for name, one in self._known.items() if name != request_hash})

    def _keep(self, known: dict[str, Setback]) -> None:
        self._known = known
        rows = {
            name: {"failures": one.failures, "againAt": format_instant(one.again_at)} for name, one in known.items()
        }
        write_private(self._path, json.dumps(rows, indent=1) + "\n")


def _read(path: Path) -> dict[str, Setback]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {
            name: Setback(int(row["failures"]), datetime.fromisoformat(row["againAt"]).astimezone(UTC))
            for name, row in rows.items()
        }
    except FileNotFoundError:
        return {}
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise VerifierError(f"{path} cannot be read: {error}") from error
