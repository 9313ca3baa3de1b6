"""A platform in a process of its own, which is ended by the process id of its start.

It is forked from a process that has only loaded the platform's modules: loading them is most of a start, and these
tests are about the rest.
"""

import asyncio
import multiprocessing
import os
import re
import sys
import time
from collections.abc import Mapping
from functools import cache
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

_PRELOADED = ("faults.process", "graph.app", "graph.cli", "graph.cli.server", "graph.platform")
_OURS = ("A2AP_", "NEO4J_", "AWS_")
_PATIENCE = 600.0  # seconds
_LOOK = 0.01  # seconds


class Server:
    """`a2ap serve` on a data folder, from `start_server` to `kill` or `stop`."""

    def __init__(self, process: ForkServerProcess, said: Path) -> None:
        self.address = ""
        self._process = process
        self._said = said

    @property
    def runs(self) -> bool:
        """Return whether the process is still running."""
        return self._process.is_alive()

    async def wait_until_it_serves(self) -> None:
        """Wait for its address. Raises RuntimeError, with the end of its output, if it ends before."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            ended = not self.runs
            said = self._said.read_text(encoding="utf-8") if self._said.exists() else ""
            if found := re.search(r"platform at (http://\S+)\n", said):
                self.address = found[1]
                return
            if ended or time.monotonic() > deadline:
                raise RuntimeError(f"the platform does not start: {said[-2000:]}")
            await asyncio.sleep(_LOOK)

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()

    async def stop(self) -> None:
        """Stop the process in good order."""
        self._process.terminate()
        await self.wait()

    async def wait(self) -> None:
        """Wait for the end of the process; raises RuntimeError after 600 seconds."""
        await asyncio.to_thread(self._process.join, _PATIENCE)
        if self.runs:
            raise RuntimeError(f"process {self._process.pid} does not end")


async def start_server(data: Path, variables: Mapping[str, str], name: str = "server") -> Server:
    """Start a platform and return before it serves. Its output is written beside the data folder."""
    said = data.with_name(f"{name}.log")
    said.unlink(missing_ok=True)
    process = _context().Process(target=_serve, args=(data, dict(variables), said))
    await asyncio.to_thread(process.start)
    return Server(process, said)


@cache
def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_PRELOADED])
    return context


def _serve(data: Path, variables: Mapping[str, str], said: Path) -> None:
    """Run `a2ap serve` in a new process."""
    from graph.cli import main

    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    os.environ.clear()
    os.environ.update(kept, **variables)
    output = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(output, stream.fileno())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv = ["a2ap", "serve", "--port", "0", "--data", str(data)]
    main()
