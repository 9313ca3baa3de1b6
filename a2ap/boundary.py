"""The boundary classes and uses of Context Packets, two ordered scales that are also the platform's access rules.

Boundary classes ascend from public to the most protected (Context Packet §6). Uses ascend from reading to the most
harmful (§4.2). Rules for cases that the text leaves open:

- A use is permitted if it or a worse one is allowed, and neither it nor a lesser one is disallowed: each step is
  strictly more consequential, so an agent that may not take one may not take the next.
- If neither list is given, reading is permitted and nothing else.
- Content that is passed on is at least as protected as before, and has at most the uses that it had before.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Boundary(StrEnum):
    """The boundary class of a source, in ascending order of protection (Context Packet §6); `<` follows that order."""

    PUBLIC = "public"
    INTERNAL = "internal"
    CONFIDENTIAL = "confidential"
    IP_SENSITIVE = "ip-sensitive"
    CLIENT_SENSITIVE = "client-sensitive"
    LEGAL_SENSITIVE = "legal-sensitive"
    PRIVATE = "private"
    SAFETY_SENSITIVE = "safety-sensitive"

    @property
    def rank(self) -> int:
        """Return the place in the order, 0 for public."""
        return _RANKS[self.value]

    def covers(self, other: "Boundary") -> bool:
        """Say whether a reader cleared up to this class may read content marked `other`."""
        return self.rank >= other.rank

    # Without these, `<` would compare the names as text: "private" < "public".
    def __lt__(self, other: str) -> bool:
        return self.rank < Boundary(other).rank

    def __le__(self, other: str) -> bool:
        return self.rank <= Boundary(other).rank

    def __gt__(self, other: str) -> bool:
        return self.rank > Boundary(other).rank

    def __ge__(self, other: str) -> bool:
        return self.rank >= Boundary(other).rank


STRICTEST = Boundary.SAFETY_SENSITIVE

_RANKS = {boundary.value: rank for rank, boundary in enumerate(Boundary)}


def strictest(*boundaries: Boundary) -> Boundary:
    """Return the most protected of one or more classes."""
    return max(boundaries, key=lambda boundary: boundary.rank)


class Use(StrEnum):
    """A use of content that is handed over, each worse than the one before (Context Packet §4.2)."""

    READ_ONLY = "read_only"
    DRAFT_ONLY = "draft_only"
    INTERNAL_WRITE = "internal_write"
    EXTERNAL_WRITE = "external_write"
    COMMUNICATION_SEND = "communication_send"
    FINANCIAL = "financial"
    DESTRUCTIVE = "destructive"
    CREDENTIAL_SENSITIVE = "credential_sensitive"

    @property
    def rank(self) -> int:
        """Return the place in the order, 0 for reading."""
        return _USE_RANKS[self.value]


_USE_RANKS = {use.value: rank for rank, use in enumerate(Use)}


def uses_up_to(highest: Use) -> tuple[Use, ...]:
    """Return the uses up to this one, least first."""
    return tuple(use for use in Use if use.rank <= highest.rank)


def uses_above(highest: Use) -> tuple[Use, ...]:
    """Return the uses that are worse than this one, least first."""
    return tuple(use for use in Use if use.rank > highest.rank)


@dataclass(frozen=True, slots=True)
class UseTerms:
    """The uses that a packet allows and those that it disallows; None if it has no such list."""

    allowed: tuple[Use, ...] | None = None
    disallowed: tuple[Use, ...] | None = None

    @classmethod
    def up_to(cls, highest: Use) -> "UseTerms":
        """Return the terms that allow everything up to a use and disallow everything above it by name."""
        return cls(uses_up_to(highest), uses_above(highest))

    @property
    def explicit(self) -> bool:
        """Say whether both lists are there and one of them names something (Context Packet §6-5)."""
        return self.allowed is not None and self.disallowed is not None and bool(self.allowed or self.disallowed)

    @property
    def highest(self) -> Use | None:
        """Return the worst use that is permitted, None if there is none."""
        allowed = (Use.READ_ONLY,) if self.allowed is None else self.allowed
        top = max((use.rank for use in allowed), default=-1)
        bottom = min((use.rank for use in self.disallowed or ()), default=len(Use))
        rank = min(top, bottom - 1)
        return tuple(Use)[rank] if rank >= 0 else None

    @property
    def conflicting(self) -> tuple[Use, ...]:
        """Return the uses that are allowed by name and not permitted, because they or lesser ones are disallowed."""
        return tuple(use for use in Use if use in (self.allowed or ()) and not self.permits(use))

    def permits(self, use: Use) -> bool:
        """Say whether these terms permit a use."""
        return self.highest is not None and use.rank <= self.highest.rank

    def restricted_to(self, highest: Use) -> "UseTerms":
        """Return terms that permit the uses of these up to `highest`."""
        own = self.highest
        if own is None:
            return UseTerms((), tuple(Use))
        return UseTerms.up_to(min(own, highest, key=lambda use: use.rank))


def read_uses(names: Iterable[str]) -> tuple[Use, ...]:
    """Return the uses of these names; unknown names permit nothing and are left out."""
    known = {use.value: use for use in Use}
    return tuple(known[name] for name in names if name in known)
