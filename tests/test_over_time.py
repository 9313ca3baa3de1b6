"""What the log took in over time: every bucket, whole ones, exactly, on both engines."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import (
    reference_to,
    signed_registration,
    signed_request,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
)
from hypothesis import given
from hypothesis import strategies as st
from scenario import AUTHOR, EVERYBODY, STRANGER, VERIFIER_A, accept

from a2ap.boundary import Boundary
from a2ap.messages.verification_response import Verdict
from graph.app import create_app
from graph.clearance import ANONYMOUS, OPERATOR
from graph.content.content_store import open_content_store
from graph.errors import InputError
from graph.lists.over_time import MAX_BUCKETS, TimeBucket, count_over_time, number_of, numbers_between, start_of
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import Store

TIMES = st.datetimes(datetime(1970, 1, 1), datetime(9998, 12, 31), timezones=st.just(UTC))
MONDAY = datetime(2026, 3, 30, 22, 30, tzinfo=UTC)


@given(st.sampled_from(TimeBucket), TIMES)
def test_every_time_lies_in_the_bucket_of_its_number(by: TimeBucket, time: datetime) -> None:
    number = number_of(by, time)
    assert start_of(by, number) <= time < start_of(by, number + 1)
    assert number_of(by, start_of(by, number)) == number
    if by is TimeBucket.WEEK:
        assert start_of(by, number).weekday() == 0


@given(st.sampled_from(TimeBucket), TIMES, st.timedeltas(timedelta(microseconds=1), timedelta(days=40)))
def test_buckets_reach_from_a_time_to_another(by: TimeBucket, start: datetime, length: timedelta) -> None:
    end = min(start + length, datetime(9998, 12, 31, 1, tzinfo=UTC))
    numbers = numbers_between(by, start, end, None)
    assert start_of(by, numbers.start) <= start and end <= start_of(by, numbers.stop)
    assert start < start_of(by, numbers.start + 1) and start_of(by, numbers.stop - 1) < end
    assert numbers_between(by, start, None, start) == range(numbers.start, numbers.start + 1)


def test_buckets_are_bounded() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    assert len(numbers_between(TimeBucket.HOUR, start, start + timedelta(hours=MAX_BUCKETS), None)) == MAX_BUCKETS
    assert not numbers_between(TimeBucket.HOUR, None, None, None)
    for by, end, words in (
        (TimeBucket.HOUR, start + timedelta(hours=MAX_BUCKETS, seconds=1), "there are 1001 times HOUR"),
        (TimeBucket.DAY, start, "to is 2026-01-01T00:00:00Z, not after"),
        (TimeBucket.DAY, datetime(9999, 5, 1, tzinfo=UTC), "not in the years from 1970 to 9998"),
    ):
        with pytest.raises(InputError, match=words):
            numbers_between(by, start, end, None)


class Clock:
    """A clock that stands where it is put."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def at() -> Clock:
    return Clock(MONDAY)


@pytest.fixture
async def platform(store: Store, tmp_path: Path, at: Callable[[], datetime]) -> AsyncIterator[Platform]:
    settings = Settings(data=tmp_path, graphql_timeout=300.0)  # on a busy machine
    content, node = open_content_store(settings), load_node(tmp_path / "node.key")
    async with platform_on(store, content, node, settings, clock=at) as running:
        yield running


async def some_days(platform: Platform, at: Clock) -> None:
    """Hand things in on a Monday evening, the Tuesday after, and the Sunday after that."""
    await accept(platform, *(signed_registration(number) for number in EVERYBODY))
    at.now = MONDAY + timedelta(hours=2)  # Tuesday, 31 March
    first = signed_statement(AUTHOR, claim="First.")
    second = signed_statement(STRANGER, claim="Second.", contradicts=[reference_to(first)])
    await accept(platform, first)
    await accept(platform, second, signed_source(AUTHOR, boundary=Boundary.INTERNAL))
    await accept(platform, signed_request(first, AUTHOR), signed_response(first, VERIFIER_A))
    at.now = MONDAY + timedelta(days=6)  # Sunday, 5 April
    challenge = signed_response(second, VERIFIER_A, verdict=Verdict.CHALLENGED)
    await accept(platform, challenge, signed_retraction(first, AUTHOR))


COUNTS = "entries agents statements sources requests verdicts validated challenged contradictions retractions"
ASKED = f"""query ($by: TimeBucket!, $from: DateTime, $to: DateTime, $asOf: AsOf) {{
  statsOverTime(by: $by, from: $from, to: $to, asOf: $asOf) {{ asOf before {{ {COUNTS} machineVerdicts }}
    buckets {{ start end activeAgents counts {{ {COUNTS} machineVerdicts }} total {{ {COUNTS} }}
      standing {{ verified retracted meanScore }} }} }} }}"""


async def ask(platform: Platform, variables: dict[str, Any], query: str = ASKED, token: str | None = None) -> Any:
    transport = httpx.ASGITransport(create_app(platform, platform.settings))
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://test", headers=headers) as client:
        answer = (await client.post("/graphql", json={"query": query, "variables": variables})).json()
    return answer["data"] if answer.get("data") else answer["errors"][0]


