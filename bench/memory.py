"""Peak memory of this process."""

import resource
from pathlib import Path


def peak_kib() -> int:
    """Return the peak of the resident memory, in KiB.

    On Linux `getrusage` also counts the memory of the parent when it started this process, and /proc does not.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
