"""The names that a batch of messages refers to, by type of name; `graph.kinds.naming` finds them in messages."""

from datetime import datetime


class WantedNames:
    """The names that a batch refers to, by type of name."""

    def __init__(self) -> None:
        self.hashes: set[str] = set()
        self.ids: set[str] = set()
        self.agents: set[str] = set()
        self.keys: set[str] = set()
        self.target_ids: set[str] = set()
        self.documents: set[str] = set()
        self.registered: set[str] = set()
        self.sources: set[str] = set()
        self.targets: set[str] = set()
        self.requests: set[str] = set()
        self.contradicting: set[str] = set()
        self.redacted: set[str] = set()
        self.invitations: set[str] = set()
        self.times: set[datetime] = set()
        self.members: set[str] = set()
        self.families: set[str] = set()
        self.origins: set[str] = set()
        self.gold: set[str] = set()
        self.gold_disputes: set[str] = set()
        self.probes: set[str] = set()
        self.revealed: set[str] = set()
        self.cited: set[str] = set()
        self.epochs = False

    @property
    def messages(self) -> set[str]:
        """The ids and hashes of other messages."""
        return set().union(
            self.target_ids,
            self.targets,
            self.cited,
            self.contradicting,
            self.gold,
            self.gold_disputes,
            self.requests,
            self.revealed,
        )
