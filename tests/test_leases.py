"""Leases: who is offered which request, for how long, and that no two verifiers take one place."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from builders import (
    agent_id,
    envelope_of,
    probe_message,
    reference_to,
    signed_decline,
    signed_endorsement,
    signed_lease_request,
    signed_registration,
    signed_request,
    signed_response,
    signed_retraction,
    signed_statement,
)
from graph_contents import count_everything, run_raw
from http_client import open_client
from scenario import AUTHOR, OPERATOR_A, STRANGER, VERIFIER_A, VERIFIER_B, accept, settle, signed_node_policy
from served import served

from a2ap.canonical import sha256_digest
from a2ap.client import Client, UnreachableError
from a2ap.errors import A2APError
from a2ap.messages.lease_request import read_lease_request
from graph.content.content_store import open_content_store
from graph.errors import ConflictError, ForbiddenError, GraphError, TooManyOpenError, TooManyWaitingError
from graph.log.watch import LogWatch
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.requests.lease import MAX_HELD, Lease
from graph.requests.open_requests import MAX_PAGES, open_rows
from graph.settings import Settings
from graph.store import Store
from graph.submission.leases import MAX_WAITING_OF_AGENT, Leases

NOW = datetime(2025, 10, 14, 12, tzinfo=UTC)
STATEMENT = signed_statement(AUTHOR)


class Clock:
    """The time of day, as the test has it."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest_asyncio.fixture
async def platform(store: Store, tmp_path: Path, clock: Clock) -> AsyncIterator[Platform]:
    async with platform_at(store, tmp_path, clock) as running:
        await settle(running)
        await accept(running, STATEMENT)
        yield running


def platform_at(store: Store, folder: Path, clock: Clock):
    settings = Settings(data=folder)
    return platform_on(store, open_content_store(settings), load_node(folder / "node.key"), settings, clock=clock)


class Verifier:
    """An agent that leases; its requests are numbered, so that each has an id of its own."""

    numbers = iter(range(1, 10**6))

    def __init__(self, platform: Platform, seed: int, clock: Clock) -> None:
        self._platform, self._seed, self._clock = platform, seed, clock

    def request(self, **changes: Any) -> bytes:
        node = self._platform.node.agent_id
        changes = {"time": self._clock.now, "number": next(self.numbers), "most": 10, "audience": node, **changes}
        return signed_lease_request(self._seed, **changes)

    async def lease(self, wait: float = 0.0, **changes: Any) -> list[Lease]:
        return await self._platform.leases.lease(read_lease_request(self.request(**changes)), wait)

    async def offered(self, **changes: Any) -> list[str]:
        return [lease.request.request_id for lease in await self.lease(**changes)]


def id_of(document: bytes) -> str:
    return envelope_of(document).id


async def test_a_request_is_leased_once_and_to_others_too(platform: Platform, clock: Clock) -> None:
    request = signed_request(STATEMENT, AUTHOR, number=2)
    await accept(platform, signed_request(STATEMENT, AUTHOR), request)
    one, other = Verifier(platform, VERIFIER_A, clock), Verifier(platform, VERIFIER_B, clock)

    first = await one.lease(most=1, seconds=60)

    assert [lease.request.request_id for lease in first] == [id_of(signed_request(STATEMENT, AUTHOR))]
    assert first[0].expires_at == NOW + timedelta(seconds=60)
    assert first[0].request.statement == envelope_of(STATEMENT).signed_hash
    assert await one.offered() == [id_of(request)]
    assert await one.offered() == []
    assert len(await other.offered()) == 2


@pytest.mark.parametrize("wanted", [1, 2])
async def test_no_more_leases_are_live_than_verdicts_are_wanted(platform: Platform, clock: Clock, wanted: int) -> None:
    await accept(platform, *(signed_registration(seed) for seed in range(30, 38)))
    await accept(platform, signed_node_policy(platform, 2, seeds=tuple(agent_id(seed) for seed in range(30, 38))))
    await accept(platform, *(signed_request(STATEMENT, AUTHOR, number=n, wanted_verdicts=wanted) for n in (1, 2, 3)))
    verifiers = [Verifier(platform, seed, clock) for seed in range(30, 38)]

    given = await asyncio.gather(*(verifier.lease(most=2) for verifier in verifiers for _ in range(2)))

    held = [lease.request.signed_hash for leases in given for lease in leases]
    assert len(held) == 3 * wanted
    assert all(held.count(name) == wanted for name in held)


