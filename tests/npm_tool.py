"""npm for the tests: where it is, and packages installed from a lockfile of ours."""

import os
import shutil
import subprocess
from pathlib import Path

WHERE = "the tests look for npm and Node 18 or newer on the PATH, and for packages in npm's registry"


class NoNpmError(Exception):
    """There is no npm to test with, or it does not get a package; the message says which."""


def install(source: Path, folder: Path) -> Path:
    """Return a copy of a folder with its packages installed, exactly those of its lockfile; raises `NoNpmError`."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise NoNpmError(f"no npm: {WHERE}")
    copy = shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("node_modules"))
    done = subprocess.run([npm, "ci"], cwd=copy, capture_output=True, text=True, env={**os.environ, "CI": "true"})
    if done.returncode:
        raise NoNpmError(f"npm does not get what {source.name} needs: {done.stderr.strip()[-500:]}; {WHERE}")
    return copy
