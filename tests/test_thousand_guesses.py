"""A stranger who quotes a closed source with a thousand guesses learns nothing from what comes back.

The number in the source is one of nine hundred. The stranger guesses some before the source is held and the others
afterwards, the right one each time, in statements that are handed in over HTTP. What an interface then gives about a
guess is the same for all of one time, but for its own names, times and places in the log: if it fell into groups, they
would tell the right one. It is so after each command that maintains a node as well, of which a few guesses tell.
"""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from guessing import bits_told, closed, events, everything, hand_in, names_of, registered, sparql, statements_of
from http_client import open_client
from rebuilding import rebuilt
from scenario import accept, pieces, signed_node_policy, verified_world
from servers import server_on

from a2ap.canonical import sha256_digest
from graph.platform import Platform
from graph.services.retention_job import apply_retention
from graph.store import Store
from graph.submission.source_recheck import recheck_sources

EARLY, LATE, MANY, LAST = range(405, 435), range(405, 435), range(100, 1_000), range(400, 440)
SOME = range(416, 419)  # about which is asked one by one where an interface gives no list
KEPT_UNTIL = datetime(2099, 1, 1, tzinfo=UTC)
FIRST, SECOND = "first-meeting", "second-meeting"


async def test_what_comes_back_about_a_thousand_guesses_is_the_same_for_right_and_wrong(
    store: Store, tmp_path: Path
) -> None:
    bits: dict[str, float] = {}
    async with server_on(store, tmp_path) as platform, open_client(platform, tmp_path) as client:
        await verified_world(platform)
        # An epoch that comes by itself is another with each run.
        policy = signed_node_policy(platform, 2, epoch_length=1_000_000)
        await accept(platform, policy, registered(FIRST, KEPT_UNTIL), registered(SECOND))
        start = platform.log.size
        answers = await hand_in(client, FIRST, EARLY, "early")
        await hold(platform, FIRST)
        answers += await hand_in(client, FIRST, LATE, "late")
        size = platform.log.size
        names = names_of(await statements_of(client))
        async for time in times(platform):
            async for interface, parts in everything(client, await statements_of(client), SOME):
                bits[f"{interface} {time}"] = bits_told(parts, names)
            async for interface, parts in events(platform, start):
                bits[f"{interface} {time}"] = bits_told(parts, names)
            bits[f"sparql {time}"] = bits_told(await sparql(client), names)
        bits["as of"] = bits_told(map(str, await statements_of(client, size)), names)
        await hold(platform, SECOND)
        answers += await hand_in(client, SECOND, MANY, "many")
        size = platform.log.size
        answers += await hand_in(client, SECOND, LAST, "last")
        shown = await statements_of(client)
        names = names_of(shown)
        assert len(answers) == len(set(names.values())) == 1000
        bits["receipts"] = bits_told(answers, names)
        async for interface, parts in everything(client, shown, SOME):
            bits[f"{interface} about all"] = bits_told(parts, names)
        async for interface, parts in events(platform, size):
            bits[f"{interface} about the last"] = bits_told(parts, names)
    assert {interface: told for interface, told in bits.items() if told} == {}


async def hold(platform: Platform, name: str) -> None:
    """Hand in the bytes of a closed source."""
    await platform.sources.put(sha256_digest(closed(name)), pieces(closed(name)))


async def times(platform: Platform) -> AsyncIterator[str]:
    """Yield before and after each command that maintains a node."""
    yield "at first"
    async for _ in recheck_sources(platform.store, platform.content, platform.sources):
        pass
    yield "after recheck"
    await rebuilt(platform)
    yield "after rebuild"
    await accept(platform, signed_node_policy(platform, 3, epoch_length=1))
    await platform.epochs.settled()
    yield "after an epoch"
    await accept(platform, signed_node_policy(platform, 4, epoch_length=1_000_000))
    await platform.epochs.settled()
    await apply_retention(platform, KEPT_UNTIL + timedelta(days=1))
    yield "after retention"
