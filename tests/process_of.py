"""The process behind a port of this machine, to be stopped for a while as a debugger or a blocked disk stops it."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graph.database.endpoint import Endpoint


@contextmanager
def stopped(engine: Endpoint) -> Iterator[None]:
    """Have the process of an engine do nothing in this block; its connections stay open."""
    found = process_of(int(engine.uri.rpartition(":")[2]))
    os.kill(found, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(found, signal.SIGCONT)


def process_of(port: int) -> int:
    """Return the id of the process that listens on a port."""
    listening = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                listening.add(f"socket:[{fields[9]}]")
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if os.readlink(link) in listening:
                return int(re.split("/", str(link))[2])
        except OSError:
            continue
    raise LookupError(f"nobody listens on {port}")
