"""The writer's two queues: strangers have a bounded share of a batch, and each call is written in its order."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from builders import agent_id, agent_key, sign_as, signed_endorsement, signed_registration, signed_statement
from hypothesis import given
from hypothesis import strategies as st
from scenario import OPERATOR_A, accept, signed_node_policy
from servers import server_on

from a2ap.json_text import read_json
from a2ap.messages.message import read_message
from graph.errors import NotRegisteredError
from graph.log.entry import Outcome, Receipt
from graph.quotas.caller import Caller
from graph.store import Store
from graph.submission.call import Call
from graph.submission.submission import Submission
from graph.submission.submitter import Submitter
from graph.submission.writer import MAX_BATCH, STRANGERS, Writer

MESSAGE = Submission(read_message(signed_registration(1)))
REFUSED = NotRegisteredError("nobody")
SHARE = MAX_BATCH // STRANGERS


class Batches:
    """An `append` that keeps what it was given, and waits until it may go on."""

    def __init__(self) -> None:
        self.given: list[list[Submission]] = []
        self.go_on = asyncio.Event()

    async def __call__(self, submissions: Sequence[Submission]) -> list[Outcome]:
        self.given.append(list(submissions))
        await self.go_on.wait()
        return [REFUSED for _ in submissions]


def call(number: int, *, of_strangers: bool) -> list[Submission]:
    """Return the submissions of one call."""
    one = Call()
    one.of_strangers = of_strangers
    return [replace(MESSAGE, call=one, place=one.next_place()) for _ in range(number)]


def places(batch: Sequence[Submission], one: Submission) -> list[int]:
    return [other.place for other in batch if other.call is one.call]


async def test_an_endorsed_submission_behind_thousands_of_strangers_is_in_the_next_batch() -> None:
    batches = Batches()
    async with Writer(batches) as writer:
        under_way = writer.enqueue(call(1, of_strangers=True))
        await asyncio.sleep(0.01)  # it is being written
        flood, endorsed = call(MAX_BATCH, of_strangers=True), call(3, of_strangers=False)
        waiting = [writer.enqueue(flood), writer.enqueue(endorsed)]
        batches.go_on.set()
        await asyncio.gather(under_way, *waiting)
    _, second, third, *_ = batches.given
    assert second == [*endorsed, *flood[:SHARE]]
    # Nobody waits, and whoever comes while it is written waits for no more than this.
    assert third == flood[SHARE : 2 * SHARE]


async def test_strangers_have_their_share_while_others_never_end() -> None:
    batches = Batches()
    async with Writer(batches) as writer:
        flood, strangers = call(2 * MAX_BATCH, of_strangers=False), call(1, of_strangers=True)
        waiting = [writer.enqueue(flood), writer.enqueue(strangers)]
        batches.go_on.set()
        await asyncio.gather(*waiting)
    assert batches.given[0] == [*flood[: MAX_BATCH - SHARE], *strangers]


async def test_what_strangers_weigh_is_bounded_as_well() -> None:
    batches = Batches()
    async with Writer(batches, max_weight=8 * MESSAGE.weight) as writer:
        flood, endorsed = call(8, of_strangers=True), call(8, of_strangers=False)
        waiting = [writer.enqueue(flood), writer.enqueue(endorsed)]
        batches.go_on.set()
        await asyncio.gather(*waiting)
    assert batches.given[0] == [*endorsed[:6], *flood[:2]]


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=12), st.integers(1, 9))
def test_each_call_is_written_whole_and_in_its_order(sizes: list[tuple[int, bool]], max_batch: int) -> None:
    async def write() -> None:
        batches = Batches()
        batches.go_on.set()
        calls = [call(number, of_strangers=of_strangers) for number, of_strangers in sizes]
        async with Writer(batches, max_batch) as writer:
            outcomes = await asyncio.gather(*(writer.enqueue(one) for one in calls))
        assert outcomes == [[REFUSED] * len(one) for one in calls]
        written = [one for batch in batches.given for one in batch]
        assert len(written) == sum(map(len, calls)) and all(batches.given)
        assert all(places(written, one[0]) == list(range(len(one))) for one in calls if one)
        assert all(len(batch) <= max(max_batch, 2) for batch in batches.given)

    asyncio.run(write())


async def test_the_standing_of_its_agents_says_which_way_a_call_goes(store: Store, tmp_path: Path) -> None:
    async def follow(submissions: Sequence[Submission], outcomes: Sequence[Outcome]) -> None:
        pass

    batches = Batches()
    batches.go_on.set()
    async with server_on(store, tmp_path) as platform, Writer(batches) as writer:
        await accept(platform, signed_registration(OPERATOR_A), signed_registration(1))
        await accept(platform, signed_node_policy(platform, seeds=(agent_id(OPERATOR_A),)))
        await accept(platform, signed_endorsement(signed_registration(1), OPERATOR_A))
        submitter = Submitter(platform.node, writer, follow, platform.quotas)

        async def is_of_strangers(caller: Caller | None, *documents: bytes) -> list[bool]:
            """Say of each document that gets to the writer whether it goes with the strangers'."""
            batches.given.clear()
            assert await submitter.submit_many(documents, caller=caller) == [REFUSED] * len(documents)
            return [one.call is not None and one.call.of_strangers for batch in batches.given for one in batch]

        endorsed, stranger = signed_statement(1), signed_statement(2)
        here = Caller("192.0.2.1")
        assert await is_of_strangers(here, endorsed) == [False]
        assert await is_of_strangers(here, stranger) == [True]
        # What stands behind a stranger's document in a call stays behind it.
        assert await is_of_strangers(here, signed_registration(2), stranger, endorsed) == [True] * 3
        assert await is_of_strangers(replace(here, is_operator=True), stranger) == [False]
        assert await is_of_strangers(None, stranger) == [False]
        # A copy is answered from the log, and does not get to the writer.
        await accept(platform, endorsed)
        batches.given.clear()
        (receipt,) = await submitter.submit_many([endorsed], caller=here)
        assert isinstance(receipt, Receipt) and not receipt.created and not batches.given
        # The name of an endorsed agent on another's document does not pass for its signature.
        forged = sign_as(read_json(signed_statement(1, claim="Forged.")), agent_key(2), f"{agent_id(1)}#key-1")
        assert await is_of_strangers(here, forged) == [True]
