"""The page about passports says what there is: every finding, event, profile and status; its curl command works."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from passports import chain_of, line
from platform_fixture import platform
from served import served

from a2ap.passport.event_type import EFFECTS, Effect, EventType
from a2ap.passport.finding import FindingCode, Status
from a2ap.passport.passport import MERGED_PARENTS, TARGET
from a2ap.passport.profile import PayloadProfile
from a2ap.passport.signature import Signing
from graph.platform import Platform

__all__ = ["platform"]

TEXT = (Path(__file__).resolve().parent.parent / "docs" / "reference" / "passports.md").read_text("utf-8")


@pytest.mark.parametrize("word", [*FindingCode, *EventType, *PayloadProfile, *Status, *Signing, TARGET, MERGED_PARENTS])
def test_everything_that_is_said_of_a_record_is_explained(word: str):
    assert f"`{word}`" in TEXT


def test_what_an_event_does_is_as_the_page_says():
    rows = {row.split("|")[1]: row.split("|")[2] for row in TEXT.splitlines() if row.startswith("| `")}
    observing = [kind for kind in EventType if EFFECTS[kind] is Effect.OBSERVES]
    for kind in observing:
        (does,) = [does for names, does in rows.items() if f"`{kind}`" in names]
        assert does.strip().startswith("nothing")


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
async def test_the_curl_command_of_the_page_hands_a_chain_in(platform: Platform, tmp_path: Path):
    (command,) = [row for row in TEXT.splitlines() if row.startswith("curl ")]
    chain = chain_of(line(3))
    (tmp_path / "run.passports.json").write_bytes(chain.data)
    async with served(platform) as address:
        command = command.replace("http://127.0.0.1:8000", address).replace("curl ", "curl --silent --noproxy '*' ")
        process = await asyncio.create_subprocess_shell(command, cwd=tmp_path, stdout=asyncio.subprocess.PIPE)
        answer, _ = await process.communicate()
    records = json.loads(answer)["records"]
    assert [record["type"] for record in records] == ["RecordRegistration"] * 3
    held = [await platform.content.get(record["recordHash"]) for record in records]
    assert held == [passport.data for passport in chain.passports]
