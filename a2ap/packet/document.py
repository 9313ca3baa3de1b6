"""A Context Packet as it was received: its bytes, and its members of any shape.

Everything here accepts any JSON object. A member that breaks the text is empty or `None` here, and a finding in
`check_packet`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from a2ap.errors import JsonTextError
from a2ap.json_text import read_json, write_json
from a2ap.packet.errors import PacketFormError, PacketTextError
from a2ap.packet.shown import path_shown

MAX_BYTES = 16 * 1_048_576
MAX_VALUES = 300_000  # of members and list entries together: looking at one costs more than reading its bytes

Members = Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class PacketDocument:
    """A packet of any shape; `data` are the bytes as received."""

    data: bytes
    members: dict[str, Any]

    @property
    def packet_id(self) -> str | None:
        """Return the id, `None` if there is none."""
        return text_of(self.members, "packet_id")

    @property
    def packet_hash(self) -> str | None:
        """Return the hash that the packet states for itself."""
        return text_of(self.part("reproducibility"), "packet_hash")

    @property
    def items(self) -> tuple[Members, ...]:
        """Return the items that are objects."""
        return self.parts("items")

    def part(self, name: str) -> Members:
        """Return a member that is to be an object, empty if it is none."""
        return part_of(self.members, name)

    def parts(self, name: str) -> tuple[Members, ...]:
        """Return the objects in a member that is to be a list."""
        return parts_of(self.members, name)


def read_document(data: bytes) -> PacketDocument:
    """Read the bytes of a packet. Raises PacketTextError if they are not a JSON object with exactly one reading."""
    try:
        members = read_json(data, most=MAX_BYTES)
    except JsonTextError as error:
        raise PacketTextError(text_problem(error)) from error
    _check_size(members)
    return PacketDocument(data, members)


def open_document(members: Members) -> PacketDocument:
    """Return a packet made here as a reader will read it. Raises PacketTextError, PacketFormError for no JSON."""
    try:
        return read_document(write_json(dict(members)))
    except (ValueError, TypeError, RecursionError) as error:
        raise PacketFormError(f"the packet cannot be written as JSON: {error}") from error


def _check_size(members: dict[str, Any]) -> None:
    pending: list[Any] = [members]
    count = 0
    while pending:
        value = pending.pop()
        inner = value.values() if isinstance(value, dict) else value
        count += len(value)
        if count > MAX_VALUES:
            raise PacketTextError(f"the document holds more than {MAX_VALUES} values")
        pending.extend(one for one in inner if isinstance(one, dict | list))


def text_problem(error: JsonTextError) -> str:
    """Return the fault in the bytes of a document as a sentence that is safe to show."""
    return f"{path_shown(error.path) if error.path else 'the document'} {error.problem}"


def text_of(members: Members, name: str) -> str | None:
    """Return a member that is a text with more than space in it, else `None`."""
    value = members.get(name)
    return value if isinstance(value, str) and value.strip() else None


def texts_of(members: Members, name: str) -> tuple[str, ...]:
    """Return the texts in a member that is to be a list of them."""
    value = members.get(name)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def part_of(members: Members, name: str) -> Members:
    """Return a member that is to be an object, empty if it is none."""
    value = members.get(name)
    return value if isinstance(value, dict) else {}


def parts_of(members: Members, name: str) -> tuple[Members, ...]:
    """Return the objects in a member that is to be a list."""
    value = members.get(name)
    return tuple(one for one in value if isinstance(one, dict)) if isinstance(value, list) else ()
