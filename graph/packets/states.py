"""References to the state of a substrate: ours name a log, its size and its root, so that later ones can be told."""

import re
from collections.abc import Iterable

from a2ap.log.checkpoint import Checkpoint

_REFERENCE = re.compile(r"a2ap-log:(?P<origin>[^@#\s]+)@(?P<size>[0-9]{1,18})#(?P<root>[0-9a-f]{64})")


def state_reference(checkpoint: Checkpoint) -> str:
    """Return the reference to the state of a log under a checkpoint."""
    return f"a2ap-log:{checkpoint.origin}@{checkpoint.tree_size}#{checkpoint.root_hash.hex()}"


def read_state(reference: str) -> tuple[str, int] | None:
    """Return the origin and size that one of our references names; None for another kind of reference."""
    found = _REFERENCE.fullmatch(reference)
    return None if found is None else (found["origin"], int(found["size"]))


def is_later(state: str | None, references: Iterable[str]) -> bool | None:
    """Say whether a state is later than the one of the same log that is referred to; None where that is not known."""
    now = read_state(state) if state is not None else None
    if now is None:
        return None
    sizes = [size for origin, size in filter(None, map(read_state, references)) if origin == now[0]]
    return now[1] > max(sizes) if sizes else None
