"""In whose share something counts of what one process does for all readers: a token's, or that of a network."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """The share of one reader with a token, or of all who come from one network without; no name tells a token."""

    name: str
    has_token: bool


UNNAMED = Share("", has_token=False)
"""The share of all who came over no network."""
