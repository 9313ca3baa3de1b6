"""The plugin of pytest: its fixtures, their node, and the end of the node however pytest ends."""

import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from a2ap.testing.node import NodeError, NodeProcess

ROOT = Path(__file__).resolve().parent.parent
CONFIG = "[pytest]\naddopts = -p a2ap.testing\na2ap_node_environment =\n    A2AP_MAX_SOURCE_BYTES=12345\n"
TESTS = """
import asyncio
from pathlib import Path
from a2ap import AsyncAgent
from a2ap.client import Client

MINUTES = b"The council voted to keep the height limit at forty feet."


def test_a_claim_is_taken(a2ap_agent, a2ap_node):
    minutes = a2ap_agent.source(MINUTES, title="Minutes")
    receipt = a2ap_agent.claim("The limit stays.", quote="keep the height limit", source=minutes)
    assert receipt.created and a2ap_agent.node == a2ap_node.url
    Path("folder.txt").write_text(str(a2ap_node.folder))


def test_each_test_has_an_agent_of_its_own(a2ap_agent, make_a2ap_agent):
    other = make_a2ap_agent("Second reader", kind=AsyncAgent)

    async def claim():
        async with other:
            minutes = await other.source(MINUTES, title="Minutes")
            return await other.claim("The limit stays.", quote="keep the height limit", source=minutes)

    assert asyncio.run(claim()).created and other.id != a2ap_agent.id


def test_the_operator_reads_a_closed_source_by_the_token(a2ap_agent, a2ap_node):
    secret = a2ap_agent.source(b"The vote was open.", title="Notes", boundary="internal")
    with Client(a2ap_node.url) as reader, Client(a2ap_node.url, a2ap_node.operator_token) as operator:
        assert operator.source(secret.document_hash) == secret.content
        assert not reader.has_source(secret.document_hash)


def test_a_day_of_tests_reaches_no_quota(make_a2ap_agent):
    made = [make_a2ap_agent() for _ in range(51)]
    assert len({agent.id for agent in made}) == 51


def test_the_node_has_the_environment_that_is_stated(a2ap_node):
    with Client(a2ap_node.url) as client:
        assert client.node()["limits"]["sourceBytes"] == 12345
"""
FOREVER = """
import time
from pathlib import Path


def test_forever(a2ap_node):
    Path("folder.txt").write_text(str(a2ap_node.folder))
    time.sleep(600)
"""


def processes_on(folder: str) -> list[int]:
    """Return the ids of the processes that name a folder on their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if folder.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def is_gone(folder: str, patience: float = 30.0) -> bool:
    """Say whether a node's processes end and its folder is deleted, within some seconds."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if not processes_on(folder) and not Path(folder).exists():
            return True
        time.sleep(0.1)
    return False


def test_the_fixtures_give_agents_on_a_node_that_ends_with_the_run(pytester: pytest.Pytester) -> None:
    pytester.makefile(".ini", pytest=CONFIG)
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=5)
    folder = (pytester.path / "folder.txt").read_text()
    assert not processes_on(folder) and not Path(folder).exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_the_node_ends_when_pytest_is_stopped(pytester: pytest.Pytester, number: signal.Signals) -> None:
    pytester.makefile(".ini", pytest=CONFIG)
    pytester.makepyfile(FOREVER)
    running = subprocess.Popen([sys.executable, "-m", "pytest", "-q"], cwd=pytester.path, stdout=subprocess.DEVNULL)
    told = pytester.path / "folder.txt"
    try:
        deadline = time.monotonic() + 60
        while not (told.exists() and told.read_text()):
            assert running.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        folder = told.read_text()
        assert len(processes_on(folder)) >= 2  # the server and its engine
    finally:
        running.send_signal(number)
        running.wait(60)
    assert is_gone(folder)


