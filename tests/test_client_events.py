"""The client's reading of event streams, and `a2ap log watch`, which prints what it reads."""

import asyncio
import json
from pathlib import Path

from builders import signed_request, signed_response, signed_statement
from cli_runner import Run, a2ap
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, accept, hash_of, settle
from served import served

from a2ap.client.events import Block, read_blocks
from graph.graphql.subscriptions.place import Place, write_place
from graph.platform import Platform

__all__ = ["a2ap", "platform"]

STATEMENT = signed_statement(AUTHOR)
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), max_size=20)


@given(st.lists(st.tuples(WORDS, WORDS, st.lists(WORDS, min_size=1, max_size=3)), max_size=5), WORDS, WORDS)
@PATIENT
def test_blocks_are_read_as_they_were_written(
    blocks: list[tuple[str, str, list[str]]], comment: str, unfinished: str
) -> None:
    lines = []
    for event, name, data in blocks:
        lines += [f":{comment}", f"event: {event}", f"id: {name}", *(f"data: {line}" for line in data), "retry: 1", ""]
    assert list(read_blocks([*lines, f"data: {unfinished}"])) == [
        Block(event, name, "\n".join(data)) for event, name, data in blocks
    ]


def test_an_id_lasts_until_another_comes_and_a_colon_needs_no_space() -> None:
    lines = ["id:7", "data:x", "", "event", "data: y", "", "id", "data", "", ": alive", ""]
    assert list(read_blocks(lines)) == [Block("", "7", "x"), Block("", "7", "y"), Block(), Block()]


async def test_what_happens_is_watched_from_where_it_ended(platform: Platform, a2ap: Run, tmp_path: Path) -> None:
    await settle(platform)
    start, file = write_place(platform.log.origin, Place(0)), tmp_path / "cursor"
    settled = platform.log.size
    async with served(platform) as url:

        async def watch(*arguments: object, status: int = 0) -> list[str]:
            ended = await asyncio.to_thread(a2ap, "watch", *arguments, "--url", url, "--first", 1, status=status)
            return (ended.err if status else ended.out).splitlines()

        lines = await watch("log", "--after", start, "--cursor-file", file)
        assert [int(line.split()[0]) for line in lines] == list(range(settled))
        before = write_place(platform.log.origin, Place(settled))
        assert file.read_text() == before + "\n"
        await accept(platform, STATEMENT, signed_response(STATEMENT, VERIFIER_A), signed_request(STATEMENT, AUTHOR))
        lines = await watch("log", "--cursor-file", file)
        assert [int(line.split()[0]) for line in lines] == list(range(settled, platform.log.size))

        (verdict,) = await watch("verdicts", "--statement", hash_of(STATEMENT), "--after", before)
        assert "VALIDATED" in verdict
        (request,) = await watch("requests", "--criterion", "source-accuracy", "--after", before)
        assert "source-accuracy" in request
        (score,) = await watch("scores", "--statement", hash_of(STATEMENT), "--after", before)
        assert score.startswith("0.0000 to 0.")
        (line,) = await watch("scores", "--topic", "height", "--after", before, "--json")
        change = json.loads(line)
        assert change["scores"]["scoreBefore"] == 0.0 < change["scores"]["score"] and change["cursor"] != before

        (refused,) = await watch("log", "--after", "nonsense", status=1)
        assert "is no cursor of this node" in refused
        assert await watch("scores", status=1)
        assert await watch("log", "--topic", "x", status=1)
    (unreachable,) = await asyncio.to_thread(lambda: a2ap("watch", "log", "--url", url, status=1).err.splitlines())
    assert "does not answer" in unreachable
