"""Finding, starting and ending the one engine of a folder, by a command that holds the folder's start lock."""

from __future__ import annotations

import logging
import socket
import threading
import time
from dataclasses import dataclass

from a2ap.file_lock import FileLock
from graph.engine.files import EngineFolder, Running
from graph.engine.login import add_reader, answers
from graph.engine.process import command_line, launch, runs, start_time, stop
from graph.errors import StoreUnavailableError

_log = logging.getLogger(__name__)

_START_PATIENCE = 120.0  # seconds until an engine that does not answer counts as failed
_FOUND_PATIENCE = 20.0  # seconds until a running engine that does not answer counts as stuck
_PID_PATIENCE = 5.0  # seconds until a process that was launched has written its pid down
_PROBE_PATIENCE = 1.0  # seconds in which another command may look whether an engine runs
_STARTS = 3  # attempts, because a port that was free a moment ago can be taken
_POLL = 0.02  # seconds


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """Options of an engine's start: Java's maximum heap, such as `512m`, and the seconds that a query may take.

    `brief` is for short work with discarded data (`graph.engine.process.command_line`); `java_options` are further
    options of Java's command line.
    """

    heap: str = "1g"
    timeout: float = 60.0
    brief: bool = False
    java_options: tuple[str, ...] = ()


def find_engine(folder: EngineFolder, given_up: threading.Event) -> Running | None:
    """Return the engine that runs and accepts our password, or None if none does."""
    running = folder.running()
    if running is None:
        return None
    deadline = time.monotonic() + _FOUND_PATIENCE
    while runs(folder) and start_time(running.pid) == running.started:
        if answers(running, "root", folder):
            return running
        if given_up.wait(_POLL) or time.monotonic() > deadline:
            break
    return None


def start_engine(folder: EngineFolder, options: EngineOptions, given_up: threading.Event) -> Running:
    """Start an engine, wait until it answers, and publish its address.

    It gets the ports of the engine before, if they are free, so that the users of that one find this one. Raises
    StoreUnavailableError.
    """
    before = folder.running()
    ports = (before.bolt_port, before.http_port) if before else _free_ports()
    for _ in range(_STARTS):
        running = _start_once(folder, ports, options, given_up)
        if given_up.is_set():
            raise StoreUnavailableError("the start of the embedded engine was given up")
        if running is not None:
            add_reader(running, folder)
            folder.publish(running)
            return running
        ports = _free_ports()
    raise StoreUnavailableError(f"the embedded engine does not start; it says why in {folder.log}")


def end_engine(folder: EngineFolder) -> None:
    """End the engine that runs on this folder, published or not, and delete its published address."""
    running = folder.running()
    if running is not None and start_time(running.pid) == running.started and runs(folder):
        stop(folder, running.pid, running.started)
    # One that was not published was being started by a command that was killed.
    deadline = time.monotonic() + _PID_PATIENCE
    while runs(folder):
        pid = folder.starting_pid()
        started = None if pid is None else start_time(pid)
        if pid is not None and started is not None:
            stop(folder, pid, started)
        elif time.monotonic() > deadline:
            raise StoreUnavailableError(f"an engine runs on {folder.path} whose process is not known")
        time.sleep(_POLL)
    folder.withdraw()


def _start_once(
    folder: EngineFolder, ports: tuple[int, int], options: EngineOptions, given_up: threading.Event
) -> Running | None:
    bolt_port, http_port = ports
    command = command_line(
        folder,
        bolt_port,
        http_port,
        heap=options.heap,
        timeout=options.timeout,
        brief=options.brief,
        java_options=options.java_options,
    )
    alive = FileLock(folder.path / "alive.lock")
    try:
        if not alive.wait(_PROBE_PATIENCE, given_up):
            raise StoreUnavailableError(f"another engine runs on {folder.path}")
        folder.forget_start()
        pid = launch(folder, command, alive)
    finally:
        alive.close()
    started = start_time(pid)
    if started is None:
        return None
    running = Running(pid, started, bolt_port, http_port)
    deadline = time.monotonic() + _START_PATIENCE
    while start_time(pid) == started:
        if answers(running, "root", folder):
            return running
        if given_up.wait(_POLL) or time.monotonic() > deadline:
            stop(folder, pid, started)
            break
    return None


def _free_ports() -> tuple[int, int]:
    with socket.socket() as first, socket.socket() as second:
        for one in (first, second):
            one.bind(("127.0.0.1", 0))
        return first.getsockname()[1], second.getsockname()[1]
