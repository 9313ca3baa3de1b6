"""SIGINT and SIGTERM to a command that serves, from before its modules are loaded.

Python raises KeyboardInterrupt at any line. While modules are loaded that can be a line that swallows it, and the
command goes on; in another it ends with a traceback. So the signal is noted, and looked at once there is an event loop
that can stop the work begun.
"""

import signal
from types import FrameType

STOPPING = (signal.SIGINT, signal.SIGTERM)


class StopSignals:
    """Notes the signals that come from its creation on, until an event loop handles them."""

    def __init__(self) -> None:
        self.came = False
        for number in STOPPING:
            signal.signal(number, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.came = True