def test_the_node_ends_if_no_test_has_waited_for_it(pytester: pytest.Pytester) -> None:
    pytester.makefile(".ini", pytest=CONFIG)
    pytester.makepyfile("def test_first():\n    assert False\n\n\ndef test_node(a2ap_node): ...\n")
    result = pytester.runpytest_subprocess("-x", f"--basetemp={pytester.path / 'base'}")
    result.assert_outcomes(failed=1)
    assert not [path for path in Path("/proc").glob("[0-9]*/environ") if _has(path, str(pytester.path))]


def _has(path: Path, text: str) -> bool:
    try:
        return path.parent.name != str(os.getpid()) and text.encode() in path.read_bytes()
    except OSError:
        return False


def test_a_missing_extra_is_named(pytester: pytest.Pytester) -> None:
    pytester.makefile(".ini", pytest=CONFIG)
    absent = pytester.path / "sitecustomize.py"
    absent.write_text(
        "import importlib.util\nfind = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *more: None if name == 'arcadedb_embedded' else find(name, *more)\n"
    )
    pytester.makepyfile("def test_node(a2ap_node): ...\n")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*a node needs the extra `server`: pip install 'a2ap?server?' (arcadedb_embedded not*"]
    )


def test_a_line_of_the_environment_that_is_none_is_refused(pytester: pytest.Pytester) -> None:
    pytester.makefile(".ini", pytest="[pytest]\naddopts = -p a2ap.testing\na2ap_node_environment = forty\n")
    pytester.makepyfile("def test_node(a2ap_node): ...\n")
    result = pytester.runpytest_subprocess()
    result.stderr.fnmatch_lines(["*a2ap_node_environment has the line 'forty', which is not NAME=value"])


def test_a_node_that_does_not_start_says_why(pytester: pytest.Pytester) -> None:
    pytester.makefile(".ini", pytest=CONFIG + "    A2AP_ENGINE_HEAP=much\n")
    pytester.makepyfile("def test_node(a2ap_node): ...\n")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*the node did not start: *A2AP_ENGINE_HEAP*much*"])


def test_pytest_finds_the_plugin_by_its_entry_point_and_loads_no_more(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["pytest11"]
    installed = pytester.mkdir("installed") / "a2ap_plugin-1.dist-info"
    installed.mkdir()
    lines = [f"{name} = {module}" for name, module in stated.items()]
    (installed / "entry_points.txt").write_text("\n".join(["[pytest11]", *lines, ""]))
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: a2ap-plugin\nVersion: 1\n")
    monkeypatch.setenv("PYTHONPATH", f"{installed.parent}{os.pathsep}{os.environ.get('PYTHONPATH', ROOT)}")
    pytester.makepyfile(
        "import sys\n\ndef test_light(pytestconfig):\n"
        "    assert pytestconfig.pluginmanager.get_plugin('a2ap.testing')\n"
        "    heavy = {'httpx', 'nacl', 'a2ap.agent', 'a2ap.client', 'a2ap.testing.node', 'graph'}\n"
        "    assert not heavy & set(sys.modules)\n"
    )
    result = pytester.runpytest_subprocess("-p", "no:schemathesis", "-p", "no:hypothesispytest")
    result.assert_outcomes(passed=1)
    listed = pytester.runpytest_subprocess("--fixtures").stdout.str()
    assert re.search(r"^a2ap_node .*session scope", listed, re.MULTILINE) and "make_a2ap_agent" in listed


def test_a_node_that_ends_as_it_starts_is_one_error_again_at_each_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "serve.log").write_text("A2AP platform at http://127.0.0.1:9\n")
    keeper = tmp_path / "keeper.py"
    keeper.write_text(f"import sys\nprint({str(tmp_path)!r}, flush=True)\nsys.stdin.read()\n")
    monkeypatch.setattr("a2ap.testing.node._KEEPER", keeper)
    process = NodeProcess({})
    try:
        for _ in range(2):
            with pytest.raises(NodeError, match=r"http://127\.0\.0\.1:9 does not answer: connection refused"):
                process.node()
    finally:
        process.end()