async def test_what_a_crashed_verifier_held_is_offered_to_others_when_it_expires(
    platform: Platform, clock: Clock
) -> None:
    request = signed_request(STATEMENT, AUTHOR, wanted_verdicts=1)
    await accept(platform, request)
    crashed, other = Verifier(platform, VERIFIER_A, clock), Verifier(platform, VERIFIER_B, clock)
    assert await crashed.offered(seconds=30) == [id_of(request)]

    clock.pass_by(29)
    assert await other.offered() == []
    clock.pass_by(1)
    assert await other.offered() == [id_of(request)]


@pytest.mark.both_engines
async def test_a_lease_is_renewed_by_its_holder_alone(platform: Platform, clock: Clock) -> None:
    await accept(platform, signed_request(STATEMENT, AUTHOR, wanted_verdicts=1))
    one, other = Verifier(platform, VERIFIER_A, clock), Verifier(platform, VERIFIER_B, clock)
    (lease,) = await one.lease(seconds=30)
    clock.pass_by(20)

    assert await other.lease(renews=[lease.lease_id]) == []
    (renewed,) = await one.lease(renews=[lease.lease_id], seconds=30, most=1)

    assert renewed.lease_id == lease.lease_id
    assert renewed.expires_at == clock.now + timedelta(seconds=30)
    clock.pass_by(20)
    assert await other.offered() == []
    clock.pass_by(11)
    assert await one.lease(renews=[lease.lease_id], most=1) != [renewed]


async def test_a_lease_ends_with_the_deadline(platform: Platform, clock: Clock) -> None:
    deadline = NOW + timedelta(seconds=40)
    await accept(platform, signed_request(STATEMENT, AUTHOR, deadline=deadline))
    verifier = Verifier(platform, VERIFIER_A, clock)

    (lease,) = await verifier.lease(seconds=600)

    assert lease.expires_at == deadline
    clock.pass_by(40)
    assert await verifier.offered() == []
    assert await Verifier(platform, VERIFIER_B, clock).offered() == []


async def test_an_answer_ends_the_lease_and_takes_its_place(platform: Platform, clock: Clock) -> None:
    request = signed_request(STATEMENT, AUTHOR, wanted_verdicts=1)
    await accept(platform, request)
    one, other = Verifier(platform, VERIFIER_A, clock), Verifier(platform, VERIFIER_B, clock)
    (lease,) = await one.lease()
    response = signed_response(STATEMENT, VERIFIER_A, request=reference_to(request))
    await accept(platform, response)

    assert await one.lease(renews=[lease.lease_id]) == []
    clock.pass_by(4000)
    assert await other.offered() == []
    await accept(platform, signed_retraction(response, VERIFIER_A))
    assert await other.offered() == [id_of(request)]


async def test_a_decline_ends_the_lease_and_leaves_the_place_to_others(platform: Platform, clock: Clock) -> None:
    request = signed_request(STATEMENT, AUTHOR, wanted_verdicts=1)
    await accept(platform, request)
    one, other = Verifier(platform, VERIFIER_A, clock), Verifier(platform, VERIFIER_B, clock)
    assert await one.offered() == [id_of(request)]

    await accept(platform, signed_decline(request, VERIFIER_A))

    assert await one.offered() == []
    assert await other.offered() == [id_of(request)]


