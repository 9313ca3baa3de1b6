"""Builds the scripts of the pages from npm into the package: a hook of the wheel's build, and `python build_web.py`.

The built files are kept beside a note of their sources, and used again while these are the same: so an image without
npm takes the files that another stage has built. Without npm, or if npm fails, the package is built without them: the
pages read without scripts, and the playground says that it is not built. With A2AP_WEB=required that is an error. With
A2AP_WEB=separate the hook builds nothing, because `make` runs this module beside or after the installation.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # without hatchling this is a command alone
    BuildHookInterface = object  # type: ignore[assignment,misc]

ROOT = Path(__file__).resolve().parent
SOURCE = ROOT / "web"
ASSETS = ROOT / "graph" / "http" / "assets"
NOTE = "built-from"
NODE = (20, 19)  # Vite's own minimum
PATIENCE = 300  # seconds for each command of npm

_NO_SOURCES = {"node_modules", "fixtures"}


class WebBuildError(Exception):
    """The scripts could not be built; the message says why."""


class WebBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the files to a wheel; an editable installation finds them in the source tree."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the files, and go on without them if that is not possible."""
        if os.environ.get("A2AP_WEB") != "separate":
            build_if_possible()
        build_data["artifacts"].append(f"/{ASSETS.relative_to(ROOT).as_posix()}/**")


def build_if_possible() -> None:
    """Build the scripts, or say why they cannot be built; raise `WebBuildError` only if A2AP_WEB=required."""
    try:
        build()
    except WebBuildError as error:
        if os.environ.get("A2AP_WEB") == "required":
            raise
        print(f"a2ap is built without the scripts of its pages: {error}", file=sys.stderr)


def build() -> None:
    """Build the scripts unless they are built from the present sources; raise `WebBuildError`."""
    digest = _digest()
    note = ASSETS / NOTE
    if note.is_file() and note.read_text(encoding="utf-8").strip() == digest:
        return
    npm = _npm()
    fresh = ASSETS.with_name(ASSETS.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    said = "Building the scripts of the pages with npm, which takes some thirty seconds the first time"
    print(said, file=sys.stderr, flush=True)
    _run(npm, "ci", "--omit=dev")
    _run(npm, "run", "build", "--", str(fresh))
    (fresh / NOTE).write_text(digest + "\n", encoding="utf-8")
    shutil.rmtree(ASSETS, ignore_errors=True)
    fresh.rename(ASSETS)


def _npm() -> str:
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise WebBuildError("there is no npm")
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout.strip()
    numbers = re.match(r"v(\d+)\.(\d+)", version)
    if numbers is None or (int(numbers[1]), int(numbers[2])) < NODE:
        raise WebBuildError(f"Node {NODE[0]}.{NODE[1]} or newer is needed, and node is {version or 'not usable'}")
    return npm


def _sources() -> Iterator[Path]:
    """Yield the files that the build reads, tests and their fixtures aside."""
    for path in sorted(SOURCE.rglob("*")):
        parts = path.relative_to(SOURCE).parts
        if path.is_file() and not _NO_SOURCES & set(parts) and ".test." not in path.name:
            yield path


def _digest() -> str:
    content = (path.relative_to(SOURCE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0" for path in _sources())
    return sha256(b"".join(content)).hexdigest()


def _run(*command: str) -> None:
    try:
        done = subprocess.run(
            command, cwd=SOURCE, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        raise WebBuildError(f"{' '.join(command[:2])} takes more than {PATIENCE} seconds in {SOURCE}") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-500:]
        raise WebBuildError(f"{' '.join(command[:2])} failed in {SOURCE}: {said}")


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
                print(f"The scripts of the pages are in {ASSETS.relative_to(ROOT)}")
    except WebBuildError as error:
        sys.exit(str(error))
