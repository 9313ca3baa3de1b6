"""Quotas of an admission policy: the limits of a node within a day, for one agent, operator or address.

`stranger` is for one agent without an operator, `endorsed` for one with an operator: a seed, or an agent that the node
or a seed has endorsed. `operator` is for all agents of one operator together, and `address` for all strangers together
that come from one network. `agents` are registrations at an address, and endorsements by an operator. A day is the
current hour and the 23 before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import member_path, read_integer, read_object


@dataclass(frozen=True, slots=True)
class Quota:
    """The most within a day: documents, bytes of documents, sources and records, and agents; None for no limit."""

    documents: int
    bytes: int
    agents: int | None = None

    @property
    def members(self) -> dict[str, int]:
        """Return the limits by name; a limit of None is left out."""
        found = {"documents": self.documents, "bytes": self.bytes}
        return found if self.agents is None else {**found, "agents": self.agents}

    def changed(self, members: Mapping[str, Any], path: str) -> "Quota":
        """Return the quota with the limits that an object names. Raises `FieldError`."""
        for name in members:
            if name not in self.members:
                raise FieldError(member_path(path, name), f"is none of {', '.join(self.members)}")
        return replace(self, **{name: read_integer(members, name, path) for name in members})


@dataclass(frozen=True, slots=True)
class Quotas:
    """The quotas of one node; without a policy that names others, these hold."""

    stranger: Quota = Quota(1_000, 128 * 2**20)
    endorsed: Quota = Quota(100_000, 20 * 2**30)
    operator: Quota = Quota(500_000, 100 * 2**30, 1_000)
    address: Quota = Quota(2_500, 192 * 2**20, 50)

    @classmethod
    def from_members(cls, members: Mapping[str, Any], path: str) -> "Quotas":
        """Read the quotas out of an object of a policy; missing ones have their default. Raises `FieldError`."""
        default = cls()
        for name in members:
            if name not in _NAMES:
                raise FieldError(member_path(path, name), f"is none of {', '.join(_NAMES)}")
        return cls(
            **{
                name: getattr(default, name).changed(read_object(members, name, path), member_path(path, name))
                for name in members
            }
        )

    @property
    def members(self) -> dict[str, dict[str, int]]:
        """Return the quotas as they stand in a policy."""
        return {name: getattr(self, name).members for name in _NAMES}


_NAMES = tuple(field.name for field in fields(Quotas))

DEFAULT_QUOTAS = Quotas()
"""The quotas of a policy that names none."""
