"""What a computation costs this thread alone, whatever else the machine and the other tests do meanwhile."""

import gc
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any


def calls_of(compute: Callable[[], object]) -> int:
    """Return how many functions a computation calls."""
    found = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal found
        found += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        compute()
    finally:
        sys.setprofile(None)
    return found


def lines_of(compute: Callable[[], object]) -> int:
    """Return how many lines a computation runs, for loops that call nothing."""
    found = 0

    def note(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal found
        found += event == "line"
        return note

    sys.settrace(note)
    try:
        compute()
    finally:
        sys.settrace(None)
    return found


def seconds_of(compute: Callable[[], object]) -> float:
    """Return the processor seconds of a computation, for bounds that only a wrong order of growth exceeds."""
    gc.disable()
    try:
        started = time.thread_time()
        compute()
        return time.thread_time() - started
    finally:
        gc.enable()
