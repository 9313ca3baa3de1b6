"""What a part of an epoch must be to be taken: at the place in the log that it was made for."""

from a2ap.epoch import Epoch
from graph.errors import ConflictError
from graph.log.state import State


def check_epoch(message: Epoch, state: State) -> None:
    """Raise `ConflictError` where the part is not entry `logSize` + `part`: what it was estimated from has grown."""
    due = message.log_size + message.part
    if state.place != due:
        raise ConflictError(
            f"part {message.part} of this epoch would be entry {due}, and {state.place} is next", "logSize"
        )
