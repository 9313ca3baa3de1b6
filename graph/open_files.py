"""How many files may be open at once: raised as far as the system allows, and refused if that is too few."""

import sys
from contextlib import suppress

from graph.errors import StoreUnavailableError

if sys.platform != "win32":
    import resource

LEAST = 1024
"""Files that the platform and its engine need: the engine opens 400 of its own before anybody asks it anything."""

BESIDE = 512
"""Of them those that are no connection of a client."""


def allow_open_files(wanted: int) -> int:
    """Raise the limit of open files to `wanted`, or as far as it goes, and return what it is then."""
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
