"""What can be named once and looked up again by that name: Relay's Node, with names of our own.

`id` is what A2AP §5.1 says it is: the id that a message gives itself, which several may have. So the name that is good
for one object alone is `globalId` here, as `nodeId` elsewhere; `node(id)` takes it.
"""

import base64
import binascii

import strawberry

from graph.errors import InputError
from graph.graphql.fields import resolved

_LONGEST = 4_096  # characters


@strawberry.interface(description="Whatever `node` finds again by its globalId.")
class Node:
    """A type whose objects have a key of their own."""

    @resolved
    def global_id(self) -> strawberry.ID:
        """Its name among everything here, as opaque text: the same at any time, and on any node that has it."""
        return strawberry.ID(encode_global_id(type(self).__name__, self.node_key()))

    def node_key(self) -> str:
        """Return what tells it from all others of its type."""
        raise NotImplementedError


def encode_global_id(type_name: str, key: str) -> str:
    """Return the name of the object of a type with a key."""
    return base64.urlsafe_b64encode(f"{type_name}:{key}".encode()).decode("ascii").rstrip("=")


def decode_global_id(global_id: str) -> tuple[str, str]:
    """Return the type and the key that a name holds. Raises `InputError`."""
    try:
        if len(global_id) > _LONGEST:
            raise ValueError("it is too long")
        text = base64.b64decode(global_id.encode("ascii") + b"=" * (-len(global_id) % 4), b"-_", validate=True).decode()
    except (ValueError, binascii.Error) as error:
        raise InputError("id is no globalId of this node", "id") from error
    type_name, colon, key = text.partition(":")
    if not colon or encode_global_id(type_name, key) != global_id:
        raise InputError("id is no globalId of this node", "id")
    return type_name, key