async def test_however_many_it_has_answered_a_verifier_renews_what_it_holds(
    platform: Platform, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.submission.leases._LEASES_AT_ONCE", 4)
    others = [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(3)]
    last = signed_request(STATEMENT, STRANGER)
    requests = [signed_request(one, AUTHOR, number=n) for one in others for n in (1, 2, 3)]
    await accept(platform, *others, *requests, last)
    verifier = Verifier(platform, VERIFIER_A, clock)
    assert len(await verifier.lease(most=9, seconds=60)) == 9
    (lease,) = await verifier.lease(seconds=70, criteria=["source-accuracy"])
    await accept(platform, *(signed_response(one, VERIFIER_A) for one in others))
    reads = Counter[str]()
    platform.store.observe = lambda name: reads.update([name])

    (renewed,) = await verifier.lease(renews=[lease.lease_id], seconds=60)
    assert renewed.lease_id == lease.lease_id
    assert reads["leases_of"] == 3
    assert await verifier.lease(renews=[lease.lease_id]) != []
    assert reads["leases_of"] == 4


async def test_a_verdict_that_names_no_request_answers_those_before_it_on_its_criteria(
    platform: Platform, clock: Clock
) -> None:
    about = signed_request(STATEMENT, AUTHOR, wanted_verdicts=1, criteria=["source-accuracy"])
    other = signed_request(STATEMENT, AUTHOR, wanted_verdicts=1, criteria=["example:tone"])
    await accept(platform, about, other)
    await accept(platform, signed_response(STATEMENT, VERIFIER_A, criteria=["source-accuracy"]))
    later = signed_request(STATEMENT, AUTHOR, number=2, wanted_verdicts=1, criteria=["source-accuracy"])
    await accept(platform, later)

    verifier = Verifier(platform, VERIFIER_B, clock)

    assert await verifier.offered(criteria=["source-accuracy", "example:tone"]) == [id_of(other), id_of(later)]


async def test_what_is_ones_own_or_of_ones_operator_is_not_offered(platform: Platform, clock: Clock) -> None:
    sibling, endorsed_by_author = 40, 41
    await accept(platform, signed_registration(sibling), signed_registration(endorsed_by_author))
    await accept(
        platform,
        signed_endorsement(signed_registration(sibling), STRANGER),
        signed_endorsement(signed_registration(AUTHOR), STRANGER),
        signed_endorsement(signed_registration(endorsed_by_author), AUTHOR),
    )
    await accept(platform, signed_request(STATEMENT, STRANGER))

    for seed in (AUTHOR, STRANGER, sibling, endorsed_by_author):
        assert await Verifier(platform, seed, clock).offered() == []
    assert len(await Verifier(platform, VERIFIER_A, clock).offered()) == 1


async def test_only_eligible_verifiers_are_offered_a_request_for_them(platform: Platform, clock: Clock) -> None:
    await accept(platform, signed_request(STATEMENT, AUTHOR, eligible_verifiers=[agent_id(VERIFIER_B)]))

    assert await Verifier(platform, VERIFIER_A, clock).offered() == []
    assert len(await Verifier(platform, VERIFIER_B, clock).offered()) == 1


async def test_a_request_is_offered_for_any_of_its_criteria_and_for_no_other(platform: Platform, clock: Clock) -> None:
    await accept(platform, signed_request(STATEMENT, AUTHOR, criteria=["source-accuracy", "example:tone"]))
    verifier = Verifier(platform, VERIFIER_A, clock)

    assert await verifier.offered(criteria=["logical-consistency"]) == []
    assert len(await verifier.offered(criteria=["logical-consistency", "example:tone"])) == 1


async def test_strangers_keep_nobody_waiting(platform: Platform, clock: Clock) -> None:
    strangers = range(50, 60)
    await accept(platform, *(signed_registration(seed) for seed in strangers))
    request = signed_request(STATEMENT, AUTHOR, wanted_verdicts=2)
    await accept(platform, request)
    for seed in strangers:
        await Verifier(platform, seed, clock).lease()
    for seed in (50, 51):
        await accept(platform, signed_response(STATEMENT, seed, request=reference_to(request)))

    for seed in (STRANGER, VERIFIER_A, VERIFIER_B):
        assert await Verifier(platform, seed, clock).offered() == [id_of(request)]


async def test_agents_of_one_operator_hold_one_place(platform: Platform, clock: Clock) -> None:
    siblings = [signed_registration(seed) for seed in range(60, 64)]
    request = signed_request(STATEMENT, AUTHOR, wanted_verdicts=2)
    await accept(platform, *siblings, *(signed_endorsement(one, OPERATOR_A) for one in siblings), request)
    for seed in range(60, 64):
        assert await Verifier(platform, seed, clock).offered() == [id_of(request)]

    assert await Verifier(platform, VERIFIER_B, clock).offered() == [id_of(request)]
    assert await Verifier(platform, STRANGER, clock).offered() == []


async def test_a_request_is_held_for_so_long_and_then_goes_to_others(platform: Platform, clock: Clock) -> None:
    request = signed_request(STATEMENT, AUTHOR, wanted_verdicts=1)
    await accept(platform, request)
    one, other = Verifier(platform, VERIFIER_A, clock), Verifier(platform, VERIFIER_B, clock)
    began = clock.now
    (lease,) = await one.lease(seconds=3600, most=1)
    while renewed := await one.lease(renews=[lease.lease_id], seconds=3600, most=1):
        assert renewed[0].lease_id == lease.lease_id
        lease = renewed[0]
        clock.pass_by(1800)

    assert lease.expires_at == began + MAX_HELD
    clock.now = lease.expires_at
    assert await one.offered() == []
    assert await other.offered() == [id_of(request)]
    clock.pass_by(25 * 3600)
    await Verifier(platform, STRANGER, clock).lease(criteria=["example:none"])
    assert await one.offered() == [id_of(request)]


async def test_agents_of_one_operator_hold_a_place_for_so_long_together(platform: Platform, clock: Clock) -> None:
    siblings = [signed_registration(seed) for seed in range(60, 66)]
    request = signed_request(STATEMENT, AUTHOR, wanted_verdicts=1)
    await accept(platform, *siblings, *(signed_endorsement(one, OPERATOR_A) for one in siblings), request)
    other, began = Verifier(platform, VERIFIER_B, clock), clock.now
    for seed in range(60, 66):
        for lease in await Verifier(platform, seed, clock).lease(seconds=3000):
            assert await other.offered() == []
            clock.now = lease.expires_at

    assert clock.now == began + MAX_HELD
    assert await Verifier(platform, VERIFIER_A, clock).offered() == []
    assert await other.offered() == [id_of(request)]


async def test_a_verifier_that_lets_leases_run_out_has_them_for_so_long_too(platform: Platform, clock: Clock) -> None:
    await accept(platform, signed_request(STATEMENT, AUTHOR))
    verifier, times = Verifier(platform, VERIFIER_A, clock), 0
    while await verifier.lease(seconds=3600):
        times += 1
        clock.pass_by(3600)

    assert times == MAX_HELD // timedelta(hours=1)


async def test_a_request_for_a_hidden_probe_looks_like_any_other(
    platform: Platform, clock: Clock, tmp_path: Path
) -> None:
    probe = signed_statement(STRANGER, claim="The council raises the height limit to sixty feet.")
    commitment = platform.node.sign(
        probe_message([sha256_digest(b"salt" + probe)], committing_agent=platform.node.agent_id)
    ).envelope.received
    await accept(platform, commitment, probe)
    await accept(platform, signed_request(STATEMENT, AUTHOR), signed_request(probe, STRANGER))
    async with open_client(platform, tmp_path) as http:
        answer = await http.post("/leases", content=Verifier(platform, VERIFIER_A, clock).request())

    ordinary, probing = answer.json()["leases"]
    assert shape(ordinary) == shape(probing)
    assert ordinary["expiresAt"] == probing["expiresAt"]
    assert ordinary["request"]["criteria"] == probing["request"]["criteria"]


def shape(value: object) -> object:
    """Return the names of members and the length of what stands under them, but no values."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items()}
    return (type(value).__name__, len(value)) if isinstance(value, str) and ":agent:" not in value else type(value)


async def test_what_its_author_has_retracted_is_not_offered(platform: Platform, clock: Clock) -> None:
    await accept(platform, signed_request(STATEMENT, AUTHOR), signed_retraction(STATEMENT, AUTHOR))

    assert await Verifier(platform, VERIFIER_A, clock).offered() == []


async def test_two_platforms_on_one_graph_share_the_leases(
    platform: Platform, clock: Clock, store: Store, tmp_path: Path
) -> None:
    await accept(platform, *(signed_request(STATEMENT, AUTHOR, number=n, wanted_verdicts=1) for n in range(1, 7)))
    async with platform_at(store, tmp_path, clock) as second:
        given = await asyncio.gather(
            *(
                Verifier(where, seed, clock).lease(most=2)
                for where in (platform, second)
                for seed in (VERIFIER_A, VERIFIER_B)
                for _ in range(3)
            )
        )
    held = [lease.request.signed_hash for leases in given for lease in leases]
    assert len(held) == len(set(held)) == 6


async def test_who_waits_gets_what_comes_meanwhile_also_from_another_server(
    platform: Platform, clock: Clock, store: Store, tmp_path: Path
) -> None:
    first, second = signed_request(STATEMENT, AUTHOR), signed_request(STATEMENT, AUTHOR, number=2)
    waiting = asyncio.create_task(Verifier(platform, VERIFIER_A, clock).offered(wait=30))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    await accept(platform, first)
    assert await asyncio.wait_for(waiting, 10) == [id_of(first)]

    waiting = asyncio.create_task(Verifier(platform, VERIFIER_A, clock).offered(wait=30))
    async with platform_at(store, tmp_path, clock) as other:
        await accept(other, second)
    assert await asyncio.wait_for(waiting, 10) == [id_of(second)]


async def test_who_waits_gets_what_a_crashed_verifier_has_held(
    platform: Platform, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.submission.leases._LOOK_AGAIN", 0.2)
    request = signed_request(STATEMENT, AUTHOR, wanted_verdicts=1)
    await accept(platform, request)
    assert await Verifier(platform, VERIFIER_A, clock).offered(seconds=30) == [id_of(request)]
    waiting = asyncio.create_task(Verifier(platform, VERIFIER_B, clock).offered(wait=30))
    await asyncio.sleep(0.5)
    assert not waiting.done()

    clock.pass_by(30)

    assert await asyncio.wait_for(waiting, 10) == [id_of(request)]


async def test_what_is_open_is_found_by_its_index(platform: Platform) -> None:
    pages = await platform.store.explain("open_requests", now=1, criteria=[], agent=None, after=-1, first=20)
    counted = await platform.store.explain("count_open_requests", start="a|", end="a|~")

    assert "open_until" in repr(pages) and "IndexRange" in repr(pages).replace("IndexSeekByRange", "IndexRange")
    assert "open_for" in repr(counted) and "IndexRange" in repr(counted).replace("IndexSeekByRange", "IndexRange")


async def test_who_waits_for_nothing_is_told_so(platform: Platform, clock: Clock) -> None:
    assert await Verifier(platform, VERIFIER_A, clock).lease(wait=0.2) == []


async def test_a_lease_request_is_taken_once(platform: Platform, clock: Clock) -> None:
    request = read_lease_request(Verifier(platform, VERIFIER_A, clock).request())
    await platform.leases.lease(request)

    with pytest.raises(ConflictError, match="taken once"):
        await platform.leases.lease(request)


async def test_leases_leave_the_log_as_it_is(platform: Platform, clock: Clock) -> None:
    await accept(platform, signed_request(STATEMENT, AUTHOR))
    size = platform.log.size
    await Verifier(platform, VERIFIER_A, clock).lease()

    assert platform.log.size == size


REFUSED: dict[str, tuple[dict[str, Any], type[A2APError | GraphError]]] = {
    "too old": ({"time": NOW - timedelta(minutes=6)}, ForbiddenError),
    "from the future": ({"time": NOW + timedelta(minutes=6)}, ForbiddenError),
    "for another node": ({"audience": "urn:agent:another-node"}, ForbiddenError),
}


@pytest.mark.parametrize(("changes", "error"), REFUSED.values(), ids=REFUSED)
async def test_a_stale_or_misdirected_lease_request_is_refused_and_changes_nothing(
    platform: Platform, clock: Clock, changes: dict[str, Any], error: type[Exception]
) -> None:
    await accept(platform, signed_request(STATEMENT, AUTHOR))
    before = await count_everything(platform.store)

    with pytest.raises(error):
        await Verifier(platform, VERIFIER_A, clock).lease(**changes)

    assert await count_everything(platform.store) == before


async def test_nobody_leases_for_another(platform: Platform, clock: Clock, tmp_path: Path) -> None:
    await accept(platform, signed_request(STATEMENT, AUTHOR))
    before = await count_everything(platform.store)
    forged = Verifier(platform, VERIFIER_A, clock).request().replace(b'"most":10', b'"most":11')
    async with open_client(platform, tmp_path) as http:
        answer = await http.post("/leases", content=forged)
        unknown = await http.post("/leases", content=Verifier(platform, 77, clock).request())

    assert (answer.status_code, answer.json()["code"]) == (422, "INVALID_SIGNATURE")
    assert (unknown.status_code, unknown.json()["code"]) == (403, "NOT_REGISTERED")
    assert await count_everything(platform.store) == before


async def test_leases_over_http(platform: Platform, clock: Clock, tmp_path: Path) -> None:
    deadline = NOW + timedelta(days=1)
    request = signed_request(STATEMENT, AUTHOR, deadline=deadline)
    await accept(platform, request)
    verifier = Verifier(platform, VERIFIER_A, clock)
    async with open_client(platform, tmp_path) as http:
        answer = await http.post("/leases?wait=1", content=verifier.request(seconds=60))
        again = await http.post("/leases", content=verifier.request())
        wrong = await http.post("/leases?wait=61", content=verifier.request())

    (lease,) = answer.json()["leases"]
    assert lease == {
        "lease": lease["lease"],
        "expiresAt": "2025-10-14T12:01:00Z",
        "request": {
            "id": id_of(request),
            "hash": envelope_of(request).signed_hash,
            "criteria": ["source-accuracy", "evidence-sufficiency", "logical-consistency"],
            "deadline": "2025-10-15T12:00:00Z",
            "requestingAgent": agent_id(AUTHOR),
        },
        "statement": {"id": id_of(STATEMENT), "hash": envelope_of(STATEMENT).signed_hash},
    }
    assert again.json() == {"leases": []}
    assert (wrong.status_code, wrong.json()["path"]) == (400, "wait")


async def test_a_verifier_that_has_hung_up_is_leased_nothing(platform: Platform, clock: Clock, tmp_path: Path) -> None:
    gone, there = (Verifier(platform, seed, clock) for seed in (VERIFIER_A, VERIFIER_B))
    async with served(platform) as url:
        with Client(url) as client:
            waiting = asyncio.create_task(asyncio.to_thread(client.lease, gone.request(), 30.0))
            while platform.leases.waiting == 0:
                await asyncio.sleep(0.01)
            client.interrupt()
            with pytest.raises(UnreachableError):
                await waiting
            await asyncio.sleep(0.1)
            await accept(platform, signed_request(STATEMENT, AUTHOR))
            while platform.leases.waiting:
                await asyncio.sleep(0.01)
            assert not await run_raw(platform.store, "MATCH (l:Lease) RETURN l.lease_id AS id")
            assert await asyncio.to_thread(client.lease, there.request())


async def test_an_agent_has_so_many_requests_open_and_no_more(store: Store, tmp_path: Path, clock: Clock) -> None:
    settings = Settings(data=tmp_path, max_open_requests=2)
    content, node = open_content_store(settings), load_node(tmp_path / "node.key")
    soon = NOW + timedelta(minutes=1)
    async with platform_on(store, content, node, settings, clock=clock) as platform:
        await settle(platform)
        await accept(platform, STATEMENT)
        requests = [signed_request(STATEMENT, AUTHOR, number=n, deadline=soon) for n in (1, 2, 3)]
        outcomes = await platform.submit_many(requests)
        assert [type(outcome) for outcome in outcomes[2:]] == [TooManyOpenError]
        await accept(platform, signed_request(STATEMENT, STRANGER), requests[0])
        with pytest.raises(TooManyOpenError, match="wait for verdicts, and 2 may"):
            await platform.submit(requests[2])
        clock.now = soon
        await accept(platform, signed_request(STATEMENT, AUTHOR, number=4, wanted_verdicts=1))
        await accept(platform, signed_response(STATEMENT, VERIFIER_A))
        await accept(platform, *(signed_request(STATEMENT, AUTHOR, number=n) for n in (5, 6)))
        async with open_client(platform, tmp_path) as http:
            answer = await http.post("/verification-requests", content=signed_request(STATEMENT, AUTHOR, number=7))
    assert (answer.status_code, answer.json()["code"], answer.json()["path"]) == (429, "TOO_MANY", "requestingAgent")


async def test_an_agent_has_so_many_requests_open_on_a_statement(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.requests.room.MAX_ON_STATEMENT", 3)
    other = signed_statement(AUTHOR, claim="The map is green.")
    first, *more = [signed_request(STATEMENT, AUTHOR, number=n, wanted_verdicts=1) for n in range(1, 6)]
    await accept(platform, first, other)
    outcomes = await platform.submit_many(more)

    assert [isinstance(outcome, TooManyOpenError) for outcome in outcomes] == [False, False, True, True]
    await accept(platform, first, signed_request(other, AUTHOR), signed_request(STATEMENT, STRANGER))
    with pytest.raises(TooManyOpenError, match="3 may"):
        await platform.submit(signed_request(STATEMENT, AUTHOR, number=7, bound=False))
    await accept(platform, signed_response(STATEMENT, VERIFIER_A))
    await accept(platform, *more[2:])


async def test_so_many_lease_requests_of_an_agent_wait_and_no_more(
    platform: Platform, clock: Clock, tmp_path: Path
) -> None:
    one = Verifier(platform, VERIFIER_A, clock)
    waiting = [asyncio.create_task(one.lease(wait=20)) for _ in range(MAX_WAITING_OF_AGENT)]
    while platform.leases.waiting < MAX_WAITING_OF_AGENT:
        await asyncio.sleep(0.02)

    with pytest.raises(TooManyWaitingError, match="wait already"):
        await one.lease(wait=20)
    async with open_client(platform, tmp_path) as http:
        answer = await http.post("/leases?wait=20", content=one.request())
    assert (answer.status_code, answer.json()["code"]) == (429, "TOO_MANY")
    assert await one.lease() == []
    assert await Verifier(platform, VERIFIER_B, clock).lease(wait=0.1) == []
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert platform.leases.waiting == 0


async def test_strangers_leave_places_to_wait_for_verifiers_that_count_for_seeds(
    platform: Platform, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.submission.leases.MAX_STRANGERS_WAITING", 2)
    monkeypatch.setattr("graph.submission.leases.MAX_WAITING", 3)
    stranger, seeded = Verifier(platform, STRANGER, clock), Verifier(platform, VERIFIER_A, clock)
    waiting = [asyncio.create_task(stranger.lease(wait=20)) for _ in range(2)]
    while platform.leases.waiting < 2:
        await asyncio.sleep(0.02)

    assert await asyncio.wait_for(stranger.lease(wait=20), 10) == []
    waiting.append(asyncio.create_task(seeded.lease(wait=20)))
    while platform.leases.waiting < 3:
        await asyncio.sleep(0.02)
    assert await asyncio.wait_for(seeded.lease(wait=20), 10) == []
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert platform.leases.waiting == 0
    await stranger.lease(wait=0.1)
    assert platform.leases.waiting == 0


async def test_where_much_is_open_a_call_looks_at_some_of_it_and_finds_the_rest_in_time(
    platform: Platform, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = signed_statement(VERIFIER_B, claim="The limit is forty feet.")
    sibling = signed_registration(60)
    await accept(platform, own, sibling, signed_endorsement(sibling, OPERATOR_A))
    last = signed_request(own, STRANGER)
    await accept(platform, *(signed_request(STATEMENT, AUTHOR, number=n, wanted_verdicts=1) for n in range(9)), last)
    await Verifier(platform, VERIFIER_A, clock).lease(most=9)
    monkeypatch.setattr("graph.requests.open_requests._PAGE", 1)
    reads = Counter[str]()
    platform.store.observe = lambda name: reads.update([name])
    sibling_verifier = Verifier(platform, 60, clock)

    async def offered(randint: Callable[[int, int], int]) -> list[str]:
        watch, node = LogWatch(platform.store), platform.node.agent_id
        leases = Leases(platform.store, watch, clock, node, randint)
        found = await leases.lease(read_lease_request(sibling_verifier.request()))
        return [lease.request.request_id for lease in found]

    assert await offered(lambda low, high: low) == []
    assert reads["open_requests"] == MAX_PAGES
    assert await offered(lambda low, high: high - 1) == [id_of(last)]


@pytest.mark.both_engines
async def test_a_page_of_what_is_open_is_cut_before_it_is_looked_at(platform: Platform, clock: Clock) -> None:
    requests = [signed_request(STATEMENT, AUTHOR, number=n) for n in (1, 2, 3, 4)]
    await accept(platform, *requests)
    await accept(platform, *(signed_decline(request, VERIFIER_A) for request in requests[:3]))
    rows = await open_rows(platform.store, [], clock(), agent_id=agent_id(VERIFIER_A), after=-1, first=2)

    assert [row["request_id"] for row in rows] == [id_of(request) for request in requests[:2]]
    assert await Verifier(platform, VERIFIER_A, clock).offered() == [id_of(requests[3])]
