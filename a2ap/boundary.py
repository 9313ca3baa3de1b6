"""The boundary classes of sources: the Context Packet ladder, from what anybody may read to what few may."""

from enum import StrEnum


class Boundary(StrEnum):
    """Who may read a source, in ascending order of protection (Context Packet §6); `<` follows that order."""

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
        """Return the place on the ladder, 0 for public."""
        return _RANKS[self.value]

    def covers(self, other: "Boundary") -> bool:
        """Say whether a reader cleared up to this class may read what is marked `other`."""
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
