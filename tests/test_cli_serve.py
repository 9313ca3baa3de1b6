"""`a2ap serve` and `a2ap demo` as processes: how they start, what they print, and that nothing is left of them."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from builders import signed_registration
from cli_runner import PATIENCE, engines_on, environment, running, serving

from graph.cli.errors import CommandError
from graph.cli.server import bind
from graph.demo.result import DEFAULT_QUESTION

CAPTIONS = """WEBVTT

00:00:01.000 --> 00:00:05.000
>> CHAIR: Item 1 is the zoning of Foundry Street.

00:00:05.500 --> 00:00:11.000
The applicant asks the city to change the zoning from heavy industry to mixed use.

00:00:12.000 --> 00:00:18.000
>> PLANNER: The Planning Commission voted 6 to 3 to recommend the zoning change with conditions.

00:00:19.000 --> 00:00:25.000
The height limit in the new zoning district is 65 feet along the river.

00:00:26.000 --> 00:00:32.000
>> CHAIR: Item 2 is the budget of the library for the coming year.

00:00:33.000 --> 00:00:39.000
The library asks for 200 thousand dollars to repair the roof of the north branch.
"""


def test_a_server_stops_with_everything_that_it_started_and_keeps_what_it_accepted(tmp_path: Path) -> None:
    receipts = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with serving(tmp_path / "data") as (process, address):
            assert httpx.get(f"{address}/readyz").json()["engine"] == "embedded"
            receipts.append(httpx.post(f"{address}/agents", content=signed_registration(1)))
            check_operators_token(tmp_path / "data" / "operator.token", address)
            assert len(engines_on(tmp_path)) == 1
            assert process.stop(number) == 0
            process.wait_for("^stopped$")
        assert engines_on(tmp_path) == []
        (warning,) = [line for line in process.lines if line.startswith("Warning: nobody cosigns this log")]
        assert "Remedy: have witnesses asked that speak C2SP tlog-witness: docs/how-to/audit.md#witnesses" in warning
        assert "A2AP_WITNESSES" in warning
    assert [receipt.status_code for receipt in receipts] == [201, 200]
    assert receipts[0].json() == receipts[1].json()


def check_operators_token(path: Path, address: str) -> None:
    assert path.stat().st_mode & 0o777 == 0o600
    operator = {"authorization": f"Bearer {path.read_text().strip()}"}
    for authorization, clearance in (({}, "public"), (operator, "safety-sensitive")):
        said = httpx.get(f"{address}/export", headers=authorization).text
        assert f"Its reader is cleared for {clearance}" in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_stopped_while_it_starts_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    """It is stopped as soon as there is a sign of it, which is before it has begun anything that could be stopped."""
    with running("serve", "--port", 0, "--data", tmp_path / "data") as process:
        while not (tmp_path / "data" / "operator.token").exists():
            assert process.popen.poll() is None
        assert process.stop(number) == 0
        process.wait_for("^stopped$")
    assert engines_on(tmp_path) == []


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [sys.executable, "-m", "graph.cli", "serve", "--port", str(port), "--data", tmp_path],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert re.fullmatch(rf"a2ap: 127\.0\.0\.1:{port} cannot be listened on: .+\n", ended.stderr)


def test_an_address_is_held_from_the_moment_that_it_is_bound() -> None:
    with bind("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(CommandError, match=f"127.0.0.1:{port} cannot be listened on"):
            bind("127.0.0.1", port)


def test_the_demonstration_prints_one_json_object_and_ends(tmp_path: Path) -> None:
    captions = tmp_path / "meeting.vtt"
    captions.write_text(CAPTIONS)
    command = ["demo", "--source", captions, "--json", "--no-serve", "--data", tmp_path / "data", "--port", "0"]
    ended = subprocess.run(
        [sys.executable, "-m", "graph.cli", *map(str, command)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ended.returncode == 0, ended.stderr
    result = json.loads(ended.stdout)
    assert result["question"] == DEFAULT_QUESTION
    counted = result["traceable"]
    assert counted["claims"] == counted["withEvidence"] == counted["bytesMatch"] > 0
    data = captions.read_bytes()
    for answer in result["answers"]:
        assert answer["verified"] is True
        for evidence in answer["evidence"]:
            span = evidence["byteRange"]
            assert data[span["start"] : span["end"]].decode() == evidence["quote"]
    assert any("zoning" in answer["claim"] for answer in result["answers"])
    assert (tmp_path / "data" / "podcast.md").read_text()
    assert engines_on(tmp_path) == []


def test_the_demonstration_stays_up_until_it_is_interrupted(tmp_path: Path) -> None:
    captions = tmp_path / "meeting.vtt"
    captions.write_text(CAPTIONS)
    with running("demo", "--source", captions, "--data", tmp_path / "data", "--port", 0) as process:
        home = process.wait_for(r"Home page with this data: (http://\S+)$")[1]
        address = process.wait_for(r"playground with this data: (http://\S+)/graphql")[1]
        assert home == f"{address}/"
        shown = "\n".join(process.lines)
        assert DEFAULT_QUESTION in shown and "said, as quoted" in shown and "podcast.md" in shown
        question = {"query": '{ statementsAbout(topic: "zoning") { claimText verified } }'}
        answers = httpx.post(f"{address}/graphql", json=question).json()["data"]["statementsAbout"]
        assert answers and all(answer["verified"] for answer in answers)
        assert "<html" in httpx.get(f"{address}/graphql", headers={"accept": "text/html"}).text
        assert "zoning" in httpx.get(home, headers={"accept": "text/html"}).text
        (engine,) = engines_on(tmp_path)
        os.kill(engine, signal.SIGSTOP)
        try:
            assert httpx.get(f"{address}/readyz").status_code == 503
        finally:
            os.kill(engine, signal.SIGCONT)
        assert httpx.post(f"{address}/graphql", json={"query": "{ nothing }"}).json()["errors"]
        assert process.stop() == 0
        process.wait_for("^stopped$")
    assert not [line for line in process.lines if "Traceback" in line]
    assert engines_on(tmp_path) == []


def browser_in(folder: Path) -> Path:
    """Return a command that stands for a browser: it fetches the page of its argument, and writes both down."""
    script = folder / "browser"
    script.write_text(
        f"#!{sys.executable}\nimport sys, urllib.request\n"
        "page = urllib.request.urlopen(urllib.request.Request(sys.argv[1], headers={'accept': 'text/html'})).read()\n"
        f"open({str(folder / 'part')!r}, 'w').write(sys.argv[1] + '\\n' + page.decode())\n"
        f"import os; os.rename({str(folder / 'part')!r}, {str(folder / 'opened')!r})\n"
    )
    script.chmod(0o755)
    return script


def opened_by(folder: Path) -> tuple[str, str]:
    """Wait for the page that the browser of `browser_in` opens; return its address and its text."""
    deadline = time.monotonic() + PATIENCE
    while not (folder / "opened").exists():
        assert time.monotonic() < deadline, "no page was opened"
        time.sleep(0.05)
    address, _, page = (folder / "opened").read_text().partition("\n")
    return address, page


def test_a_server_opens_its_home_page_in_the_browser_once_it_is_ready(tmp_path: Path) -> None:
    script = browser_in(tmp_path)
    with running("serve", "--port", 0, "--data", tmp_path / "data", "--open", BROWSER=str(script)) as process:
        address = process.wait_for(r"platform at (http://\S+)")[1]
        opened, page = opened_by(tmp_path)
        assert opened == f"{address}/" and "The node has no statements yet" in page
        assert process.stop() == 0


def test_the_demonstration_opens_the_home_page_with_its_data(tmp_path: Path) -> None:
    captions = tmp_path / "meeting.vtt"
    captions.write_text(CAPTIONS)
    command = ("demo", "--source", captions, "--data", tmp_path / "data", "--port", 0, "--open")
    with running(*command, BROWSER=str(browser_in(tmp_path))) as process:
        home = process.wait_for(r"Home page with this data: (http://\S+)$")[1]
        opened, page = opened_by(tmp_path)
        assert opened == home and "zoning" in page
        assert process.stop() == 0


def test_a_server_without_a_browser_says_the_address_of_its_home_page(tmp_path: Path) -> None:
    nothing = {"BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": "", "PATH": str(tmp_path)}
    with running("serve", "--port", 0, "--data", tmp_path / "data", "--open", **nothing) as process:
        address = process.wait_for(r"platform at (http://\S+)")[1]
        assert process.wait_for(r"No browser could be opened. The home page is (\S+)")[1] == f"{address}/"
        assert process.stop() == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--open"], "a2ap: --open needs the server, which --no-serve stops"),
        (["--source", "nowhere.vtt"], "a2ap: nowhere.vtt: No such file or directory"),
        (["--media", "ftp://example.org/x"], "a2ap: --media is 'ftp://example.org/x', not an http or https address"),
    ],
)
def test_a_demonstration_that_cannot_be_is_one_line(tmp_path: Path, options: list[str], said: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "graph.cli", "demo", *options, "--no-serve", "--data", str(tmp_path), "--port", "0"],
        env=environment(),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.splitlines()[-1] == said
    assert engines_on(tmp_path) == []
