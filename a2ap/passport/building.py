"""Making records: a root, its successors, and forks, with the integrity block computed and never given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.passport.ancestry import trace_ancestry
from a2ap.passport.errors import BuildError
from a2ap.passport.event_type import EFFECTS, WITHOUT_RECIPIENT, EventType, is_event_name, is_namespaced
from a2ap.passport.field_rules import SCHEMA_URLS
from a2ap.passport.finding import Status
from a2ap.passport.hashing import Chaining, chain_hash, hash_payload
from a2ap.passport.json_text import write_value
from a2ap.passport.passport import MERGED_PARENTS, TARGET, Chain, Passport
from a2ap.passport.profile import PayloadProfile
from a2ap.passport.signature import sign_passport
from a2ap.signing.keys import Signer
from a2ap.times import format_instant

# The faulty forms of the libraries of 2.0 are read and not written.
WRITTEN_PROFILES = (
    PayloadProfile.V2,
    PayloadProfile.V1_PYTHON,
    PayloadProfile.V1_TYPESCRIPT,
    PayloadProfile.V1_LITERAL,
)
DEFAULT_BRANCH = "main"

_CHANCE_BYTES = 6


@dataclass(frozen=True, slots=True)
class Author:
    """The agent that makes a record (§03, created_by)."""

    agent_id: str
    agent_name: str
    role: str | None = None
    provider: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """The event of a record: `target` is the record that a revert goes back to, or whose payload a redact hides."""

    type: str = EventType.COMMIT
    to_agent_id: str | None = None
    target: str | None = None


def new_passport_id(at: datetime, chance: bytes) -> str:
    """Return an id, `ctx_{unix_ms}_{6_hex_bytes}`; the caller gives six bytes from a random source."""
    if len(chance) != _CHANCE_BYTES:
        raise ValueError(f"an id has {_CHANCE_BYTES} bytes of chance, not {len(chance)}")
    return f"ctx_{int(at.timestamp() * 1000)}_{chance.hex()}"


def build_root(
    passport_id: str,
    at: datetime,
    author: Author,
    payload: Any,
    *,
    branch: str = DEFAULT_BRANCH,
    trace_id: str | None = None,
    event: Event | None = None,
    profile: PayloadProfile = PayloadProfile.V2,
) -> dict[str, Any]:
    """Return the first record of a chain. Raises BuildError, and NoFormError if the payload has no such form."""
    return _build(passport_id, at, author, payload, event or Event(), None, branch, trace_id, profile, {})


def build_commit(
    passport_id: str,
    at: datetime,
    author: Author,
    payload: Any,
    parent: Passport,
    *,
    event: Event | None = None,
    merged: Sequence[Passport] = (),
    branch: str | None = None,
    profile: PayloadProfile = PayloadProfile.V2,
    status: Status = Status.UNVERIFIED,
) -> dict[str, Any]:
    """Return a record that follows another, on its branch and in its run; `merged` are further parents.

    `status` is the caller's result for the chain up to the parent. Raises BuildError and NoFormError.
    """
    return _build(
        passport_id,
        at,
        author,
        _with_merged(payload, merged),
        event or Event(EventType.MERGE if merged else EventType.COMMIT),
        parent,
        branch or parent.branch,
        _trace_of(parent),
        profile,
        {},
        status,
    )


def build_fork(
    passport_id: str,
    at: datetime,
    author: Author,
    payload: Any,
    parent: Passport,
    chain: Chain,
    branch: str,
    *,
    profile: PayloadProfile = PayloadProfile.V2,
    status: Status = Status.UNVERIFIED,
) -> dict[str, Any]:
    """Return the record that begins another branch of a chain, with its lineage. Raises BuildError and NoFormError."""
    lineage = lineage_of(parent, chain)
    fork = Event(EventType.FORK)
    return _build(passport_id, at, author, payload, fork, parent, branch, _trace_of(parent), profile, lineage, status)


def lineage_of(parent: Passport, chain: Chain) -> dict[str, str | None]:
    """Return the lineage of a fork of a record: the record, the last checkpoint up to it or itself, and the root."""
    ancestry = trace_ancestry(chain)
    at, seen = parent.position, {parent.position}
    while not chain.passports[at].is_event(EventType.CHECKPOINT):
        above = ancestry.parents[at][:1]
        if not above or above[0] in seen:
            at = parent.position
            break
        at = above[0]
        seen.add(at)
    root = chain.passports[ancestry.root[parent.position]]
    return {"fork_of": parent.id, "fork_point": chain.passports[at].id, "lineage_root": root.id}


def sign_record(members: Mapping[str, Any], key: Signer, key_id: str) -> dict[str, Any]:
    """Return a record with its signature, in the form of its version (upstream §3.2.7)."""
    # Never the literal formula: it would leave the author out.
    profile = PayloadProfile.V2 if members["schema_version"] == "2.0" else PayloadProfile.V1_PYTHON
    return sign_passport(members, key, key_id, profile)


def write_passport(members: Mapping[str, Any]) -> bytes:
    """Write a record, indented as upstream's files are."""
    return write_value(dict(members), indent=2)


