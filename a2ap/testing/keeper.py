"""The keeper of a throw-away node: it runs `a2ap serve` in a temporary folder until its own parent ends or says so.

It is a program of the standard library alone: `python -I keeper.py PARENT`. Its first line of output is the folder, in
which the node writes its output and its errors to `serve.log`; their end follows if the node ends by itself. However
the parent ends, the pipe to the keeper's input is closed or its process is gone; then the node is terminated, and the
folder is deleted.
"""

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

_PATIENCE = 45.0  # seconds until a node that does not end is killed
_POLL = 0.2  # seconds
_TOLD = 4_000  # characters of the log


def main() -> None:
    """Run a node for the parent process whose id is the argument."""
    parent = int(sys.argv[1])
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit())
    folder = Path(tempfile.mkdtemp(prefix="a2ap-node-"))
    try:
        print(folder, flush=True)
        _keep(folder, parent)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _keep(folder: Path, parent: int) -> None:
    told = folder / "serve.log"
    command = [sys.executable, "-P", "-m", "graph.cli", "serve", "--host", "127.0.0.1", "--port", "0"]
    with told.open("wb") as log:
        node = subprocess.Popen([*command, "--data", str(folder)], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        while node.poll() is None and os.getppid() == parent:
            if select.select([sys.stdin], [], [], _POLL)[0]:
                return
        if node.poll() is not None:
            print(told.read_text(errors="replace")[-_TOLD:], flush=True)
    finally:
        _end(node)


def _end(node: "subprocess.Popen[bytes]") -> None:
    node.terminate()
    try:
        node.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        node.kill()
        node.wait()


if __name__ == "__main__":
    main()
