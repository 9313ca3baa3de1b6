"""The status of a statement after its author's later messages: retracted or superseded."""

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
    """The status that the author gives a statement."""

    CURRENT = "CURRENT"
    SUPERSEDED = "SUPERSEDED"
    RETRACTED = "RETRACTED"

    @classmethod
    def of(cls, row: Row) -> "StatementStatus":
        """Return the status in the row of a statement; a retracted statement does not count as superseded."""
        if row["retracted"]:
            return cls.RETRACTED
        return cls.SUPERSEDED if row["superseded_by"] is not None else cls.CURRENT


show_enum(
    StatementStatus,
    {
        "CURRENT": "The statement is neither retracted nor superseded.",
        "SUPERSEDED": "The author has revised the statement.",
        "RETRACTED": "The author has retracted the statement.",
    },
    description="The status that the author gives a statement.",
)


@strawberry.type(description="The retraction of an agent's own message (a2ap:Retraction).")
class Retraction(Logged):
    """The columns of a retraction that are stored with the retracted message."""

    id: strawberry.ID = strawberry.field(description="The id that the message states.")
    signed_hash: str = strawberry.field(description="The SHA-256 of the signed bytes.")
    retracted_at: datetime = strawberry.field(description="The time of the retraction, as stated by the agent.")
    words: strawberry.Private[str | None]
    statement_hash: strawberry.Private[str]

    @resolved
    async def reason(self, info: Info) -> str | None:
        """The reason in the agent's words; null if none was given, or if it is withheld like a verifier's words."""
        return await info.context.loaders.documents.shown_words(self.statement_hash, self.words)

    @resolved
    async def log_index(self, info: Info) -> int:
        """The log index of the retraction."""
        return await self.place_in_log(info)

    async def place_in_log(self, info: Info) -> int:
        """Return the log index of the retraction's entry."""
        return await info.context.loaders.log.place_of(self.signed_hash)

    @classmethod
    def from_row(cls, row: Row, statement_hash: str) -> "Retraction | None":
        """Return the retraction in a row of a statement, or of a verdict on it; None if it is not retracted."""
        if not row["retracted"]:
            return None
        return cls(
            id=row["retraction_id"],
            signed_hash=row["retraction_hash"],
            retracted_at=instant_of(row["retracted_micros"]),
            words=row["retraction_reason"],
            statement_hash=statement_hash,
        )
