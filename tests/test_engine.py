"""The embedded engine's life: shared, stopped by the last one out, and whole after every kill."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from engine_user import queries
from neo4j import AsyncGraphDatabase
from neo4j.exceptions import ClientError
from quick_java import QUICK

from graph.database.endpoint import Endpoint
from graph.engine.engine import embedded_engine
from graph.engine.files import EngineFolder, Running
from graph.engine.process import check_platform, command_line, start_time
from graph.engine.start import EngineOptions, find_engine, start_engine
from graph.errors import QueryTimeoutError, StoreUnavailableError
from graph.settings import Settings
from graph.store import connect_store, open_store

HEAP = "256m"
COMMAND = Path(__file__).with_name("engine_user.py")


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """Yield a data folder; an engine that a test leaves behind is killed."""
    yield tmp_path / "data"
    running = EngineFolder(tmp_path / "data" / "engine").running()
    if running is not None and start_time(running.pid) == running.started:
        os.kill(running.pid, signal.SIGKILL)


class User:
    """Another command that uses the engine of a folder."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(COMMAND), str(data), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(COMMAND.parent.parent)},
        )

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def ready(self) -> int:
        """Wait until it uses the engine, and return the engine's pid."""
        pid = int(self.line())
        assert self.line() == "ready"
        return pid

    def rest(self) -> list[str]:
        assert self.process.stdout is not None
        return self.process.stdout.read().split()

    def leave(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(timeout=120)


def published(data: Path) -> Running:
    running = EngineFolder(data / "engine").running()
    assert running is not None
    return running


def is_alive(running: Running) -> bool:
    return start_time(running.pid) == running.started


def wait_until_gone(running: Running) -> None:
    deadline = time.monotonic() + 20
    while is_alive(running):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def free_ports() -> tuple[int, int]:
    with socket.socket() as first, socket.socket() as second:
        for one in (first, second):
            one.bind(("127.0.0.1", 0))
        return first.getsockname()[1], second.getsockname()[1]


async def source_ids(data: Path) -> set[str]:
    async with (
        embedded_engine(data, heap=HEAP, java_options=QUICK) as endpoint,
        connect_store(endpoint, queries=queries) as store,
    ):
        return {row["id"] for row in await store.read("ids")}


async def test_the_last_one_out_stops_the_engine(data: Path) -> None:
    async with embedded_engine(data, heap=HEAP, java_options=QUICK) as endpoint:
        first = published(data)
        async with embedded_engine(data, heap=HEAP, java_options=QUICK) as again:
            assert again == endpoint
            assert published(data) == first
        assert is_alive(first)
    assert not is_alive(first)
    assert EngineFolder(data / "engine").running() is None


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Path, Endpoint]]:
    """Yield the data folder and the endpoint of an engine for the tests that only look at it."""
    data = tmp_path_factory.mktemp("shared") / "data"
    async with embedded_engine(data, heap=HEAP, java_options=QUICK) as endpoint:
        yield data, endpoint


async def test_its_files_are_its_owner_s_alone(shared: tuple[Path, Endpoint]) -> None:
    data, endpoint = shared
    folder = data / "engine"
    assert folder.stat().st_mode & 0o777 == data.stat().st_mode & 0o777 == 0o700
    for file in (path for path in folder.rglob("*") if path.is_file()):
        assert file.stat().st_mode & 0o077 == 0, file
    assert len(endpoint.password) >= 32
    shown = subprocess.run(
        ["ps", "-ww", "-o", "args=", "-p", str(published(data).pid)], capture_output=True, text=True, check=True
    )
    assert "ArcadeDBServer" in shown.stdout
    assert endpoint.password not in shown.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="/proc/net lists the sockets on Linux only")
def test_it_listens_on_the_loopback_only(shared: tuple[Path, Endpoint]) -> None:
    running = published(shared[0])
    net = Path(f"/proc/{running.pid}/net")
    sockets = [line.split() for name in ("tcp", "tcp6") for line in (net / name).read_text().splitlines()]
    listening = {f"socket:[{fields[9]}]": fields[1] for fields in sockets if fields[3] == "0A"}
    own = set()
    for link in Path(f"/proc/{running.pid}/fd").iterdir():
        with suppress(OSError):
            own.add(os.readlink(link))
    addresses = [listening[name].split(":") for name in own if name in listening]
    assert {int(port, 16) for _, port in addresses} == {running.bolt_port, running.http_port}
    assert all(host.endswith("0100007F") for host, _ in addresses)


def test_it_offers_no_mcp(shared: tuple[Path, Endpoint]) -> None:
    _, endpoint = shared
    for path in ("mcp", "mcp/config"):
        answer = httpx.post(
            f"{endpoint.http_url}/api/v1/{path}",
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
            auth=(endpoint.user, endpoint.password),
        )
        assert answer.status_code == 404


