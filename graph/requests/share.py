"""The share of a process's service in which a reader counts: that of a token, or of a network."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """The share of one reader with a token, or of all readers from one network without; no name reveals a token."""

    name: str
    has_token: bool


UNNAMED = Share("", has_token=False)
"""The share of all callers that came over no network."""
