"""Runs `a2ap`: inside the test process where one command is tested, as a process of its own where it serves."""

import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from quick_java import QUICK

from graph.cli import main

Run = Callable[..., "Ended"]

ENGINE = {"A2AP_ENGINE_HEAP": "256m", "A2AP_ENGINE_OPTIONS": " ".join(QUICK)}
PATIENCE = 180.0  # seconds; an engine that starts on a busy machine takes a while
_OURS = ("A2AP_", "NEO4J_", "AWS_")


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command wrote."""

    out: str
    err: str

    @property
    def only_error(self) -> str:
        """Return the one line of standard error."""
        (line,) = self.err.splitlines()
        return line


def environment(**variables: str) -> dict[str, str]:
    """Return the environment of this process without our settings, and with these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    return {**kept, **ENGINE, "PYTHONUNBUFFERED": "1", "NO_PROXY": "127.0.0.1", **variables}


@pytest.fixture
def a2ap(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command to its end in this process and checks its exit status."""
    for name in [name for name in os.environ if name.startswith(_OURS)]:
        monkeypatch.delenv(name)
    for name, value in {**ENGINE, "COLUMNS": "200"}.items():
        monkeypatch.setenv(name, value)

    def run(*arguments: object, status: int = 0) -> Ended:
        monkeypatch.setattr(sys, "argv", ["a2ap", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capfdbinary.readouterr()
        found = Ended(captured.out.decode(), captured.err.decode())
        assert (ended.value.code or 0) == status, found
        return found

    return run


@dataclass(slots=True)
class Process:
    """A command that runs: its lines so far, and signals to it."""

    popen: "subprocess.Popen[str]"
    lines: list[str] = field(default_factory=list)
    _waiting: "queue.Queue[str | None]" = field(default_factory=queue.Queue)

    def __post_init__(self) -> None:
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.popen.stdout is not None
        for line in self.popen.stdout:
            self._waiting.put(line.rstrip("\n"))
        self._waiting.put(None)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Wait for a line that matches, on either stream, and return the match."""
        deadline = time.monotonic() + PATIENCE
        while True:
            line = self._waiting.get(timeout=max(0.1, deadline - time.monotonic()))
            if line is None:
                raise AssertionError(f"ended without {pattern!r}: {self.lines}")
            self.lines.append(line)
            if match := re.search(pattern, line):
                return match

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send a signal and return the exit status."""
        self.popen.send_signal(number)
        return self.popen.wait(PATIENCE)


@contextmanager
def running(*arguments: object, **variables: str) -> Iterator[Process]:
    """Yield a running command, whose streams are one; it is stopped at the end."""
    popen = subprocess.Popen(
        [sys.executable, "-m", "graph.cli", *map(str, arguments)],
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    process = Process(popen)
    try:
        yield process
    finally:
        if popen.poll() is None:
            try:
                process.stop()
            except subprocess.TimeoutExpired:
                popen.kill()
                popen.wait()


@contextmanager
def serving(data: Path, **variables: str) -> Iterator[tuple[Process, str]]:
    """Yield a platform that serves from a data folder, and its address."""
    with running("serve", "--port", 0, "--data", data, **variables) as process:
        yield process, process.wait_for(r"platform at (http://\S+)")[1]


def run_on_a_server(blocks: Iterable[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run blocks of shell in the folder `work` of a folder, for a platform of their own that serves from its `data`.

    A line `=====` is printed between two blocks. A command that fails ends all and the test.
    """
    work = folder / "work"
    work.mkdir()
    with serving(folder / "data") as (_, address):
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        ended = subprocess.run(
            ["bash", "-c", "set -euo pipefail\n" + "\necho =====\n".join(blocks)],
            cwd=work,
            env=environment(A2AP_URL=address, PATH=path, A2AP_DATA=str(folder / "data")),
            capture_output=True,
            text=True,
            timeout=3 * PATIENCE,
        )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended


def engines_on(data: Path) -> list[int]:
    """Return the ids of the engine processes that work on a data folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_bytes()
        except OSError:
            continue
        if str(data).encode() in command and b"java" in command:
            found.append(int(entry.parent.name))
    return found
