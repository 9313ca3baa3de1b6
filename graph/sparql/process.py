"""The worker processes of queries and loads: their start with the worker's code, and their end."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from pathlib import Path


async def start_worker(task: str, folder: Path, *more: str, output: int | None) -> Process:
    """Start a worker on the store in a folder."""
    command = (sys.executable, "-m", "graph.sparql.worker", task, str(folder), *more)
    return await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=output)


async def end_worker(process: Process) -> None:
    """Kill a process that still runs, and wait until it has ended."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
