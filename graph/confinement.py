"""Confinement of a process before it reads input of strangers: no network, and limits on time and memory."""

import ctypes
import resource
from contextlib import suppress

# unshare(2)
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000


def confine(seconds: int, memory: int) -> bool:
    """Limit this process to seconds of processor time and bytes of addresses; return whether the network is cut off.

    Processor time that it has used already counts. The parent process limits the elapsed time and kills it.
    """
    is_alone = _leave_network()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return is_alone


def _leave_network() -> bool:
    """Move this process into an empty network of its own, and return whether the kernel allowed it.

    No reader in use makes network requests; this is for the day that a library does.
    """
    with suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).unshare(_NEW_USER | _NEW_NETWORK) == 0)
    return False
