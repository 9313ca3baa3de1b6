"""An order of a packet: its recipient, purpose, subjects, highest class, and budget.

The same order for the same graph at the same time gives the same packet, so the order contains everything that decides
about the packet; the order's hash names it in the packet's lineage.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from a2ap.boundary import Boundary, Use, uses_above
from a2ap.canonical import canonicalize, sha256_digest
from a2ap.fields import read_agent_id
from a2ap.packet.vocabulary import Degree, PacketType
from graph.errors import InputError

MAX_TEXT = 2_000
"""Maximum characters of a purpose or another free text."""
MAX_NAMES = 100
"""Maximum statements, and topics, that an order names."""
MAX_ITEMS = 500
MAX_TOKENS = 1_000_000
MAX_SECONDS = 90 * 24 * 3600

DEFAULT_ITEMS = 40
DEFAULT_TOKENS = 6_000
DEFAULT_SECONDS = 4 * 3600

RECIPIENT_TYPES = ("agent", "model", "human", "tool", "workflow", "runtime")


@dataclass(frozen=True, slots=True)
class PacketOrder:
    """An order of a packet. `statements` are ids or signed hashes; `use` is the worst use that the packet allows.

    `requires_review` means that a person reviews the returns; `seconds` is the time for which the packet may be acted
    on. `promoters` are the agents that may decide about the returns, beside the node and the agents that act for it.
    """

    recipient: str
    purpose: str
    ceiling: Boundary
    statements: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    recipient_type: str = "agent"
    session: str | None = None
    task: str | None = None
    packet_type: str = PacketType.RESEARCH
    project: str | None = None
    workspace: str | None = None
    use: Use = Use.DRAFT_ONLY
    stakes: Degree = Degree.MEDIUM
    max_items: int = DEFAULT_ITEMS
    max_tokens: int = DEFAULT_TOKENS
    seconds: int = DEFAULT_SECONDS
    supersedes: str | None = None
    audited: bool = False
    signed: bool = False
    requires_review: bool = True
    promoters: tuple[str, ...] = ()

    @classmethod
    def from_members(cls, members: Mapping[str, Any]) -> "PacketOrder":
        """Read an order from JSON; raises `InputError`, which names the member."""
        if not isinstance(members, Mapping):
            raise InputError("an order is a JSON object")
        unknown = sorted(members.keys() - _READERS.keys())
        if unknown:
            raise InputError(f"{unknown[0][:80]} is no member of an order", unknown[0][:80])
        for name in ("recipient", "purpose", "ceiling"):
            if members.get(name) is None:
                raise InputError("is missing", name)
        given = {name: value for name, value in members.items() if value is not None}
        order = cls(**{_READERS[name][0]: _READERS[name][1](name, value) for name, value in given.items()})
        if not order.statements and not order.topics:
            raise InputError("an order names statements or topics", "statements")
        if order.recipient in order.promoters:
            raise InputError(f"names {order.recipient}, which does not decide about its own returns", "promoters")
        return order

    @property
    def members(self) -> dict[str, Any]:
        """Return the order as JSON; members without a value are left out."""
        said = {
            wire: _plain(getattr(self, name)) for wire, (name, _) in _READERS.items() if getattr(self, name) is not None
        }
        return {wire: value for wire, value in said.items() if value != []}

    @property
    def reference(self) -> str:
        """Return the name of the order: the hash of its RFC 8785 bytes."""
        return f"a2ap-order:{sha256_digest(canonicalize(self.members))}"


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else str(value) if isinstance(value, StrEnum) else value


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_TEXT:
        raise InputError(f"is not a text of 1 to {MAX_TEXT} characters", name)
    return value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or len(value) > MAX_NAMES:
        raise InputError(f"is not a list of at most {MAX_NAMES} texts", name)
    return tuple(dict.fromkeys(_text(name, one) for one in value))


def _agent(name: str, value: Any) -> str:
    return read_agent_id({name: value}, name)


def _agents(name: str, value: Any) -> tuple[str, ...]:
    return tuple(_agent(name, one) for one in _texts(name, value))


def _one_of(allowed: tuple[str, ...]) -> Any:
    def read(name: str, value: Any) -> str:
        if value not in allowed:
            raise InputError(f"is not one of {', '.join(allowed)}", name)
        return str(value)

    return read


def _between(least: int, most: int) -> Any:
    def read(name: str, value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise InputError(f"is not a whole number from {least} to {most}", name)
        return value

    return read


def _flag(name: str, value: Any) -> bool:
    if type(value) is not bool:
        raise InputError("is neither true nor false", name)
    return value


def _boundary(name: str, value: Any) -> Boundary:
    return Boundary(_one_of(tuple(Boundary))(name, value))


def _use(name: str, value: Any) -> Use:
    use = Use(_one_of(tuple(Use))(name, value))
    # §6-5 wants something to be disallowed where the ceiling is high; a packet that allows everything says nothing.
    if not uses_above(use):
        raise InputError(f"is {use}: a packet that disallows nothing is not assembled", name)
    return use


def _stakes(name: str, value: Any) -> Degree:
    return Degree(_one_of(tuple(Degree))(name, value))


# The name of each member in JSON, of the field, and the function that reads it.
_READERS: Mapping[str, tuple[str, Any]] = {
    "recipient": ("recipient", _agent),
    "recipientType": ("recipient_type", _one_of(RECIPIENT_TYPES)),
    "session": ("session", _text),
    "purpose": ("purpose", _text),
    "task": ("task", _text),
    "packetType": ("packet_type", _one_of(tuple(PacketType))),
    "workspace": ("workspace", _text),
    "project": ("project", _text),
    "ceiling": ("ceiling", _boundary),
    "use": ("use", _use),
    "stakes": ("stakes", _stakes),
    "statements": ("statements", _texts),
    "topics": ("topics", _texts),
    "maxItems": ("max_items", _between(1, MAX_ITEMS)),
    "maxTokens": ("max_tokens", _between(1, MAX_TOKENS)),
    "seconds": ("seconds", _between(1, MAX_SECONDS)),
    "supersedes": ("supersedes", _text),
    "audited": ("audited", _flag),
    "signed": ("signed", _flag),
    "requiresReview": ("requires_review", _flag),
    "promoters": ("promoters", _agents),
}
_WIRE_NAMES = {field: wire for wire, (field, _) in _READERS.items()}


def wire_name(field: str) -> str:
    """Return the name that a field of an order has in JSON."""
    return _WIRE_NAMES[field]
