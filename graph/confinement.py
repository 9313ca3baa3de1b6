"""What a process takes from itself before it reads what strangers wrote: the network, time and memory."""

import ctypes
import resource
from contextlib import suppress

# unshare(2)
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000


def confine(seconds: int, memory: int) -> bool:
    """Bound this process to so many seconds of processor time and bytes of addresses; say whether the network is gone.

    What it has begun is counted: whoever started it bounds the time that it takes by the clock, and kills it.
    """
    is_alone = _leave_network()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return is_alone


def _leave_network() -> bool:
    """Go into a network of its own, which has nobody in it, and say whether the kernel let this process do so.

    Nothing that is read asks another machine; this is for the day that a library reads it otherwise.
    """
    with suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).unshare(_NEW_USER | _NEW_NETWORK) == 0)
    return False