async def test_its_reader_reads_and_cannot_write(shared: tuple[Path, Endpoint]) -> None:
    _, endpoint = shared
    assert endpoint.reader_user and endpoint.reader_password
    auth = (endpoint.reader_user, endpoint.reader_password)
    async with (
        connect_store(endpoint, queries=queries) as store,
        AsyncGraphDatabase.driver(endpoint.uri, auth=auth) as driver,
    ):
        await store.write(lambda transaction: transaction.run("create", id="a"))
        found = await driver.execute_query("MATCH (s:Source) RETURN s.source_id AS id", database_="a2ap")
        assert [record["id"] for record in found.records] == ["a"]
        for query in (
            "CREATE (:Source {source_id: 'b'})",
            "MERGE (s:Source {source_id: 'b'})",
            "MATCH (s:Source) SET s.title = 'x'",
            "MATCH (s:Source) REMOVE s.source_id",
            "MATCH (s:Source) DETACH DELETE s",
            "MATCH (s:Source) CREATE (s)-[:PART_OF]->(s)",
            "CREATE (:Unheard)",
            "CREATE INDEX by_title IF NOT EXISTS FOR (s:Source) ON (s.title)",
            "LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line",
            "LOAD CSV FROM 'http://127.0.0.1/' AS line RETURN line",
        ):
            with pytest.raises(ClientError):
                await driver.execute_query(query, database_="a2ap")
        refused = httpx.post(
            f"{endpoint.http_url}/api/v1/command/a2ap",
            json={"language": "sql", "command": "DELETE FROM Source"},
            auth=auth,
        )
        assert refused.is_error
        assert await store.read("ids") == [{"id": "a"}]


async def test_a_query_that_takes_too_long_is_given_up(data: Path) -> None:
    async with (
        embedded_engine(data, heap=HEAP, timeout=1, java_options=QUICK) as endpoint,
        connect_store(endpoint, queries=queries) as store,
    ):
        with pytest.raises(QueryTimeoutError, match="endless"):
            await store.read("endless")
        assert await store.read("ids") == []


async def test_without_a_server_the_settings_open_the_embedded_engine(data: Path) -> None:
    settings = Settings(data=data, engine_heap=HEAP, engine_options=QUICK)
    async with open_store(settings) as store:
        assert store.kind == "embedded"
        running = published(data)
    assert not is_alive(running)


async def test_commands_that_start_at_once_share_one_engine(data: Path) -> None:
    users = [User(data) for _ in range(4)]
    pids = {user.ready() for user in users}
    running = published(data)
    assert pids == {running.pid}
    log = EngineFolder(data / "engine").log
    assert log.read_text().count("is starting up") == 1
    assert not log.with_suffix(".log.before").exists()
    for user in users:
        assert is_alive(running)
        assert user.leave() == 0
    assert not is_alive(running)


async def test_what_a_killed_command_had_acknowledged_is_there(data: Path) -> None:
    writer = User(data, "write")
    pid = writer.ready()
    acknowledged = [writer.line() for _ in range(100)]
    writer.process.kill()
    acknowledged += writer.rest()
    writer.process.wait()
    running = published(data)
    assert is_alive(running)
    async with (
        embedded_engine(data, heap=HEAP, java_options=QUICK) as endpoint,
        connect_store(endpoint, queries=queries) as store,
    ):
        assert published(data).pid == pid
        found = {row["id"] for row in await store.read("ids")}
    assert found >= set(acknowledged)
    assert len(found) <= len(acknowledged) + 1
    assert not is_alive(running)


async def test_what_a_killed_engine_had_acknowledged_is_there_and_its_users_go_on(data: Path) -> None:
    writer = User(data, "write")
    writer.ready()
    acknowledged = [writer.line() for _ in range(100)]
    async with (
        embedded_engine(data, heap=HEAP, java_options=QUICK) as endpoint,
        connect_store(endpoint, queries=queries) as store,
    ):
        killed = published(data)
        os.kill(killed.pid, signal.SIGKILL)
        deadline = time.monotonic() + 60
        while published(data) == killed:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)
        # The writer may go on with the new engine, or have ended with a write that it cannot be sure of.
        writer.process.kill()
        acknowledged += writer.rest()
        writer.process.wait()
        while True:
            with suppress(StoreUnavailableError):
                found = {row["id"] for row in await store.read("ids")}
                break
            assert time.monotonic() < deadline
        revived = published(data)
        assert revived.pid != killed.pid
        assert (revived.bolt_port, revived.http_port) == (killed.bolt_port, killed.http_port)
    assert found >= set(acknowledged)
    assert len(found) <= len(acknowledged) + 2  # what was on its way when the engine, and then the writer, was killed


async def test_the_next_command_starts_an_engine_that_was_killed_with_all_its_users(data: Path) -> None:
    writer = User(data, "write")
    writer.ready()
    acknowledged = [writer.line() for _ in range(20)]
    writer.process.kill()
    acknowledged += writer.rest()
    writer.process.wait()
    os.kill(published(data).pid, signal.SIGKILL)
    assert await source_ids(data) >= set(acknowledged)


