"""Keys of agents, and whether their signatures are trusted at a place in the log."""

from enum import StrEnum

import strawberry

from graph.graphql.enums import show_enum
from graph.graphql.logged import Logged
from graph.store import Row


class KeyTrust(StrEnum):
    """The trust in the key of a signature."""

    TRUSTED = "TRUSTED"
    NOT_TRUSTED = "NOT_TRUSTED"

    @classmethod
    def of(cls, trusted: bool) -> "KeyTrust":
        """Return the value for the graph's flag."""
        return cls.TRUSTED if trusted else cls.NOT_TRUSTED


show_enum(
    KeyTrust,
    {
        "TRUSTED": "The key is trusted.",
        "NOT_TRUSTED": "The key is revoked as of this place, or an earlier one.",
    },
    description="The trust in a key at a place in the log.",
)


class KeyStatus(StrEnum):
    """The status of a key."""

    VALID = "VALID"
    RETIRED = "RETIRED"
    NOT_TRUSTED = "NOT_TRUSTED"


show_enum(
    KeyStatus,
    {
        "VALID": "The key may sign.",
        "RETIRED": "Another key replaced it; its earlier signatures remain valid.",
        "NOT_TRUSTED": "The key is revoked.",
    },
    description="The current status of a key.",
)


@strawberry.type(description="A key that an agent has registered. Places are log indices.")
class Key(Logged):
    """A row of `keys_of.cypher`."""

    id: strawberry.ID = strawberry.field(description="The id of the agent, `#`, and a name.")
    public_key: str = strawberry.field(description="The Ed25519 public key as did:key.")
    alias: str | None = strawberry.field(description="The name that signatures may use for it (A2AP §2.1).")
    log_index: int = strawberry.field(description="The log index of the registration of the key.")
    status: KeyStatus = strawberry.field(
        description="VALID; RETIRED if another key replaced it; NOT_TRUSTED if it was revoked."
    )
    retired_at: int | None = strawberry.field(description="The log index at which another key replaced it.")
    not_trusted_since: int | None = strawberry.field(
        description="The log index from which no signature of the key is trusted."
    )
    revoked_reason: str | None = strawberry.field(
        description="The reason of the revocation: a reason of RFC 5280 §5.3.1, or registeredByUntrustedKey."
    )
    revoked_by: str | None = strawberry.field(
        description="The author of the revocation: a key, `recovery` or `operator`."
    )
    registered_by: str | None = strawberry.field(
        description="The key that signed its registration; null for the key that registered the agent."
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
