"""Changes of scores are found beside whoever asks: by one task for all, some entries at a time, each read once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import Any, cast

import pytest
from builders import TIME

from a2ap.log.entry import LogEntry
from graph.content.content_store import open_content_store
from graph.errors import PastNotReadyError, StoreUnavailableError
from graph.past.score_history import ScoreHistory
from graph.past.score_replay import STATEMENT, ScoreChange, ScoreReplay
from graph.settings import Settings
from graph.store import Store

NOT_AT_ALL, LONG = 0.0, 60.0
"""Seconds of patience."""


class Log:
    """A log of so many entries, as the graph gives it; `read_from` are the places that were read from."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.read_from: list[int] = []
        self.let = asyncio.Event()
        self.let.set()

    async def read(self, name: str, **parameters: Any) -> list[dict[str, Any]]:
        if name == "log_size":
            return [{"size": self.size}]
        if name == "kinds_between":
            return []
        assert name == "log_entries_between"
        self.read_from.append(parameters["start"])
        await self.let.wait()
        return [self._row(place) for place in range(parameters["start"], min(parameters["end"], self.size))]

    def _row(self, place: int) -> dict[str, Any]:
        name = f"{place:064x}"
        entry = LogEntry(place, 1, "log", "STATEMENT", name, name, name, "agent", "key", TIME)
        return {column: getattr(entry, column) for column in LogEntry.__slots__}


class Replay:
    """Finds one change of one statement for each entry, once it is let."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []
        self.let = asyncio.Event()
        self.failure: Exception | None = None

    async def changes(self, since: int, size: int) -> AsyncIterator[list[ScoreChange]]:
        self.asked.append((since, size))
        await self.let.wait()
        if self.failure is not None:
            raise self.failure
        for place in range(since, size):
            yield [ScoreChange(STATEMENT, "one", place + 1, (place / 100, False))]


class History(ScoreHistory):
    """A history of such a log, found by such a replay."""

    def __init__(self, log: Log, replay: Replay, data: Path) -> None:
        content = open_content_store(Settings(data=data))
        super().__init__(cast(Store, log), content, no_scratch, data / "scores.db")
        self._found_by = replay

    async def _replaying(self) -> ScoreReplay:
        return cast(ScoreReplay, self._found_by)


def no_scratch() -> AbstractAsyncContextManager[Store]:
    return nullcontext(cast(Store, None))


async def test_who_asks_waits_no_longer_than_they_said_and_the_changes_go_on_being_found(tmp_path: Path) -> None:
    log, replay = Log(100), Replay()
    history = History(log, replay, tmp_path)
    for _ in range(5):
        with pytest.raises(PastNotReadyError, match="the scores behind 0 entries are being found"):
            await history.reach(0, 100, 30, 0.02)
    waiting = [asyncio.create_task(history.reach(0, 100, 30, LONG)) for _ in range(20)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    replay.let.set()
    reached = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(reached[0], asyncio.CancelledError)
    assert reached[1:] == [30] * 19
    assert replay.asked == [(0, 30)]
    assert [change.log_size for change in history.between(0, 30)] == list(range(1, 31))
    await history.aclose()


async def test_no_answer_has_more_entries_than_one_may_and_each_is_read_once(tmp_path: Path) -> None:
    log, replay = Log(100), Replay()
    replay.let.set()
    history = History(log, replay, tmp_path)
    assert await history.reach(50, 100, 30, LONG) == 60
    assert replay.asked == [(0, 30), (30, 60)]
    assert await history.reach(0, 100, 30, NOT_AT_ALL) == 30
    assert await history.reach(40, 45, 30, NOT_AT_ALL) == 45
    assert await history.reach(60, 60, 30, NOT_AT_ALL) == 60
    for size in (100, 101, 102):
        log.size = size
        assert await history.reach(size - 1, size, 30, LONG) == size
    assert log.read_from == sorted(set(log.read_from)), log.read_from
    await history.aclose()

    again, log.read_from = History(log, Replay(), tmp_path), []
    assert await again.reach(99, 102, 30, LONG) == 102
    with pytest.raises(PastNotReadyError):
        await again.reach(102, 103, 30, NOT_AT_ALL)
    await again.aclose()
    assert log.read_from == [0]


async def test_nothing_is_given_before_it_is_kept(tmp_path: Path) -> None:
    log, replay = Log(100), Replay()
    replay.let.set()
    log.let.clear()
    history = History(log, replay, tmp_path)
    for _ in range(3):
        with pytest.raises(PastNotReadyError):
            await history.reach(0, 100, 30, 0.02)
    assert log.read_from == [0]
    log.let.set()
    assert await history.reach(0, 100, 30, LONG) == 30
    assert len(list(history.between(0, 30))) == 30
    await history.aclose()


async def test_what_fails_is_told_and_tried_again_for_the_next(tmp_path: Path) -> None:
    replay = Replay()
    history = History(Log(10), replay, tmp_path)
    replay.let.set()
    replay.failure = StoreUnavailableError("the engine of the past is gone")
    for _ in range(2):
        with pytest.raises(StoreUnavailableError):
            await history.reach(0, 10, 5, LONG)
    replay.failure = None
    assert await history.reach(0, 10, 5, LONG) == 5
    await history.aclose()


async def test_what_is_being_found_ends_with_the_history(tmp_path: Path) -> None:
    replay = Replay()
    history = History(Log(10), replay, tmp_path)
    with pytest.raises(PastNotReadyError):
        await history.reach(0, 10, 5, 0.02)
    await asyncio.wait_for(history.aclose(), LONG)
