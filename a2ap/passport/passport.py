"""One record as it was received, and the chain of records that one file holds."""

import re
from dataclasses import dataclass
from typing import Any

from a2ap.passport.errors import PassportTextError
from a2ap.passport.event_type import EventType
from a2ap.passport.json_text import JsonPiece, read_items

# The record that a `redact` or `revert` is about, in its payload and so bound by the hash. Upstream's examples have
# `target_record` or `reverted_record` in the output instead.
TARGET = "a2ap.target"
# Further parents of a merge, named by their integrity hashes: in the payload, a list of texts, so that every profile
# covers them.
MERGED_PARENTS = "a2ap.merged_parents"

_DIGEST = re.compile(r"(?:sha256:)?([0-9a-f]{64})")


@dataclass(frozen=True, slots=True, eq=False)
class Passport:
    """A Context Passport: an object of any shape, since a reader of others' files cannot choose.

    `data` are the bytes as received, `position` counts from 0 in the file, `doubled` are names that stand twice.
    """

    position: int
    data: bytes
    members: dict[str, Any]
    doubled: tuple[str, ...] = ()

    @property
    def id(self) -> str | None:
        """Return the id, `None` if there is none."""
        return _text(self.members.get("id"))

    @property
    def label(self) -> str:
        """Return the label of the record: its id, cut to 80 characters, or its place in the file."""
        return self.id[:80] if self.id else f"record {self.position + 1}"

    @property
    def parent_id(self) -> str | None:
        """Return the id of the parent; a root has none."""
        return _text(self.members.get("parent_id"))

    @property
    def version(self) -> str | None:
        """Return `schema_version`."""
        return _text(self.members.get("schema_version"))

    @property
    def branch(self) -> str:
        """Return the branch, `main` unless the record says otherwise (§03)."""
        return _text(self.members.get("branch_key")) or "main"

    @property
    def agent_id(self) -> str | None:
        """Return the id of the agent that the record says made it."""
        return _text(self.part("created_by").get("agent_id"))

    @property
    def event_type(self) -> str | None:
        """Return the type of the event."""
        return _text(self.part("event").get("type"))

    @property
    def payload(self) -> Any:
        """Return the payload, `None` if there is none."""
        return self.members.get("payload")

    @property
    def has_payload(self) -> bool:
        """Say whether the record has a payload, which may be null."""
        return "payload" in self.members

    @property
    def payload_hash(self) -> str | None:
        """Return the digits of the payload hash, without `sha256:`."""
        return digest(self.part("integrity").get("payload_hash"))

    @property
    def parent_hash(self) -> str | None:
        """Return the digits of the parent's integrity hash that the record states."""
        return digest(self.part("integrity").get("parent_hash"))

    @property
    def integrity_hash(self) -> str | None:
        """Return the digits of the integrity hash."""
        return digest(self.part("integrity").get("integrity_hash"))

    @property
    def merged_hashes(self) -> tuple[str, ...]:
        """Return the digits of the integrity hashes of the further parents that a merge names."""
        named = self.payload.get(MERGED_PARENTS) if isinstance(self.payload, dict) else None
        found = [digest(item) for item in named] if isinstance(named, list) else []
        return tuple(dict.fromkeys(item for item in found if item is not None))

    @property
    def target(self) -> str | None:
        """Return the id of the record that a `redact` or `revert` names."""
        payload = self.payload if isinstance(self.payload, dict) else {}
        output = payload.get("output")
        named = output.get("target_record", output.get("reverted_record")) if isinstance(output, dict) else None
        return _text(payload.get(TARGET)) or _text(named)

    @property
    def restores_before(self) -> bool:
        """Say whether a `revert` names the record to undo, as upstream's do, not the one to go back to, as ours do."""
        return not (isinstance(self.payload, dict) and _text(self.payload.get(TARGET)))

    def is_event(self, kind: EventType) -> bool:
        """Say whether the event is of a type."""
        return self.event_type == kind

    def part(self, name: str) -> dict[str, Any]:
        """Return a member that is to be an object, empty if it is none."""
        value = self.members.get(name)
        return value if isinstance(value, dict) else {}


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The records of one file in their order, and its bytes."""

    data: bytes
    passports: tuple[Passport, ...]

    def find(self, passport_id: str) -> Passport | None:
        """Return the first record with an id."""
        return next((one for one in self.passports if one.id == passport_id), None)


def read_chain(data: bytes) -> Chain:
    """Read a file with one record, or with an array of them (upstream §3.5). Raises PassportTextError."""
    return Chain(data, tuple(_read(position, piece) for position, piece in enumerate(read_items(data))))


def append_passport(chain: Chain, data: bytes) -> bytes:
    """Return the bytes of a chain with one more record at its end; all that was there stays byte for byte."""
    text = chain.data
    stripped = text.rstrip(b" \t\r\n")
    if not text.lstrip(b" \t\r\n").startswith(b"["):
        return b"[\n" + text.strip(b" \t\r\n") + b",\n" + data + b"\n]\n"
    before = stripped[:-1].rstrip(b" \t\r\n")
    return before + (b",\n" if chain.passports else b"\n") + data + b"\n]\n"


def digest(value: Any) -> str | None:
    """Return the 64 digits of a hash, written with or without `sha256:`; `None` for anything else."""
    match = _DIGEST.fullmatch(value) if isinstance(value, str) else None
    return match[1] if match else None


def _read(position: int, piece: JsonPiece) -> Passport:
    if not isinstance(piece.value, dict):
        raise PassportTextError(f"record {position + 1} is not a JSON object")
    return Passport(position, piece.data, piece.value, piece.doubled)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
