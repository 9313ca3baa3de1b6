"""The relational copy in PostgreSQL: what is in it, that it stays current however it ends, and what it refuses."""

import asyncio
import json
import signal
import traceback
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg
import pytest
import pytest_asyncio
from builders import segment, signed_source, signed_statement, source_redaction_message
from cli_runner import Process, Run, a2ap, running
from export_world import SECRET, WORDS_ABOUT_SECRET, add_secrets, everything
from hypothesis import given
from hypothesis import strategies as st
from platform_fixture import platform
from postgresql_fixture import asked, database, drop_schemas, dumped, postgresql
from scenario import AUTHOR, STRANGER, accept, pieces, settle
from served import served
from servers import server_on

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.log.growing_root import GrowingRoot
from a2ap.log.merkle import hash_leaf, root_hash
from a2ap.messages.evidence import ByteRange
from graph.dictionary.term import Kind
from graph.mirror.database import check_database_url, open_database
from graph.mirror.errors import MirrorError
from graph.mirror.following import catch_up
from graph.mirror.original import LocalOriginal, LogHead, RemoteOriginal
from graph.mirror.staging import sql_value
from graph.mirror.state import MirrorState, prepare
from graph.mirror.step import check_head
from graph.mirror.tables import mirror_tables
from graph.platform import Platform
from graph.settings import Settings
from graph.store import Store

__all__ = ["a2ap", "database", "platform", "postgresql"]

ALL = max(Boundary, key=lambda boundary: boundary.rank)
TOKEN = "the operator of these tests"
SCORES = """SELECT signed_hash, consensus_score, verified FROM statements WHERE consensus_score <> 0 OR verified"""
SCORES_THEN = """SELECT signed_hash, consensus_score, verified FROM (
    SELECT DISTINCT ON (signed_hash) * FROM statement_scores WHERE log_size <= {size}
    ORDER BY signed_hash, log_size DESC
) past WHERE consensus_score <> 0 OR verified"""


async def mirror(platform: Platform, url: str, schema: str, *, clearance: Boundary = ALL) -> None:
    """Bring a mirror without scores over time up to where the log is."""
    original = LocalOriginal(platform.store, platform.content, clearance)
    async with open_database(url, schema) as connection:
        await prepare(connection, schema, clear=False)
        await catch_up(connection, original, 50_000, with_scores=False)


async def told(process: Process, pattern: str) -> None:
    """Wait for a line of a command that talks to a platform of this process."""
    await asyncio.to_thread(process.wait_for, pattern)


@dataclass(slots=True)
class Mirrored:
    """A platform that was mirrored into the schema `mirror_steps` as its log grew, and the scores at some sizes."""

    platform: Platform
    url: str
    address: str
    scores: dict[int, set[tuple[object, ...]]] = field(default_factory=dict)


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def mirrored(
    module_store: Store, postgresql: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Mirrored]:
    """Yield a platform with everything in it, and its mirror, in steps of few entries."""
    data = tmp_path_factory.mktemp("mirrored")
    drop_schemas(postgresql)
    async with (
        server_on(module_store, data, settings=Settings(data=data, operator_token=TOKEN)) as platform,
        served(platform) as address,
        open_database(postgresql, "mirror_steps") as connection,
    ):
        original = RemoteOriginal(address, TOKEN, None)
        await prepare(connection, "mirror_steps", clear=False)
        made = Mirrored(platform, postgresql, address)

        async def step() -> None:
            state = await catch_up(connection, original, 50)
            assert state is not None
            made.scores[state.log_size] = set(asked(postgresql, SCORES, "mirror_steps"))

        await everything(platform, step)
        await add_secrets(platform)
        await step()
        await connection.close()
        yield made
    drop_schemas(postgresql)


