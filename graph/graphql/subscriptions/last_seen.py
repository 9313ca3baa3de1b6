"""What was last seen of each statement that somebody follows, so that a change can say what was before.

Scores are compared, and kept, with the four decimals that they are published with. What was seen is written into the
cursors of score changes: eight bytes a statement, the beginning of its hash and its score.
"""

import base64
import binascii
from collections.abc import Iterable
from struct import Struct
from typing import NamedTuple

from graph.errors import InputError

_DECIMALS = 4
_WHOLE = 10_000
_RECORD = Struct(">6sH")  # half of what it holds is the score in ten-thousandths, and the lowest bit says verified


class Seen(NamedTuple):
    """What a statement scored, and whether it was verified."""

    score: float
    verified: bool


NOT_SEEN = Seen(0.0, False)
"""What a statement scores of which nothing was seen."""


def seen_as(score: float, verified: bool) -> Seen:
    """Return what is seen of a score."""
    return Seen(round(min(max(score, 0.0), 1.0), _DECIMALS), verified)


class LastSeen:
    """The scores, and whether they were verified, of the `most` statements that were seen last, by their hashes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._last: dict[bytes, Seen] = {}

    def knows(self, name: str) -> bool:
        """Say whether something was seen of a statement."""
        return _short(name) in self._last

    def put(self, name: str, seen: Seen) -> Seen:
        """Remember what is seen of a statement now, and return what was seen of it before."""
        before = self._last.pop(_short(name), NOT_SEEN)
        self._last[_short(name)] = seen
        if len(self._last) > self._most:
            del self._last[next(iter(self._last))]
        return before

    def written(self, names: Iterable[str]) -> str:
        """Return as text what was last seen of these statements."""
        known = sorted({_short(name) for name in names} & self._last.keys())
        packed = b"".join(_RECORD.pack(name, _packed(self._last[name])) for name in known)
        return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")

    def read(self, text: str, argument: str) -> None:
        """Remember what `written` has written; raise `InputError` that names the argument for anything else."""
        try:
            packed = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", validate=True)
            if len(packed) % _RECORD.size:
                raise ValueError("it is cut off")
        except (ValueError, binascii.Error) as error:
            raise InputError(f"{argument} is no cursor of this node", argument) from error
        for name, number in _RECORD.iter_unpack(packed):
            self._last[name] = seen_as((number >> 1) / _WHOLE, bool(number & 1))


def _short(name: str) -> bytes:
    """Return the beginning of a hash: of the few statements that one cursor is about, no two have the same."""
    return bytes.fromhex(name.removeprefix("sha256:")[:12])


def _packed(seen: Seen) -> int:
    return 2 * round(seen.score * _WHOLE) + seen.verified
