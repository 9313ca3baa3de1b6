"""Builds GraphiQL from npm into the package: a hook of the wheel's build, and `python build_graphiql.py`.

The built files are kept beside a note of their sources, and used again while these are the same: so an image without
npm takes the files that another stage has built. Without npm, or if npm fails, the package is built without GraphiQL,
and its page says so; with A2AP_GRAPHIQL=required that is an error. With A2AP_GRAPHIQL=separate the hook builds nothing,
because `make` runs this module beside or after the installation.
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
PATIENCE = 300  # seconds for each command of npm


class GraphiqlError(Exception):
    """GraphiQL could not be built; the message says why."""


class GraphiqlBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the files to a wheel; an editable installation finds them in the source tree."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the files, and go on without them if that is not possible."""
        if os.environ.get("A2AP_GRAPHIQL") != "separate":
            build_if_possible()
        build_data["artifacts"].append(f"/{ASSETS.relative_to(ROOT).as_posix()}/**")


def build_if_possible() -> None:
    """Build GraphiQL, or say why it cannot be built; raise `GraphiqlError` only if A2AP_GRAPHIQL=required."""
    try:
        build()
    except GraphiqlError as error:
        if os.environ.get("A2AP_GRAPHIQL") == "required":
            raise
        print(f"a2ap is built without GraphiQL: {error}", file=sys.stderr)


def build() -> None:
    """Build GraphiQL unless it is built from the present sources; raise `GraphiqlError`."""
    digest = _digest()
    note = ASSETS / NOTE
    if note.is_file() and note.read_text(encoding="utf-8").strip() == digest:
        return
    npm = shutil.which("npm")
    if npm is None:
        raise GraphiqlError("there is no npm")
    fresh = ASSETS.with_name(ASSETS.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    print("Building GraphiQL with npm, which takes some twenty seconds the first time", file=sys.stderr, flush=True)
    _run(npm, "ci")
    _run(npm, "run", "build", "--", str(fresh))
    (fresh / NOTE).write_text(digest + "\n", encoding="utf-8")
    shutil.rmtree(ASSETS, ignore_errors=True)
    fresh.rename(ASSETS)


def _digest() -> str:
    content = b"".join(name.encode() + b"\0" + (SOURCE / name).read_bytes() + b"\0" for name in SOURCES)
    return sha256(content).hexdigest()


def _run(*command: str) -> None:
    try:
        done = subprocess.run(
            command, cwd=SOURCE, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        raise GraphiqlError(f"{' '.join(command[:2])} takes more than {PATIENCE} seconds in {SOURCE}") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-500:]
        raise GraphiqlError(f"{' '.join(command[:2])} failed in {SOURCE}: {said}")


def note_built() -> None:
    """Note that the files, built by another stage, come from the present sources."""
    (ASSETS / NOTE).write_text(_digest() + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        match sys.argv[1:]:
            case ["--built"]:
                note_built()
            case ["--optional"]:
                build_if_possible()
            case _:
                build()
                print(f"GraphiQL is in {ASSETS.relative_to(ROOT)}")
    except GraphiqlError as error:
        sys.exit(str(error))