async def test_what_came_is_counted_by_when_the_log_took_it_in(platform: Platform, at: Clock) -> None:
    await some_days(platform, at)
    found = (await ask(platform, {"by": "DAY"}))["statsOverTime"]
    days = found["buckets"]
    assert [day["start"] for day in days] == [
        f"{MONDAY.date() + timedelta(days=number)}T00:00:00Z" for number in range(7)
    ]
    assert [day["end"] for day in days[:-1]] == [day["start"] for day in days[1:]]
    monday, tuesday, *empty, sunday = days
    assert not any(day["activeAgents"] or any(day["counts"].values()) for day in empty)
    assert all(day["total"] == tuesday["total"] for day in empty)
    assert (monday["counts"]["agents"], monday["counts"]["statements"]) == (len(EVERYBODY) + 1, 0)  # and the node
    picked = ("statements", "sources", "requests", "verdicts", "validated", "contradictions", "retractions")
    assert [tuesday["counts"][name] for name in picked] == [2, 1, 1, 1, 1, 1, 0]
    assert tuesday["counts"]["machineVerdicts"] == 2
    assert (sunday["counts"]["challenged"], sunday["counts"]["retractions"]) == (1, 1)
    assert sunday["total"]["entries"] == found["asOf"] == platform.log.size
    assert sunday["total"]["verdicts"] == 2 and not any(found["before"].values())
    assert tuesday["standing"] == {"verified": 0, "retracted": 1, "meanScore": pytest.approx(0.3, abs=0.3)}
    assert sunday["standing"] == {"verified": 0, "retracted": 0, "meanScore": None}

    later = (await ask(platform, {"by": "DAY", "from": "2026-03-31T23:00:00Z", "to": "2026-04-01T00:00:01Z"}))[
        "statsOverTime"
    ]
    assert [day["start"] for day in later["buckets"]] == ["2026-03-31T00:00:00Z", "2026-04-01T00:00:00Z"]
    assert later["buckets"][0] == tuesday and later["before"]["agents"] == monday["total"]["agents"]

    for by, starts in (
        ("WEEK", ["2026-03-30T00:00:00Z"]),
        ("MONTH", ["2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"]),
    ):
        whole = (await ask(platform, {"by": by}))["statsOverTime"]["buckets"]
        assert [one["start"] for one in whole] == starts
        assert whole[-1]["total"] == sunday["total"]
    hours = (await ask(platform, {"by": "HOUR", "to": "2026-03-31T02:00:00Z"}))["statsOverTime"]["buckets"]
    assert [hour["counts"]["statements"] for hour in hours] == [0, 0, 2, 0]


async def test_every_reader_gets_the_numbers_that_lists_have(platform: Platform, at: Clock) -> None:
    await some_days(platform, at)
    counted = [await count_over_time(platform.store, TimeBucket.MONTH, None, None) for reader in (ANONYMOUS, OPERATOR)]
    assert counted[0] == counted[1]
    total = (await ask(platform, {"by": "MONTH"}))["statsOverTime"]["buckets"][-1]["total"]
    lists = await ask(
        platform,
        {},
        """{ statements { totalCount } agents { totalCount } logEntries { totalCount }
            verifications(filter: {machine: false}) { totalCount } documents(filter: {registered: true}) { totalCount }
            challenged: verifications(filter: {machine: false, verdict: [CHALLENGED]}) { totalCount } }""",
    )
    names = {
        "statements": "statements",
        "agents": "agents",
        "entries": "logEntries",
        "verdicts": "verifications",
        "sources": "documents",
        "challenged": "challenged",
    }
    assert {name: total[name] for name in names} == {name: lists[of]["totalCount"] for name, of in names.items()}


async def test_as_of_a_size_what_came_later_is_not_counted(platform: Platform, at: Clock) -> None:
    await some_days(platform, at)
    now = (await ask(platform, {"by": "DAY"}))["statsOverTime"]
    size = now["buckets"][1]["total"]["entries"]
    then = (await ask(platform, {"by": "DAY", "asOf": {"logSize": size}}))["statsOverTime"]
    assert then["asOf"] == size
    assert [(one["counts"], one["total"]) for one in then["buckets"]] == [
        (one["counts"], one["total"]) for one in now["buckets"][:2]
    ]
    assert all(one["standing"] is None for one in then["buckets"])


async def test_a_clock_that_was_set_back_moves_nothing(platform: Platform, at: Clock) -> None:
    at.now = MONDAY + timedelta(days=1)
    await accept(platform, signed_registration(AUTHOR))
    at.now = MONDAY
    await accept(platform, signed_registration(STRANGER))
    days = (await ask(platform, {"by": "DAY"}))["statsOverTime"]["buckets"]
    assert [day["counts"]["agents"] for day in days] == [2, 1]
    assert days[-1]["total"]["entries"] == platform.log.size
