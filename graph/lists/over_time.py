"""Counts of the log by buckets of time: the time when this node took an entry in, not the times that messages state.

Buckets are hours, days, weeks from Monday or months, in UTC and whole: the first contains the requested start, and the
last ends no earlier than requested. All buckets, and everything before the first, are counted in the graph in one go.
The clock of a node may have been set back: an entry counts for the time in its own log entry.

The statements verified at the end of a bucket are not counted: their number follows from the verdicts, reputations and
policy of that time, for each statement anew, and is not stored. The present standing of a bucket's statements is.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from a2ap.times import format_instant
from graph.errors import InputError
from graph.lineage.walk import size_of
from graph.store import Row, Store

MAX_BUCKETS = 1_000
"""The most buckets that are counted at once."""

_BEFORE = -1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_END = datetime(9999, 1, 1, tzinfo=UTC)
_DAY = 86_400  # seconds
_SCORE_UNITS = 1_000_000_000


class TimeBucket(StrEnum):
    """The lengths of a bucket of time."""

    HOUR = "HOUR"
    DAY = "DAY"
    WEEK = "WEEK"
    MONTH = "MONTH"


_SECONDS = {TimeBucket.HOUR: 3_600, TimeBucket.DAY: _DAY, TimeBucket.WEEK: 7 * _DAY, TimeBucket.MONTH: 0}
_OFFSETS = {TimeBucket.WEEK: 3 * _DAY}  # 1970 began on a Thursday


def number_of(by: TimeBucket, time: datetime) -> int:
    """Return the number of the bucket that contains a time; buckets are numbered without a gap."""
    utc = time.astimezone(UTC)
    if by is TimeBucket.MONTH:
        return utc.year * 12 + utc.month - 1
    return ((utc - _EPOCH) // timedelta(seconds=1) + _OFFSETS.get(by, 0)) // _SECONDS[by]


def start_of(by: TimeBucket, number: int) -> datetime:
    """Return the time at which a bucket begins."""
    if by is TimeBucket.MONTH:
        return datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC)
    return _EPOCH + timedelta(seconds=number * _SECONDS[by] - _OFFSETS.get(by, 0))


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of entries by type, of agents' verdicts by outcome, of all machine verdicts, and of contradictions."""

    entries: Mapping[str, int]
    verdicts: Mapping[str, int]
    machine_verdicts: int = 0
    contradictions: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        """Return the sums of both."""
        return Counts(
            Counter(self.entries) + Counter(other.entries),
            Counter(self.verdicts) + Counter(other.verdicts),
            self.machine_verdicts + other.machine_verdicts,
            self.contradictions + other.contradictions,
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """The present standing of a bucket's statements: how many are verified or retracted, and their mean score."""

    verified: int
    retracted: int
    mean_score: float | None


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket of time: its counts, the totals by its end, the submitting agents, and its statements' standing now."""

    start: datetime
    end: datetime
    counts: Counts
    total: Counts
    active_agents: int
    standing: Standing | None


@dataclass(frozen=True, slots=True)
class OverTime:
    """All buckets, also empty ones, as of a size of the log, and the counts before the first bucket."""

    as_of: int
    before: Counts
    buckets: tuple[Bucket, ...]


async def count_over_time(
    store: Store, by: TimeBucket, start: datetime | None, end: datetime | None, as_of: int | None = None
) -> OverTime:
    """Count the log from `start` until before `end`, both rounded outwards to whole buckets.

    The defaults are the first entry and the last. `as_of` is a size of the log; the standing of statements is None for
    a size that has been passed. Raises `InputError` for times outside of the years 1970 to 9998 or in the wrong order,
    for more than `MAX_BUCKETS`, and for a size that the log has not had.
    """
    size = await size_of(store, as_of)
    now = await size_of(store, None)
    (times,) = await store.read("times_of_log", as_of=size)
    numbers = numbers_between(by, start or times["first"], end, times["last"])
    if not numbers:
        return OverTime(size, _counts((), (), ()), ())
    asked = {
        "as_of": size,
        "since": format_instant(start_of(by, numbers.start)),
        "until": format_instant(start_of(by, numbers.stop)),
        "monthly": by is TimeBucket.MONTH,
        "offset": _OFFSETS.get(by, 0),
        "seconds": _SECONDS[by] or 1,
    }
    rows = {name: _by_bucket(await store.read(f"{name}_over_time", **asked)) for name in _PARTS}
    return _over_time(size, by, numbers, rows, standing=size == now)


_PARTS = ("entries", "verdicts", "contradictions", "agents", "scores")


def numbers_between(by: TimeBucket, start: datetime | None, end: datetime | None, last: datetime | None) -> range:
    """Return the numbers of the buckets from a time until before another, or through the last entry.

    The range is empty without a start, and without both an end and a last entry. Raises `InputError`.
    """
    if start is None or (end is None and last is None):
        return range(0)
    for name, time in (("from", start), ("to", end)):
        if time is not None and not _EPOCH <= time < _END:
            raise InputError(f"{name} is {format_instant(time)}, not in the years from 1970 to 9998", name)
    first = number_of(by, start)
    if end is not None and end <= start:
        raise InputError(f"to is {format_instant(end)}, not after {format_instant(start)}", "to")
    final = number_of(by, end - timedelta(microseconds=1)) if end is not None else number_of(by, last or start)
    if final - first >= MAX_BUCKETS:
        raise InputError(f"there are {final - first + 1} times {by}, more than {MAX_BUCKETS}", "by")
    return range(first, final + 1)


def _over_time(
    size: int, by: TimeBucket, numbers: range, rows: Mapping[str, Mapping[int, Sequence[Row]]], *, standing: bool
) -> OverTime:
    def of(name: str, number: int) -> Sequence[Row]:
        return rows[name].get(number, ())

    def counts(number: int) -> Counts:
        return _counts(of("entries", number), of("verdicts", number), of("contradictions", number))

    before = total = counts(_BEFORE)
    buckets = []
    for number in numbers:
        here = counts(number)
        total = total + here
        buckets.append(
            Bucket(
                start_of(by, number),
                start_of(by, number + 1),
                here,
                total,
                sum(row["number"] for row in of("agents", number)),
                _standing(of("scores", number)) if standing else None,
            )
        )
    return OverTime(size, before, tuple(buckets))


def _counts(entries: Sequence[Row], verdicts: Sequence[Row], contradictions: Sequence[Row]) -> Counts:
    return Counts(
        {row["type"]: row["number"] for row in entries},
        {row["verdict"]: row["number"] for row in verdicts if not row["machine"]},
        sum(row["number"] for row in verdicts if row["machine"]),
        sum(row["number"] for row in contradictions),
    )


def _standing(rows: Sequence[Row]) -> Standing:
    number = sum(row["number"] for row in rows)
    score = sum(row["score"] for row in rows)
    return Standing(
        sum(row["verified"] for row in rows),
        sum(row["retracted"] for row in rows),
        score / number / _SCORE_UNITS if number else None,
    )


def _by_bucket(rows: Sequence[Row]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row["bucket"], []).append(row)
    return found
