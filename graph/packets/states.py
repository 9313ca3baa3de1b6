"""References to the state of a substrate: a log, its size and its root hash, so that later states are recognised."""

import re
from collections.abc import Iterable

from a2ap.log.checkpoint import Checkpoint
from a2ap.packet.state_lineage import read_version

_REFERENCE = re.compile(r"a2ap-log:(?P<origin>[^@#\s]+)@(?P<size>[0-9]{1,18})#(?P<root>[0-9a-f]{64})")


def state_reference(checkpoint: Checkpoint) -> str:
    """Return the reference to the state of a log under a checkpoint."""
    return f"a2ap-log:{checkpoint.origin}@{checkpoint.tree_size}#{checkpoint.root_hash.hex()}"


def read_state(reference: str) -> tuple[str, int] | None:
    """Return the origin and size in a reference of this form; None for another kind of reference."""
    found = _REFERENCE.fullmatch(reference)
    return None if found is None else (found["origin"], int(found["size"]))


def is_later(state: str | None, references: Iterable[str]) -> bool | None:
    """Return whether a state is later than the referenced ones; None if that is not known.

    Of this node's references, a larger size of the same log is later, and the same size with another root hash is not
    known to be the same log. Of others', the same reference is the same state, and versions of one name are compared
    (`a2ap.packet.state_lineage`).
    """
    if state is None:
        return None
    known = tuple(references)
    if state in known:
        return False
    now = read_state(state)
    if now is None:
        return _is_later_version(state, known)
    sizes = [size for origin, size in filter(None, map(read_state, known)) if origin == now[0]]
    if not sizes or now[1] == max(sizes):
        return None
    return now[1] > max(sizes)


def _is_later_version(state: str, references: Iterable[str]) -> bool | None:
    found = read_version(state)
    if found is None:
        return None
    versions = [version for thing, version in filter(None, map(read_version, references)) if thing == found[0]]
    return found[1] > max(versions) if versions else None
