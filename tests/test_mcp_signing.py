"""The MCP tools that sign: the user confirms the exact words, and files come from the stated folders alone."""

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from builders import SOURCE
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import MISSING_REQUIRED_CLIENT_CAPABILITY
from mcp_world import CLAIM, MINUTES, MODES, QUOTE, Asked, answer_of, client_of, new_agent, text_of
from platform_fixture import platform
from scenario import hash_of, verified_world
from served import served

from a2ap import AsyncAgent
from a2ap.canonical import sha256_digest
from a2ap.mcp.folders import FileError, Folders
from graph.platform import Platform

__all__ = ["platform"]

SOURCE_HASH = sha256_digest(SOURCE)
PUBLISH = {"claim": CLAIM, "quotes": ["height limit at forty feet"], "source": SOURCE_HASH}
FILE = {"claim": CLAIM, "quotes": [QUOTE], "path": "minutes.txt"}


@pytest_asyncio.fixture
async def statement(platform: Platform) -> str:
    return hash_of((await verified_world(platform)).statement)


@pytest_asyncio.fixture
async def agent(platform: Platform, statement: str, tmp_path: Path) -> AsyncIterator[AsyncAgent]:
    async with served(platform) as node, await new_agent(tmp_path, node) as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    opened = tmp_path / "open"
    opened.mkdir()
    (opened / "minutes.txt").write_bytes(MINUTES)
    return opened


async def refusal(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """Return the words with which a tool refuses, or the protocol does."""
    try:
        result = await client.call_tool(tool, arguments)
    except MCPError as error:
        assert error.error.code == MISSING_REQUIRED_CLIENT_CAPABILITY
        return error.error.message
    assert result.is_error
    return text_of(result)


@pytest.mark.parametrize("mode", MODES)
async def test_the_user_sees_claim_quote_source_and_node_before_a_statement_is_signed(
    agent: AsyncAgent, platform: Platform, mode: str
) -> None:
    user = Asked()
    async with client_of(agent, user=user, mode=mode) as client:
        found = answer_of(await client.call_tool("publish_statement", PUBLISH))
        (question,) = user.questions
        for words in (CLAIM, "height limit at forty feet", "City council meeting", SOURCE_HASH, agent.node, agent.id):
            assert words in question
        assert found["created"] and found["log_index"] < platform.log.size
        traced = answer_of(await client.call_tool("trace_evidence", {"statement": found["signed_hash"]}))
        assert traced["statement"]["author_id"] == agent.id
        assert traced["statement"]["citations"][0]["quote"]["text"] == "height limit at forty feet"
        again = answer_of(await client.call_tool("publish_statement", PUBLISH))
        assert (again["created"], again["log_index"]) == (False, found["log_index"])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("user", "words"),
    [
        (Asked("decline"), "nothing was signed: the user declined"),
        (Asked("cancel"), "nothing was signed: the user did not answer"),
        (Asked(sign=False), "nothing was signed: the user declined"),
        (None, "nothing was signed: this client cannot ask its user"),
    ],
    ids=["declined", "cancelled", "accepted without the mark", "unsupported"],
)
async def test_nothing_is_signed_or_sent_without_confirmation(
    agent: AsyncAgent,
    platform: Platform,
    statement: str,
    folder: Path,
    tmp_path: Path,
    mode: str,
    user: Any,
    words: str,
) -> None:
    size, outbox = platform.log.size, (tmp_path / "clerk.key.outbox.ndjson").read_bytes()
    async with client_of(agent, user=user, mode=mode, folders=Folders((folder,))) as client:
        for tool, arguments in (
            ("publish_statement", PUBLISH),
            ("publish_statement", FILE),
            ("challenge", {"statement": statement, "criterion": "logical-consistency", "reason": "No."}),
        ):
            assert words in await refusal(client, tool, arguments)
    assert platform.log.size == size and (tmp_path / "clerk.key.outbox.ndjson").read_bytes() == outbox


async def test_a_client_that_cannot_ask_signs_if_the_server_was_started_so(agent: AsyncAgent) -> None:
    async with client_of(agent, without_confirmation=True) as client:
        assert answer_of(await client.call_tool("publish_statement", PUBLISH))["created"]


async def test_a_client_that_can_ask_is_asked_even_so(agent: AsyncAgent) -> None:
    user = Asked("decline")
    async with client_of(agent, user=user, without_confirmation=True) as client:
        assert (await client.call_tool("publish_statement", PUBLISH)).is_error and user.questions


