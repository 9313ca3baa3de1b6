"""Key histories: at which places of a log each key is trusted, by the order of the log's entries alone.

The rules (docs/how-to/keys.md):

1. A place is an index of the log. A document's own times decide nothing.
2. Revocations by a recovery key or the operator hold first and are never void. Only they reach into the past.
3. The rest is read in the order of the log. A message about keys is void if its key does not speak at its place:
   before the key was registered, after it was replaced, or from the place on since which it is not trusted.
4. A key whose registration is void is not trusted from its registration on; the keys that it replaces stay.
5. A revocation by an ordinary key takes effect at its own place. A key may revoke itself.
6. Of several revocations of a key the one that reaches furthest back counts.
7. A statement or verdict is trusted if it stands before the place since which its key is not.

So nothing changes before the place that a revocation names, and one message of the recovery key ends everything that
a thief signs after it, rotations and revocations of other keys included.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

REGISTERED_BY_UNTRUSTED_KEY = "registeredByUntrustedKey"
"""The reason that a key is not trusted although nobody revoked it (rule 4)."""


class Authority(StrEnum):
    """The authority by which a key event was signed."""

    KEY = "key"
    RECOVERY = "recovery"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class KeyAdded:
    """A key is registered; `signed_by` is the id of the signing key, its own if the agent registers."""

    log_index: int
    agent_id: str
    key_id: str
    signed_by: str
    authority: Authority = Authority.KEY
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeyRevoked:
    """A key is revoked; only the recovery key or the operator puts the place `not_trusted_since` in the past."""

    log_index: int
    agent_id: str
    key_id: str
    signed_by: str
    authority: Authority
    reason: str
    not_trusted_since: int


@dataclass(frozen=True, slots=True)
class AgentDeactivated:
    """An agent is deactivated."""

    log_index: int
    agent_id: str
    signed_by: str
    authority: Authority


KeyEvent = KeyAdded | KeyRevoked | AgentDeactivated


@dataclass(frozen=True, slots=True)
class KeyStatus:
    """The status of a key, in places of the log; trust was ended `by` a key id, `recovery` or `operator`."""

    key_id: str
    agent_id: str
    valid_from: int
    retired_at: int | None = None
    not_trusted_since: int | None = None
    reason: str | None = None
    by: str | None = None

    def is_trusted_at(self, place: int) -> bool:
        """Say whether a signature of the key at this place is trusted (rule 7)."""
        return self.not_trusted_since is None or place < self.not_trusted_since

    def speaks_at(self, place: int) -> bool:
        """Say whether the key may sign at this place: registered before it, not replaced before it, and trusted."""
        in_use = self.valid_from < place and (self.retired_at is None or place <= self.retired_at)
        return in_use and self.is_trusted_at(place)


@dataclass(frozen=True, slots=True)
class KeyHistory:
    """The status of every key, the places where agents were deactivated, and those of void events."""

    keys: Mapping[str, KeyStatus] = field(default_factory=dict)
    deactivated_at: Mapping[str, int] = field(default_factory=dict)
    void: tuple[int, ...] = ()


def read_key_history(events: Iterable[KeyEvent]) -> KeyHistory:
    """Return the history that these events, in any order, give to the keys that they name."""
    ordered = sorted(events, key=lambda event: event.log_index)
    overruled = _overruled(ordered)
    keys: dict[str, KeyStatus] = {}
    deactivated_at: dict[str, int] = {}
    void: list[int] = []
    for event in ordered:
        holds = _holds(event, keys)
        if not holds:
            void.append(event.log_index)
        match event:
            case KeyAdded() if event.key_id not in keys:
                _add(event, holds, keys, overruled)
            case KeyRevoked() if holds and event.authority is Authority.KEY:
                _end(event, keys)
            case AgentDeactivated() if holds:
                deactivated_at.setdefault(event.agent_id, event.log_index)
            case _:
                pass
    return KeyHistory(keys, deactivated_at, tuple(void))


def _overruled(ordered: Iterable[KeyEvent]) -> dict[str, KeyRevoked]:
    """Return for each key the revocation by recovery key or operator that reaches furthest back (rules 2 and 6)."""
    found: dict[str, KeyRevoked] = {}
    for event in ordered:
        if isinstance(event, KeyRevoked) and event.authority is not Authority.KEY:
            known = found.get(event.key_id)
            if known is None or event.not_trusted_since < known.not_trusted_since:
                found[event.key_id] = event
    return found


def _holds(event: KeyEvent, keys: Mapping[str, KeyStatus]) -> bool:
    if event.authority is not Authority.KEY:
        return True
    if isinstance(event, KeyAdded) and event.signed_by == event.key_id:
        return event.key_id not in keys
    signer = keys.get(event.signed_by)
    return signer is not None and signer.agent_id == event.agent_id and signer.speaks_at(event.log_index)


def _add(event: KeyAdded, holds: bool, keys: dict[str, KeyStatus], overruled: Mapping[str, KeyRevoked]) -> None:
    status = KeyStatus(event.key_id, event.agent_id, event.log_index)
    revoked = overruled.get(event.key_id)
    if not holds and (revoked is None or revoked.not_trusted_since >= event.log_index):
        status = replace(
            status, not_trusted_since=event.log_index, reason=REGISTERED_BY_UNTRUSTED_KEY, by=event.signed_by
        )
    elif revoked is not None:
        status = replace(
            status, not_trusted_since=revoked.not_trusted_since, reason=revoked.reason, by=revoked.authority.value
        )
    keys[event.key_id] = status
    if holds:
        for name in event.replaces:
            known = keys.get(name)
            if known is not None and known.agent_id == event.agent_id and known.retired_at is None:
                keys[name] = replace(known, retired_at=event.log_index)


def _end(event: KeyRevoked, keys: dict[str, KeyStatus]) -> None:
    status = keys.get(event.key_id)
    if status is not None and status.agent_id == event.agent_id and status.is_trusted_at(event.log_index):
        keys[event.key_id] = replace(status, not_trusted_since=event.log_index, reason=event.reason, by=event.signed_by)
