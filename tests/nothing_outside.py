"""A watch over code that must touch nothing outside: no network, no file, no program. The interpreter tells of them."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident
from types import FrameType

OUTSIDE = ("open", "socket.", "subprocess.", "os.", "shutil.", "urllib.", "http.", "ctypes.", "mmap.")
"""Events of the interpreter, or how their names begin."""

_found: dict[int, list[str]] = {}
_is_added = False


def _told(event: str, arguments: tuple[object, ...]) -> None:
    found = _found.get(get_ident()) if _found and event.startswith(OUTSIDE) else None
    if found is not None and not _loads_a_module(sys._getframe()):
        found.append(f"{event}{arguments!r:.200}")


def _loads_a_module(frame: FrameType | None) -> bool:
    # Python loads some of its own modules when they are first needed, such as encodings.
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


@contextmanager
def nothing_outside() -> Iterator[None]:
    """Raise AssertionError behind code that opened a file or a socket, or ran a program; modules may be loaded.

    An audit hook stays for as long as the process, so there is one; it listens to what this thread does in here.
    """
    global _is_added
    if not _is_added:
        sys.addaudithook(_told)
        _is_added = True
    found = _found.setdefault(get_ident(), [])
    collected = gc.isenabled()
    gc.disable()  # what others have left would be removed in here
    try:
        yield
    finally:
        _found.pop(get_ident(), None)
        if collected:
            gc.enable()
    assert found == [], found
