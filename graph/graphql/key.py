"""Keys of agents, and whether what they signed is trusted where it stands."""

from enum import StrEnum

import strawberry

from graph.graphql.enums import show_enum
from graph.graphql.logged import Logged
from graph.store import Row


class KeyTrust(StrEnum):
    """Of what is signed."""

    TRUSTED = "TRUSTED"
    NOT_TRUSTED = "NOT_TRUSTED"

    @classmethod
    def of(cls, trusted: bool) -> "KeyTrust":
        """Return the value for what the graph has."""
        return cls.TRUSTED if trusted else cls.NOT_TRUSTED


show_enum(
    KeyTrust,
    {
        "TRUSTED": "It is.",
        "NOT_TRUSTED": "It is revoked since there or before.",
    },
    description="Whether a key is trusted at a place in the log.",
)


class KeyStatus(StrEnum):
    """Of a key."""

    VALID = "VALID"
    RETIRED = "RETIRED"
    NOT_TRUSTED = "NOT_TRUSTED"


show_enum(
    KeyStatus,
    {
        "VALID": "It may sign.",
        "RETIRED": "Another took its place; what it signed before stands.",
        "NOT_TRUSTED": "It is revoked.",
    },
    description="What a key is good for now.",
)


@strawberry.type(description="A key that an agent has registered. Places are indices of the log.")
class Key(Logged):
    """A row of `keys_of.cypher`."""

    id: strawberry.ID = strawberry.field(description="The agent's id, `#`, and a name.")
    public_key: str = strawberry.field(description="The Ed25519 public key as did:key.")
    alias: str | None = strawberry.field(description="The name that signatures may use for it (A2AP §2.1).")
    log_index: int = strawberry.field(description="Where in the log it was registered.")
    status: KeyStatus = strawberry.field(
        description="VALID; RETIRED where another key took its place; NOT_TRUSTED where it was revoked."
    )
    retired_at: int | None = strawberry.field(description="Where another key took its place.")
    not_trusted_since: int | None = strawberry.field(
        description="The place since which nothing that it signed is trusted."
    )
    revoked_reason: str | None = strawberry.field(
        description="Why: a reason of RFC 5280 §5.3.1, or registeredByUntrustedKey."
    )
    revoked_by: str | None = strawberry.field(description="Who says so: a key, `recovery` or `operator`.")
    registered_by: str | None = strawberry.field(
        description="The key that registered it; absent for the key that registered the agent."
    )

    @classmethod
    def from_row(cls, row: Row) -> "Key":
        """Return the key that a row of `keys_of.cypher` describes."""
        status = KeyStatus.VALID if row["retired_at"] is None else KeyStatus.RETIRED
        return cls(
            id=row["key_id"],
            public_key=row["public_key"],
            alias=row["alias"],
            log_index=row["log_index"],
            status=KeyStatus.NOT_TRUSTED if row["not_trusted_since"] is not None else status,
            retired_at=row["retired_at"],
            not_trusted_since=row["not_trusted_since"],
            revoked_reason=row["revoked_reason"],
            revoked_by=row["revoked_by"],
            registered_by=row["registered_by"],
        )