async def test_an_engine_whose_command_was_killed_while_starting_it_is_replaced(data: Path) -> None:
    user = User(data)
    started = data / "engine" / "pid"
    deadline = time.monotonic() + 60
    while not (started.exists() and started.read_text().strip()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    user.process.kill()
    user.process.wait()
    left = int(started.read_text())
    assert start_time(left) is not None
    async with embedded_engine(data, heap=HEAP, java_options=QUICK):
        assert published(data).pid != left
        assert start_time(left) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"pid": 1}', '{"pid": 1, "started": "1", "bolt_port": 1, "http_port": 1, "x": 1}']
)
def test_what_cannot_be_read_as_published_is_not_believed(data: Path, text: str) -> None:
    folder = EngineFolder.create(data)
    (folder.path / "engine.json").write_text(text)
    assert folder.running() is None
    assert find_engine(folder, threading.Event()) is None


async def test_a_pid_that_another_process_got_is_left_alone(data: Path) -> None:
    bystander = subprocess.Popen(["sleep", "600"])
    try:
        EngineFolder.create(data).publish(Running(bystander.pid, "1", *free_ports()))
        async with embedded_engine(data, heap=HEAP, java_options=QUICK):
            assert published(data).pid != bystander.pid
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


async def test_an_engine_that_does_not_answer_is_replaced_when_nobody_uses_it(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.engine.start._FOUND_PATIENCE", 0.5)
    monkeypatch.setattr("graph.engine.process._STOP_PATIENCE", 0.5)
    user = User(data)
    user.ready()
    stuck = published(data)
    os.kill(stuck.pid, signal.SIGSTOP)
    with pytest.raises(StoreUnavailableError, match="is in use and does not answer"):
        async with embedded_engine(data, heap=HEAP, java_options=QUICK):
            pass
    assert is_alive(stuck)
    user.process.kill()
    user.process.wait()
    async with embedded_engine(data, heap=HEAP, java_options=QUICK):
        assert published(data).pid != stuck.pid
    assert not is_alive(stuck)


async def test_ctrl_c_stops_the_engine_in_good_order_and_only_with_the_last(data: Path) -> None:
    first, second = User(data), User(data)
    first.ready()
    second.ready()
    running = published(data)
    os.killpg(first.process.pid, signal.SIGINT)
    first.process.wait(timeout=60)
    assert is_alive(running)
    os.killpg(second.process.pid, signal.SIGINT)
    second.process.wait(timeout=60)
    assert not is_alive(running)
    assert "ArcadeDB Server is down" in EngineFolder(data / "engine").log.read_text()


async def test_a_start_that_is_cancelled_leaves_no_engine(data: Path) -> None:
    async def use() -> None:
        async with embedded_engine(data, heap=HEAP, java_options=QUICK):
            await asyncio.sleep(600)

    task = asyncio.create_task(use())
    started = data / "engine" / "pid"
    while not (started.exists() and started.read_text().strip()):
        await asyncio.sleep(0.01)
    pid = int(started.read_text())
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert start_time(pid) is None
    assert await source_ids(data) == set()


async def test_a_second_engine_on_the_same_folder_is_refused(data: Path) -> None:
    async with (
        embedded_engine(data, heap=HEAP, java_options=QUICK) as endpoint,
        connect_store(endpoint, queries=queries) as store,
    ):
        folder = EngineFolder(data / "engine")
        with pytest.raises(StoreUnavailableError, match="another engine runs on"):
            await asyncio.to_thread(start_engine, folder, EngineOptions(HEAP), threading.Event())
        # The engine itself refuses as well, for those who start it by other means.
        command = command_line(folder, 1, 2, heap=HEAP, timeout=60)
        command = [word.replace("bolt.port=1", "bolt.port=0").replace("Port=2", "Port=0") for word in command]
        second = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=data)
        assert second.returncode != 0 or "lock" in (second.stdout + second.stderr).lower()
        assert await store.read("ids") == []
        assert find_engine(folder, threading.Event()) == published(data)


async def test_a_lost_password_is_made_anew(data: Path) -> None:
    async with embedded_engine(data, heap=HEAP, java_options=QUICK) as before:
        pass
    for name in ("root", "reader"):
        (data / "engine" / f"{name}.password").unlink()
    async with embedded_engine(data, heap=HEAP, java_options=QUICK) as after:
        assert after.password != before.password
        assert after.reader_user and after.reader_password != before.reader_password
        auth = (after.reader_user, after.reader_password or "")
        async with AsyncGraphDatabase.driver(after.uri, auth=auth) as driver:
            await driver.execute_query("RETURN 1 AS one", database_="a2ap")


async def test_an_engine_that_cannot_start_says_where_it_says_why(data: Path) -> None:
    with pytest.raises(StoreUnavailableError, match=r"does not start; it says why in .*engine\.log$"):
        async with embedded_engine(data, heap="1m"):
            pass
    assert "heap" in EngineFolder(data / "engine").log.read_text()


async def test_a_data_folder_that_cannot_be_used_is_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnavailableError, match="cannot hold the engine"):
        async with embedded_engine(tmp_path / "file"):
            pass


def test_windows_is_said_to_be_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    with pytest.raises(StoreUnavailableError, match="not supported on Windows"):
        check_platform()
