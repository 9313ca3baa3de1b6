"""Builds GraphiQL from npm into the package: a hook of the wheel's build, and `python build_graphiql.py`.

What is built is kept beside a note of what it was made from, and used again while that is the same: so an image without
npm takes what another stage has built. Without npm, or where npm fails, the package is built without GraphiQL, and its
page says so; with A2AP_GRAPHIQL=required that is an error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # without hatchling this is a command alone
    BuildHookInterface = object  # type: ignore[assignment,misc]

ROOT = Path(__file__).resolve().parent
SOURCE = ROOT / "graphiql"
ASSETS = ROOT / "graph" / "http" / "graphiql_assets"
SOURCES = (".npmrc", "build.mjs", "package-lock.json", "package.json", "playground.css", "playground.js")
NOTE = "built-from"


class GraphiqlError(Exception):
    """GraphiQL could not be built; the message says why."""


class GraphiqlBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the files to a wheel; an editable installation finds them in the source tree."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the files, and go on without them where that is not possible."""
        try:
            build()
        except GraphiqlError as error:
            if os.environ.get("A2AP_GRAPHIQL") == "required":
                raise
            print(f"a2ap is built without GraphiQL: {error}", file=sys.stderr)
        build_data["artifacts"].append(f"/{ASSETS.relative_to(ROOT).as_posix()}/**")


def build() -> None:
    """Build GraphiQL where it is not built from the present sources; raise `GraphiqlError`."""
    digest = _digest()
    note = ASSETS / NOTE
    if note.is_file() and note.read_text(encoding="utf-8").strip() == digest:
        return
    npm = shutil.which("npm")
    if npm is None:
        raise GraphiqlError("there is no npm")
    fresh = ASSETS.with_name(ASSETS.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    _run(npm, "ci")
    _run(npm, "run", "build", "--", str(fresh))
    (fresh / NOTE).write_text(digest + "\n", encoding="utf-8")
    shutil.rmtree(ASSETS, ignore_errors=True)
    fresh.rename(ASSETS)


def _digest() -> str:
    content = b"".join(name.encode() + b"\0" + (SOURCE / name).read_bytes() + b"\0" for name in SOURCES)
    return sha256(content).hexdigest()


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=SOURCE, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-500:]
        raise GraphiqlError(f"{' '.join(command[:2])} failed in {SOURCE}: {said}")


def note_built() -> None:
    """Say of files that another stage has built from these sources that they are."""
    (ASSETS / NOTE).write_text(_digest() + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        note_built() if sys.argv[1:] == ["--built"] else build()
    except GraphiqlError as error:
        sys.exit(str(error))
    print(f"GraphiQL is in {ASSETS.relative_to(ROOT)}")
