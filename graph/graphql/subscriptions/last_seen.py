"""The score of each followed statement as last seen, so that a change can state the previous score.

Scores are compared and stored with the four decimals of published scores. They are written into the cursors of score
changes: eight bytes a statement, the beginning of its hash and its score.
"""

import base64
import binascii
from collections.abc import Iterable
from struct import Struct
from typing import NamedTuple

from graph.errors import InputError

_DECIMALS = 4
_WHOLE = 10_000
_RECORD = Struct(">6sH")  # six bytes of the hash; twice the score in ten-thousandths, plus 1 if verified


class Seen(NamedTuple):
    """The score of a statement, and whether it was verified."""

    score: float
    verified: bool


NOT_SEEN = Seen(0.0, False)
"""The assumed score of a statement that was never seen."""


def seen_as(score: float, verified: bool) -> Seen:
    """Return a score, clamped to 0 to 1 and rounded to four decimals, with its verified flag."""
    return Seen(round(min(max(score, 0.0), 1.0), _DECIMALS), verified)


class LastSeen:
    """The scores, and verified flags, of the `most` statements that were seen last, by their hashes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._last: dict[bytes, Seen] = {}

    def knows(self, name: str) -> bool:
        """Say whether a score of the statement was seen."""
        return _short(name) in self._last

    def put(self, name: str, seen: Seen) -> Seen:
        """Store the current score of a statement, and return the previous one."""
        before = self._last.pop(_short(name), NOT_SEEN)
        self._last[_short(name)] = seen
        if len(self._last) > self._most:
            del self._last[next(iter(self._last))]
        return before

    def written(self, names: Iterable[str]) -> str:
        """Return the last seen scores of these statements as text."""
        known = sorted({_short(name) for name in names} & self._last.keys())
        packed = b"".join(_RECORD.pack(name, _packed(self._last[name])) for name in known)
        return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")

    def read(self, text: str, argument: str) -> None:
        """Store the scores in a text of `written`; raise `InputError` that names the argument for any other text."""
        try:
            packed = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", validate=True)
            if len(packed) % _RECORD.size:
                raise ValueError("it is cut off")
        except (ValueError, binascii.Error) as error:
            raise InputError(f"{argument} is no cursor of this node", argument) from error
        for name, number in _RECORD.iter_unpack(packed):
            self._last[name] = seen_as((number >> 1) / _WHOLE, bool(number & 1))


def _short(name: str) -> bytes:
    """Return the first six bytes of a hash, unique among the few statements of one cursor."""
    return bytes.fromhex(name.removeprefix("sha256:")[:12])


def _packed(seen: Seen) -> int:
    return 2 * round(seen.score * _WHOLE) + seen.verified
