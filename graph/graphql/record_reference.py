"""Records of other formats as statements and verdicts name them."""

import strawberry

from graph.graphql.pack import Pack
from graph.graphql.passport import Passport


@strawberry.type(description="A record of another format that a statement or verdict came out of, here or not.")
class RecordReference:
    """A `:Document` that GENERATED_BY leads to, and the record that it is."""

    record_hash: strawberry.ID = strawberry.field(description="The SHA-256 of its bytes, as the message names it.")
    kind: str | None = strawberry.field(description="Passport, Pack or Packet; null where no record is registered.")
    held: bool = strawberry.field(description="Whether its bytes are here.")
    passport: Passport | None = strawberry.field(description="The Context Passport, where it is one.")
    pack: Pack | None = strawberry.field(description="The Context Pack, where it is one.")
