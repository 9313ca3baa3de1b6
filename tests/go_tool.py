"""Go for the tests: where it is, and the tools that read logs and Context Packs with Go's own packages."""

import os
import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parent / "go"
PACK_SOURCE = Path(__file__).parent / "go_pack"
WHERE = "the tests look for Go (1.21 or newer) on the PATH and in /usr/local/go, and its modules behind GOPROXY"


class NoGoError(Exception):
    """There is no Go to test with, or it does not get the module that it needs; the message says which."""


def build_tlogcheck(folder: Path) -> Path:
    """Return the built tool that reads logs; raises `NoGoError`."""
    go = find_go()
    downloaded = subprocess.run([go, "mod", "download"], cwd=SOURCE, env=_environment(), capture_output=True, text=True)
    if downloaded.returncode:
        raise NoGoError(f"Go does not get golang.org/x/mod: {downloaded.stderr.strip()[-500:]}; {WHERE}")
    return _build(go, SOURCE, folder / "tlogcheck")


def build_packcheck(folder: Path) -> Path:
    """Return the built tool that makes and opens Context Packs; raises `NoGoError`."""
    return _build(find_go(), PACK_SOURCE, folder / "packcheck")


def find_go() -> str:
    """Return where Go is; raises `NoGoError`."""
    go = shutil.which("go") or shutil.which("go", path="/usr/local/go/bin")
    if go is None:
        raise NoGoError(f"no Go: {WHERE}")
    return go


def _environment() -> dict[str, str]:
    # Only the Go that is there, and only what go.sum names.
    return {**os.environ, "GOTOOLCHAIN": "local"}


def _build(go: str, source: Path, tool: Path) -> Path:
    # Without asking git, which refuses a checkout of another user.
    command = [go, "build", "-mod=readonly", "-buildvcs=false", "-o", str(tool), "."]
    subprocess.run(command, cwd=source, env=_environment(), check=True)
    return tool
