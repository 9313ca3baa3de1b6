"""Chores: what is left for later is done, once more where it is asked for meanwhile, and again where it fails."""

import asyncio
from collections.abc import Callable
from itertools import pairwise

import pytest

from graph.log.chore import Chore


async def until(happened: Callable[[], bool]) -> None:
    while not happened():
        await asyncio.sleep(0.01)


async def test_work_that_is_asked_for_while_it_is_done_is_done_once_more() -> None:
    done: list[int] = []
    going_on = asyncio.Event()

    async def work() -> None:
        done.append(len(done))
        await going_on.wait()

    async with Chore("work", work) as chore:
        chore.wake()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        chore.wake()
        chore.wake()
        going_on.set()
        await chore.settled()
    assert done == [0, 1]


async def test_what_fails_is_tried_again_later_and_said(caplog: pytest.LogCaptureFixture) -> None:
    tried: list[float] = []

    async def work() -> None:
        tried.append(asyncio.get_running_loop().time())
        if len(tried) < 4:
            raise ValueError("no numbers")

    async with Chore("counting", work, first_pause=0.05) as chore:
        chore.wake()
        await chore.settled()
        assert chore.failure == "ValueError: no numbers"
        # Asked for again meanwhile, it waits all the same.
        chore.wake()
        await until(lambda: chore.failure is None)
    pauses = [later - earlier for earlier, later in pairwise(tried)]
    assert len(pauses) >= 3
    assert pauses[0] >= 0.05 and pauses[1] >= 0.1 and pauses[2] >= 0.2
    assert "counting failed 3 times, again in 0.2 s" in caplog.text


async def test_work_under_way_when_all_is_closed_is_given_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.log.chore._AT_CLOSE", 0.05)
    ended: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cut off")
            raise

    async with Chore("long", work) as chore:
        chore.wake()
        await asyncio.sleep(0)
    assert ended == ["cut off"]
