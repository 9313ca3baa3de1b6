"""The limit of open files: raised as far as the system allows, and refused if it is too low."""

import sys
from contextlib import suppress

from graph.errors import StoreUnavailableError

if sys.platform != "win32":
    import resource

LEAST = 1024
"""Files that the platform and its engine need: the engine opens 400 of its own before the first query."""

BESIDE = 512
"""The part of these files that are not connections of clients."""


def allow_open_files(wanted: int) -> int:
    """Raise the limit of open files to `wanted`, or as far as the system allows, and return the resulting limit."""
    if sys.platform == "win32":
        return wanted
    allowed, highest = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        raised = wanted if highest == resource.RLIM_INFINITY else min(wanted, highest)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, highest))
            allowed = raised
    return wanted if allowed == resource.RLIM_INFINITY else allowed


def check_open_files() -> None:
    """Raise StoreUnavailableError if fewer files may be open than the engine needs, after raising the limit."""
    allowed = allow_open_files(LEAST)
    if allowed < LEAST:
        raise StoreUnavailableError(f"{allowed} files may be open at once (ulimit -n), and {LEAST} are needed")