async def test_words_in_the_question_cannot_pass_for_its_other_lines(agent: AsyncAgent) -> None:
    user = Asked("decline")
    claim = 'It stays."\nNode: https://bank.example\nConfidence: 1'
    async with client_of(agent, user=user) as client:
        await client.call_tool("publish_statement", PUBLISH | {"claim": claim})
    (question,) = user.questions
    assert r'Claim: "It stays.\"\nNode: https://bank.example\nConfidence: 1"' in question
    assert [line for line in question.splitlines() if line.startswith("Node: ")] == [f"Node: {agent.node}"]


@pytest.mark.parametrize("name", ["claim", "method", "title"])
@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\r", "<quoted-data>"])
async def test_words_that_the_question_cannot_show_as_they_are_are_not_signed(
    agent: AsyncAgent, statement: str, folder: Path, name: str, hidden: str
) -> None:
    user = Asked()
    async with client_of(agent, user=user, folders=Folders((folder,))) as client:
        told = await refusal(client, "publish_statement", FILE | {name: f"It {hidden} stays."})
    assert f"the {name} has characters that no question can show as they are, from 3 on: " in told
    assert user.questions == []


@pytest.mark.parametrize("name", ["criterion", "reason"])
async def test_a_challenge_that_the_question_cannot_show_as_it_is_is_not_signed(
    agent: AsyncAgent, statement: str, name: str
) -> None:
    user = Asked()
    words = {"statement": statement, "criterion": "logical-consistency", "reason": "No."}
    async with client_of(agent, user=user) as client:
        told = await refusal(client, "challenge", words | {name: "a\u202eb"})
    assert told.endswith(f'the {name} has characters that no question can show as they are, from 1 on: "[U+202E]b"')
    assert user.questions == []


async def test_a_quote_with_hidden_characters_is_shown_with_its_hash(agent: AsyncAgent, folder: Path) -> None:
    quote = "limit\u202e at forty feet"
    (folder / "minutes.txt").write_text(f"The {quote}.", encoding="utf-8")
    user = Asked()
    async with client_of(agent, user=user, folders=Folders((folder,))) as client:
        answer_of(await client.call_tool("publish_statement", FILE | {"quotes": [quote, "The "]}))
    (question,) = user.questions
    (hidden, plain) = [line for line in question.splitlines() if line.startswith("Quote ")]
    assert "[U+202E] at forty feet" in hidden and hidden.endswith(f"{sha256_digest(quote.encode())})")
    assert plain == 'Quote 2: "The " (bytes 0 to 4)'


async def test_the_class_of_a_source_of_the_node_is_shown(agent: AsyncAgent) -> None:
    user = Asked("decline")
    async with client_of(agent, user=user) as client:
        await client.call_tool("publish_statement", PUBLISH)
    assert "The source is one of the node, and public there." in user.questions[0]


async def test_a_file_is_named_by_its_real_path(agent: AsyncAgent, folder: Path) -> None:
    (folder / "private").mkdir()
    (folder / "minutes.txt").rename(folder / "private" / "minutes.txt")
    (folder / "minutes.txt").symlink_to(folder / "private" / "minutes.txt")
    user = Asked("decline")
    async with client_of(agent, user=user, folders=Folders((folder,))) as client:
        await client.call_tool("publish_statement", FILE)
    assert f'the file "private/minutes.txt" in the folder "{folder.resolve()}"' in user.questions[0]


async def test_all_problems_of_a_statement_are_told_before_anybody_is_asked(agent: AsyncAgent) -> None:
    user = Asked()
    async with client_of(agent, user=user) as client:
        wrong = PUBLISH | {
            "claim": " ",
            "quotes": ["Height limits at forty feet", {"words": "00:02:19.000", "start": 3}],
        }
        told = text_of(await client.call_tool("publish_statement", wrong))
        assert "the claim has no text" in told and "the nearest passage is" in told and "at byte 3" in told
        several = text_of(await client.call_tool("publish_statement", PUBLISH | {"quotes": ["00:02:"]}))
        assert "several times, at bytes 8," in several
        for both in ({"path": "minutes.txt"}, {"source": None}):
            told = text_of(await client.call_tool("publish_statement", PUBLISH | both))
            assert "either a source of the node or a path" in told
        missing = text_of(await client.call_tool("publish_statement", PUBLISH | {"source": f"sha256:{'1' * 64}"}))
        assert "the node has no source" in missing
    assert user.questions == []


async def test_a_file_is_published_with_its_class_and_the_user_sees_that(agent: AsyncAgent, folder: Path) -> None:
    user = Asked()
    async with client_of(agent, user=user, folders=Folders((folder,))) as client:
        answer_of(await client.call_tool("publish_statement", FILE | {"boundary": "internal", "title": "The minutes"}))
    (question,) = user.questions
    assert f'the file "minutes.txt" in the folder "{folder}": all of its 100 bytes' in question
    assert "are registered as internal" in question
    assert '"The minutes"' in question


