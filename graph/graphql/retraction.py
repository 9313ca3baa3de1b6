"""What became of a statement after it was made: retracted or superseded by its author."""

from datetime import datetime
from enum import StrEnum

import strawberry

from a2ap.times import instant_of
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
from graph.graphql.logged import Logged
from graph.store import Row


class StatementStatus(StrEnum):
    """The author's last word on a statement."""

    CURRENT = "CURRENT"
    SUPERSEDED = "SUPERSEDED"
    RETRACTED = "RETRACTED"

    @classmethod
    def of(cls, row: Row) -> "StatementStatus":
        """Return the status that the row of a statement has; what is retracted is no longer revised."""
        if row["retracted"]:
            return cls.RETRACTED
        return cls.SUPERSEDED if row["superseded_by"] is not None else cls.CURRENT


show_enum(
    StatementStatus,
    {
        "CURRENT": "It stands.",
        "SUPERSEDED": "Its author has revised it.",
        "RETRACTED": "Its author has taken it back.",
    },
    description="Whether a statement stands, for its author.",
)


@strawberry.type(description="An agent takes back what it has said (a2ap:Retraction).")
class Retraction(Logged):
    """What is cached of a retraction on what it retracts."""

    id: strawberry.ID = strawberry.field(description="The message's own id.")
    signed_hash: str = strawberry.field(description="The SHA-256 of what was signed.")
    retracted_at: datetime = strawberry.field(description="When, as the agent says.")
    words: strawberry.Private[str | None]
    statement_hash: strawberry.Private[str]

    @resolved
    async def reason(self, info: Info) -> str | None:
        """In the agent's words; absent where there is none, or where it is withheld like a verifier's words."""
        return await info.context.loaders.documents.shown_words(self.statement_hash, self.words)

    @resolved
    async def log_index(self, info: Info) -> int:
        """Its place in the log."""
        return await self.place_in_log(info)

    async def place_in_log(self, info: Info) -> int:
        """Return the place of its entry."""
        return await info.context.loaders.log.place_of(self.signed_hash)

    @classmethod
    def from_row(cls, row: Row, statement_hash: str) -> "Retraction | None":
        """Return the retraction in a row of the statement, or of a verdict on it; None where it is not retracted."""
        if not row["retracted"]:
            return None
        return cls(
            id=row["retraction_id"],
            signed_hash=row["retraction_hash"],
            retracted_at=instant_of(row["retracted_micros"]),
            words=row["retraction_reason"],
            statement_hash=statement_hash,
        )