def _build(
    passport_id: str,
    at: datetime,
    author: Author,
    payload: Any,
    event: Event,
    parent: Passport | None,
    branch: str,
    trace_id: str | None,
    profile: PayloadProfile,
    lineage: Mapping[str, str | None],
    status: Status = Status.VALID,
) -> dict[str, Any]:
    payload = _with_target(payload, event)
    _check(payload, event, parent, branch, profile)
    payload_hash = hash_payload(profile, payload)
    parent_hash = parent.integrity_hash if parent is not None else None
    time = format_instant(at)
    return {
        "$schema": SCHEMA_URLS[profile.major],
        "schema_version": f"{profile.major}.0",
        "id": passport_id,
        "parent_id": parent.id if parent is not None else None,
        "trace_id": trace_id,
        "branch_key": branch,
        "created_by": {
            "agent_id": author.agent_id,
            "agent_name": author.agent_name,
            "role": author.role,
            "provider": author.provider,
            "model": author.model,
        },
        "event": {"type": str(event.type), "to_agent_id": event.to_agent_id, "timestamp": time},
        "payload": payload,
        "integrity": {
            "payload_hash": f"sha256:{payload_hash}",
            "parent_hash": f"sha256:{parent_hash}" if parent_hash is not None else None,
            "integrity_hash": f"sha256:{chain_hash(payload_hash, parent_hash, Chaining.PREFIXED)}",
            "verification_status": str(status),
        },
        "lineage": {"fork_of": None, "fork_point": None, "lineage_root": None, **lineage},
        "created_at": time,
    }


def _check(payload: Any, event: Event, parent: Passport | None, branch: str, profile: PayloadProfile) -> None:
    if not isinstance(payload, dict):
        raise BuildError("a payload is a JSON object with input, output, memory and variables (§03)")
    for name in ("memory", "variables"):
        if payload.get(name) is not None and not isinstance(payload[name], dict):
            raise BuildError(f"payload.{name} is an object or null (§03)")
    if profile not in WRITTEN_PROFILES:
        raise BuildError(f"records are not written under the profile {profile}, only read")
    if not is_event_name(event.type) or (event.type not in EFFECTS and not is_namespaced(event.type)):
        raise BuildError(f"{event.type!r} is neither one of the 15 events nor namespaced, as myorg.custom_type is")
    if event.to_agent_id is not None and event.type in WITHOUT_RECIPIENT:
        raise BuildError(f"a {event.type} has no recipient (§03)")
    if not branch:
        raise BuildError("a branch has a name")
    if parent is not None and (parent.id is None or parent.integrity_hash is None):
        raise BuildError(f"{parent.label} has no id or no integrity hash, and so nothing can follow it")


def _with_target(payload: Any, event: Event) -> Any:
    if event.target is None or not isinstance(payload, dict):
        return payload
    return {**payload, TARGET: event.target}


def _with_merged(payload: Any, merged: Sequence[Passport]) -> Any:
    if not merged or not isinstance(payload, dict):
        return payload
    lost = next((one.label for one in merged if one.integrity_hash is None), None)
    if lost is not None:
        raise BuildError(f"{lost} has no integrity hash, and so cannot be merged")
    return {**payload, MERGED_PARENTS: [f"sha256:{one.integrity_hash}" for one in merged]}


def _trace_of(parent: Passport) -> str | None:
    trace = parent.members.get("trace_id")
    return trace if isinstance(trace, str) else None