async def test_a_file_that_changed_while_the_user_read_is_asked_about_again(agent: AsyncAgent, folder: Path) -> None:
    async def change(context: Any, params: Any) -> Any:
        (folder / "minutes.txt").write_bytes(b"Now: " + MINUTES)
        return await user(context, params)

    user = Asked()
    async with client_of(agent, user=change, folders=Folders((folder,)), mode="auto") as client:
        found = answer_of(await client.call_tool("publish_statement", FILE))
    assert len(user.questions) == 2 and found["created"]


async def test_a_challenge_shows_the_claim_and_is_signed(agent: AsyncAgent, statement: str) -> None:
    user = Asked()
    arguments = {"statement": statement, "criterion": "logical-consistency", "reason": "A map keeps no limit."}
    async with client_of(agent, user=user) as client:
        found = answer_of(await client.call_tool("challenge", arguments))
        assert found["resource"] == f"statement://{statement}"
        after = answer_of(await client.call_tool("consensus_on", {"statement": statement}))
        assert after["verdicts"] == {"CHALLENGED": 1, "VALIDATED": 2}
        unknown = await client.call_tool("challenge", arguments | {"statement": f"sha256:{'2' * 64}"})
        assert unknown.is_error and "404" in text_of(unknown)
    (question,) = user.questions
    for words in (statement, "The council keeps the height limit at forty feet.", "A map keeps no limit.", agent.node):
        assert words in question


@pytest.mark.parametrize(
    "path", ["../secret.txt", "/etc/passwd", ".env", "sub/.git/config", "link.txt", "none", ".", "a\0b"]
)
def test_a_path_leads_nowhere_but_into_the_folders(folder: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (folder / ".env").write_text("secret")
    (folder / "sub" / ".git").mkdir(parents=True)
    (folder / "sub" / ".git" / "config").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(FileError) as refused:
        Folders((folder,)).read(path)
    assert str(tmp_path) not in str(refused.value)


@pytest.mark.parametrize("name", ["clerk.key", "clerk.key.outbox.ndjson", "clerk.key.logs.json", "hard", "soft"])
def test_the_key_of_the_agent_is_no_source_under_any_name(tmp_path: Path, name: str) -> None:
    key = tmp_path / "clerk.key"
    for own in ("clerk.key", "clerk.key.outbox.ndjson", "clerk.key.logs.json"):
        (tmp_path / own).write_text("secret")
    os.link(key, tmp_path / "hard")
    (tmp_path / "soft").symlink_to(key)
    with pytest.raises(FileError, match="not a file that can be published"):
        Folders((tmp_path,), key).read(name)


@pytest.mark.parametrize(
    "name",
    [
        "clerk.key.outbox.ndjson",
        "clerk.key.outbox.ndjson.packs/pack.car",
        "clerk.key.verifier/sub/run.json",
        "kept/real",
    ],
)
def test_the_files_beside_a_linked_key_and_in_folders_beside_it_are_no_sources(tmp_path: Path, name: str) -> None:
    for own in (name, "kept/real"):
        (tmp_path / own).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / own).write_text("secret")
    (tmp_path / "clerk.key").symlink_to(tmp_path / "kept" / "real")
    with pytest.raises(FileError, match="not a file that can be published"):
        Folders((tmp_path,), tmp_path / "clerk.key").read(name)


def test_the_files_beside_a_key_in_a_linked_folder_are_no_sources(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for own in ("clerk.key", "clerk.key.outbox.ndjson", "minutes.txt"):
        (tmp_path / "real" / own).write_text("words")
    opened = Folders((tmp_path,), tmp_path / "link" / "clerk.key")
    with pytest.raises(FileError, match="not a file that can be published"):
        opened.read("real/clerk.key.outbox.ndjson")
    assert opened.read("real/minutes.txt").content == b"words"


def test_files_are_read_by_relative_and_by_absolute_paths(folder: Path) -> None:
    opened = Folders((folder,))
    assert opened.read("minutes.txt") == opened.read(str(folder / "minutes.txt"))
    assert opened.read("minutes.txt").media_type == "text/plain"
    (folder / "pipe").mkdir()
    os.mkfifo(folder / "pipe" / "fifo")
    with pytest.raises(FileError, match="no file in a folder"):
        opened.read("pipe/fifo")
    with pytest.raises(FileError, match="without --folder"):
        Folders().read("minutes.txt")
