"""Go for the tests: where it is, and the tool that reads a log with Go's own sumdb packages."""

import os
import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parent / "go"
WHERE = "the tests look for Go (1.18 or newer) on the PATH and in /usr/local/go, and its modules behind GOPROXY"


class NoGoError(Exception):
    """There is no Go to test with, or it does not get the module that it needs; the message says which."""


def build_tlogcheck(folder: Path) -> Path:
    """Return the built tool; raises `NoGoError`."""
    go = shutil.which("go") or shutil.which("go", path="/usr/local/go/bin")
    if go is None:
        raise NoGoError(f"no Go: {WHERE}")
    # Only the Go that is there, and only what go.sum names.
    env = {**os.environ, "GOTOOLCHAIN": "local"}
    downloaded = subprocess.run([go, "mod", "download"], cwd=SOURCE, env=env, capture_output=True, text=True)
    if downloaded.returncode:
        raise NoGoError(f"Go does not get golang.org/x/mod: {downloaded.stderr.strip()[-500:]}; {WHERE}")
    tool = folder / "tlogcheck"
    # Without asking git, which refuses a checkout of another user.
    command = [go, "build", "-mod=readonly", "-buildvcs=false", "-o", str(tool), "."]
    subprocess.run(command, cwd=SOURCE, env=env, check=True)
    return tool