async def test_a_mirror_that_is_killed_comes_to_the_same(mirrored: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of steps, of one run that nobody disturbs, and of a process that was killed in the middle of a step.

    The node gives scores of some entries at a time.
    """
    monkeypatch.setattr("graph.http.scores.MOST_ENTRIES", 20)
    options = ("--to", mirrored.url, "--url", mirrored.address, "--token", TOKEN, "--schema", "mirror_killed")
    with running("mirror", *options, "--entries", 5) as process:
        await told(process, "rows; the tables are of 10 entries")
        process.popen.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.popen.wait)
    (reached,) = asked(mirrored.url, "SELECT log_size FROM mirror", "mirror_killed")[0]
    assert 0 < int(str(reached)) < mirrored.platform.log.size
    with running("mirror", *options) as process:
        await told(process, f"mirror_killed is of {mirrored.platform.log.size} entries")
    async with open_database(mirrored.url, "mirror_once") as connection:
        await prepare(connection, "mirror_once", clear=False)
        await catch_up(connection, RemoteOriginal(mirrored.address, TOKEN, None), 50_000)
    once = dumped(mirrored.url, "mirror_once")
    assert dumped(mirrored.url, "mirror_killed") == once
    assert dumped(mirrored.url, "mirror_steps") == once
    assert all(content for name, content in once.items())
    await mirror(mirrored.platform, mirrored.url, "mirror_here")
    here = dumped(mirrored.url, "mirror_here")
    aside = {"mirror", "statement_scores", "agent_scores"}
    assert {name: rows for name, rows in here.items() if name not in aside} == {
        name: rows for name, rows in once.items() if name not in aside
    }


async def test_scores_are_found_beside_who_asks(mirrored: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    await accept(mirrored.platform, signed_statement(STRANGER, claim="Something more."))
    size = mirrored.platform.log.size
    monkeypatch.setattr("graph.http.scores.PATIENCE", 0.0)
    async with httpx.AsyncClient(base_url=mirrored.address, trust_env=False) as client:
        early = await client.get("/scores", params={"since": size - 1})
        assert (early.status_code, early.json()["code"], early.headers["retry-after"]) == (503, "NOT_READY", "1")
        changes = [one async for one in RemoteOriginal(mirrored.address, None, None).scores(size - 1, size)]
        assert all(change.log_size == size for change in changes)
        monkeypatch.setattr("graph.http.scores.MOST_ENTRIES", 20)
        head, *rows = (await client.get("/scores", params={"since": 0})).text.splitlines()
        assert json.loads(head)["scores"] == {"v": 1, "since": 0, "logSize": 20}
        assert all(0 < json.loads(row)["logSize"] <= 20 for row in rows)
        none = await client.get("/scores", params={"since": size, "size": size})
        assert (none.status_code, none.headers["a2ap-log-size"]) == (200, str(size))


async def test_scores_over_time_are_those_that_the_graph_had(mirrored: Mirrored) -> None:
    assert len(mirrored.scores) > 5
    assert len({frozenset(scores) for scores in mirrored.scores.values()}) >= 3
    for size, scores in mirrored.scores.items():
        assert set(asked(mirrored.url, SCORES_THEN.format(size=size), "mirror_steps")) == scores, size
    now = "SELECT agent_id, reputation, verdicts_right, verdicts_wrong, estimated_accuracy FROM {}"
    agents = set(asked(mirrored.url, now.format("agents") + " WHERE reputation <> 0.5", "mirror_steps"))
    last = "(SELECT DISTINCT ON (agent_id) * FROM agent_scores ORDER BY agent_id, log_size DESC) last"
    assert agents
    assert agents <= set(asked(mirrored.url, now.format(last), "mirror_steps"))


async def test_every_reader_gets_a_mirror_of_its_own(mirrored: Mirrored) -> None:
    words = (SECRET.encode(), WORDS_ABOUT_SECRET.encode())
    everything_there = b"".join(dumped(mirrored.url, "mirror_steps").values())
    assert all(word in everything_there for word in words)
    anybody, operator = (RemoteOriginal(mirrored.address, token, None) for token in (None, TOKEN))
    async with open_database(mirrored.url, "mirror_public") as connection:
        await prepare(connection, "mirror_public", clear=False)
        await catch_up(connection, anybody, 50_000, with_scores=False)
        public = b"".join(dumped(mirrored.url, "mirror_public").values())
        assert b"There is a memo." in public
        assert not any(word in public for word in words)
        await accept(mirrored.platform, signed_statement(STRANGER, claim="One more."))
        said = f"this mirror is for readers cleared for public, and this one is cleared for {ALL.value}"
        with pytest.raises(MirrorError, match=said):
            await catch_up(connection, operator, 50_000, with_scores=False)
    options = ("--to", mirrored.url, "--url", mirrored.address, "--schema", "mirror_public", "--without-scores")
    with running("mirror", *options, "--token", TOKEN, "--clear") as process:
        await told(process, "mirror_public is of")
    assert all(word in b"".join(dumped(mirrored.url, "mirror_public").values()) for word in words)


async def test_every_table_and_column_says_what_it_is(mirrored: Mirrored) -> None:
    query = """SELECT c.relname, a.attname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum >= 0 OR a.attnum = 0
        WHERE n.nspname = 'mirror_steps' AND c.relkind = 'r' AND NOT a.attisdropped
          AND (col_description(c.oid, a.attnum) IS NULL OR obj_description(c.oid) IS NULL)"""
    assert asked(mirrored.url, query, "mirror_steps") == []
    assert all(table.key and table.meaning for table in mirror_tables())


async def test_what_is_erased_or_becomes_stricter_leaves_the_mirror(platform: Platform, database: str) -> None:
    text, memo = b"Name: somebody. The rest stays.", b"Only for those who may."
    await settle(platform)
    for number, (source, quote) in enumerate(((text, "Name: somebody."), (memo, memo.decode()))):
        name = f"urn:doc:test:{number}"
        await accept(platform, signed_source(AUTHOR, source=source, source_id=name))
        await platform.sources.put(sha256_digest(source), pieces(source))
        cited = segment(quote, source=source, source_id=name)
        await accept(platform, signed_statement(AUTHOR, claim=f"Claim {number}.", evidence=[cited]))
    await mirror(platform, database, "mirror_public", clearance=Boundary.PUBLIC)
    before = b"".join(dumped(database, "mirror_public").values())
    assert b"somebody" in before
    assert memo in before
    erasure = source_redaction_message(
        sha256_digest(text),
        redacting_agent=platform.node.agent_id,
        byte_ranges=[ByteRange(6, 14)],
        redacted_document_hash=sha256_digest(text[:6] + b" " * 8 + text[14:]),
    )
    stricter = signed_source(STRANGER, source=memo, source_id="urn:doc:test:1", boundary=Boundary.CONFIDENTIAL)
    await accept(platform, platform.node.sign(erasure).envelope.received, stricter)
    await mirror(platform, database, "mirror_public", clearance=Boundary.PUBLIC)
    after = b"".join(dumped(database, "mirror_public").values())
    assert b"somebody" not in after
    assert memo not in after


async def test_a_mirror_follows_the_log_and_stops_when_asked(platform: Platform, database: str) -> None:
    await settle(platform)
    async with served(platform) as address:
        options = ("--to", database, "--url", address, "--without-scores", "--follow", "--every", 0.1)
        with running("mirror", *options) as process:
            await told(process, f"the tables are of {platform.log.size} entries")
            with running("mirror", *options) as second:
                await told(second, "another mirror writes the schema 'a2ap' of this database")
            await accept(platform, signed_statement(AUTHOR, claim="Something new."))
            await told(process, f"the tables are of {platform.log.size} entries")
            assert await asyncio.to_thread(process.stop, signal.SIGTERM) == 0
    assert ("Something new.",) in asked(database, "SELECT claim_text FROM statements")
    for change, said in (
        (
            "UPDATE mirror SET subtrees = array_fill('00'::text || repeat('0', 62), ARRAY[cardinality(subtrees)])",
            "the log was rewritten: it does not begin with the",
        ),
        (
            "UPDATE mirror SET log_size = 1000, subtrees = subtrees[:1] || array_fill(subtrees[1], ARRAY[5])",
            "entries, and had 1000: it was rewritten, or is an old copy",
        ),
        ("UPDATE mirror SET log = 'urn:agent:another'", "this mirror is of the log of urn:agent:another, not of"),
        ("UPDATE mirror SET tables = 'others'", "are of another version; --clear makes them anew"),
    ):
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(f"SET search_path TO a2ap; {change}".encode())
        await accept(platform, signed_statement(AUTHOR, claim=said))
        with pytest.raises(MirrorError, match=said):
            await mirror(platform, database, "a2ap", clearance=Boundary.PUBLIC)
    assert "rewritten" not in b"".join(dumped(database, "a2ap").values()).decode()


def test_a_log_that_has_not_grown_is_compared_as_well() -> None:
    tree = GrowingRoot()
    for leaf in (b"one", b"two", b"three"):
        tree.add(hash_leaf(leaf))
    state = MirrorState("urn:agent:node", tree.size, tree.roots, Boundary.PUBLIC)
    check_head(state, LogHead("urn:agent:node", 3, tree.root, None))
    check_head(None, LogHead("urn:agent:node", 3, tree.root, None))
    with pytest.raises(MirrorError, match="does not begin with the 3 entries that are here"):
        check_head(state, LogHead("urn:agent:node", 3, hash_leaf(b""), None))


@given(st.lists(st.binary(max_size=4), max_size=40), st.integers(0, 40))
def test_a_tree_grows_to_the_root_of_all_its_leaves(leaves: list[bytes], cut: int) -> None:
    hashes = [hash_leaf(leaf) for leaf in leaves]
    first = GrowingRoot()
    for leaf in hashes[:cut]:
        first.add(leaf)
    second = GrowingRoot(first.size, first.roots)
    for leaf in hashes[cut:]:
        second.add(leaf)
    assert (second.size, second.root) == (len(hashes), root_hash(hashes))


@given(st.lists(st.text(st.characters(codec=None)), max_size=3))
def test_what_is_no_text_for_postgresql_becomes_a_sign_of_that(texts: list[str]) -> None:
    for before, after in zip(texts, sql_value(texts, Kind.TEXTS), strict=True):
        assert "\x00" not in after
        assert len(after) == len(before)
        assert all(new in (old, "\ufffd") for old, new in zip(before, after.encode().decode(), strict=True))


def test_postgresql_keeps_any_text_that_is_one(database: str) -> None:
    texts = [chr(code) for code in (*range(1, 256), 0x2028, 0xFEFF, 0xFFFF, 0x1F3DB, 0x10FFFF)]
    texts += ["a\tb\\N\nc\r", "\\.", "", '{"}', "NULL", "\ud800x\x00"]
    with psycopg.connect(database) as connection:
        connection.execute("CREATE TEMPORARY TABLE texts (position int, text text, list text[])")
        with connection.cursor().copy("COPY texts FROM STDIN") as copy:
            for number, text in enumerate(texts):
                copy.write_row((number, sql_value(text, Kind.TEXT), sql_value([text, ""], Kind.TEXTS)))
        found = connection.execute("SELECT text, list FROM texts ORDER BY position").fetchall()
    assert found[:-1] == [(text, [text, ""]) for text in texts[:-1]]
    assert found[-1] == ("\ufffdx\ufffd", ["\ufffdx\ufffd", ""])


def test_nothing_says_the_password(a2ap: Run, tmp_path: Path) -> None:
    url = "postgresql://somebody:open-sesame@127.0.0.1:1/none"
    ended = a2ap("mirror", "--to", url, "--data", tmp_path, status=1)
    assert ended.only_error.startswith("a2ap: the database: ")
    assert "sesame" not in ended.err
    ended = a2ap("mirror", "--to", "mysql://somebody:open-sesame@host/none", "--data", tmp_path, status=1)
    assert ended.only_error == "a2ap: --to is not an address postgresql://…"


@pytest.mark.parametrize(
    "behind",
    [
        "u:pa%zzsesame@127.0.0.1:1/none",
        "u:sesame@[::1]x/none",
        "u:open sesame@127.0.0.1:1/none",
        "u:open%00sesame@127.0.0.1:1/none",
        "u:open@sesame@127.0.0.1:1/none",
        "u:sesame/open@127.0.0.1:1/none",
        "u:1/sesame@127.0.0.1:1/none",
        "u:open?sesame=@127.0.0.1:1/none",
        "127.0.0.1:1?password=open@sesame",
        "u:sesame",
        "u:sesame@127.0.0.1:sesame/none",
        "u:sesame\udcff@127.0.0.1:1/none",
    ],
)
async def test_an_address_that_cannot_be_read_is_not_said(behind: str) -> None:
    with pytest.raises(MirrorError, match="percent-encoded") as caught:
        async with open_database(f"postgresql://{behind}", "a2ap"):
            pass
    assert "sesame" not in "".join(traceback.format_exception(caught.value.with_traceback(None)))


@pytest.mark.parametrize(
    "behind", ["", "/name", "u%40x:p%40s%2Fs%25@[::1]:5432,host.example:5433/name?sslmode=require", "/n?host=/var/run"]
)
def test_an_address_that_libpq_reads_is_taken(behind: str) -> None:
    check_database_url(f"postgresql://{behind}")
    check_database_url(f"postgres://{behind}")


def test_without_psycopg_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, a2ap: Run, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    ended = a2ap("mirror", "--to", "postgresql://localhost/none", "--data", tmp_path, status=1)
    assert ended.only_error == "a2ap: a mirror needs psycopg: install a2ap with the extra `postgresql`"


def test_a_table_of_somebody_else_is_left_alone(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA mirror_of_others; CREATE TABLE mirror_of_others.agents (name text)")

    async def begin() -> None:
        async with open_database(database, "mirror_of_others") as connection:
            await prepare(connection, "mirror_of_others", clear=False)

    check_database_url(database)
    with pytest.raises(MirrorError, match="agents"):
        asyncio.run(begin())
