"""No space left: what is said of it, and that everything acknowledged before and after is there."""

import asyncio
import resource
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from builders import signed_registration, signed_source
from cli_runner import PATIENCE, environment, serving
from scenario import AUTHOR, OPERATOR_A, STRANGER, VERIFIER_A

from a2ap.canonical import sha256_digest
from graph.content.space import Space
from graph.database.endpoint import Endpoint
from graph.errors import QueryError, StorageFullError
from graph.store import Store

pytestmark = pytest.mark.both_engines

MUTATION = "mutation ($d: String!) { registerAgent(document: $d) { __typename ... on Problem { code message } } }"
LONG = b"a line of a long source\n" * 100_000


def test_a_server_without_space_says_so_loses_nothing_and_goes_on(
    tmp_path: Path, engine: Endpoint, store: Store
) -> None:
    """The system refuses each longer file to the server, as it does where a disk, or a quota, is full."""
    neo4j = {"NEO4J_URI": engine.uri, "NEO4J_USER": engine.user, "NEO4J_PASSWORD": engine.password}
    variables = neo4j if engine.kind == "neo4j" else {}
    with (
        serving(tmp_path / "data", **variables) as (process, address),
        httpx.Client(base_url=address, timeout=PATIENCE, trust_env=False) as client,
    ):
        first = client.post("/agents", content=signed_registration(AUTHOR))
        client.post("/sources", content=signed_source(AUTHOR, source=LONG))
        put = f"/sources/{sha256_digest(LONG)}"

        limit(process.popen.pid, 16)
        refused = [
            client.put(put, content=LONG),
            client.post("/agents", content=signed_registration(VERIFIER_A)),
            client.get("/readyz"),
        ]
        assert [answer.status_code for answer in refused] == [507] * 3
        for answer in refused:
            assert answer.json()["code"] == "STORAGE_FULL"
            assert answer.json()["title"] == "This node has no space left to write it"
            assert answer.headers["retry-after"] == "60" and str(tmp_path) not in answer.text
        told = client.post(
            "/graphql", json={"query": MUTATION, "variables": {"d": signed_registration(OPERATOR_A).decode()}}
        ).json()["data"]["registerAgent"]
        assert (told["__typename"], told["code"]) == ("TryLater", "STORAGE_FULL")
        assert (
            client.post("/agents", content=signed_registration(AUTHOR)).json()["logIndex"] == first.json()["logIndex"]
        )

        limit(process.popen.pid, resource.RLIM_INFINITY)
        assert client.put(put, content=LONG).status_code == 201
        assert client.post("/agents", content=signed_registration(VERIFIER_A)).status_code == 201
        assert client.get("/readyz").status_code == 200
        assert client.get(put).content == LONG
        assert client.post("/agents", content=signed_registration(STRANGER)).status_code == 201
        process.stop()
        process.wait_for("^stopped$")
    assert not [line for line in process.lines if "Traceback" in line]


def limit(process: int, size: int) -> None:
    """Let a process write no file beyond a size, in bytes."""
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


async def test_readiness_remembers_a_refusal_until_something_is_written(tmp_path: Path) -> None:
    space = Space(tmp_path)
    space.check()
    refused = StorageFullError("the bucket is full")
    assert space.told(refused) is refused
    with pytest.raises(StorageFullError, match="last write"):
        space.check()
    failed = QueryError("something else")
    assert space.told(failed) is failed
    with pytest.raises(StorageFullError):
        space.check()
    assert space.told("a receipt") == "a receipt"
    space.check()


async def test_an_engine_that_fails_on_a_full_file_system_has_no_space() -> None:
    """The file system of /proc never has space left; the embedded engine does not say why a commit failed."""
    space = Space(Path("/proc"))
    with pytest.raises(StorageFullError, match="0 bytes are left"):
        space.check()
    failed = QueryError("a transaction: Transaction error on commit")
    told = space.told(failed)
    assert isinstance(told, StorageFullError) and told.__cause__ is failed
    await asyncio.sleep(0)


@pytest.mark.parametrize("command", ["serve --port 0", "demo --no-serve --port 0"])
def test_too_few_open_files_are_one_line(tmp_path: Path, command: str) -> None:
    ended = limited("ulimit -n 256", f"{command} --data {tmp_path / 'data'}")
    assert ended.returncode == 1
    (line,) = [line for line in ended.stderr.splitlines() if line.startswith("a2ap:")]
    assert line == "a2ap: 256 files may be open at once (ulimit -n), and 1024 are needed"


def test_a_limit_that_can_be_raised_is_raised(tmp_path: Path) -> None:
    ended = limited(
        "ulimit -Sn 256",
        "-c 'from graph.open_files import allow_open_files as a; print(a(1024), a(512))'",
        program=sys.executable,
    )
    assert ended.stdout == "1024 1024\n", ended.stderr


def limited(
    limit: str, arguments: str, program: str = f"{sys.executable} -m graph.cli"
) -> "subprocess.CompletedProcess[str]":
    """Run a program under a limit of the shell."""
    return subprocess.run(
        ["/bin/sh", "-c", f"{limit} && exec {program} {arguments}"],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
