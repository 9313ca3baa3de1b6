"""Relay's Node: objects with a global name, by which they are found again.

`id` is the id that a message gives itself, as A2AP §5.1 says, and several messages may share it. The name that is
unique to one object is therefore `globalId`, as `nodeId` elsewhere; `node(id)` takes it.
"""

import base64
import binascii

import strawberry

from graph.errors import InputError
from graph.graphql.fields import resolved

_LONGEST = 4_096  # characters


@strawberry.interface(description="An object that `node` finds by its globalId.")
class Node:
    """A type whose objects have a key that is unique within the type."""

    @resolved
    def global_id(self) -> strawberry.ID:
        """The globally unique name, as opaque text; it is stable over time, and the same on every node."""
        return strawberry.ID(encode_global_id(type(self).__name__, self.node_key()))

    def node_key(self) -> str:
        """Return the key that is unique among the objects of its type."""
        raise NotImplementedError


def encode_global_id(type_name: str, key: str) -> str:
    """Return the globalId of the object of a type with a key."""
    return base64.urlsafe_b64encode(f"{type_name}:{key}".encode()).decode("ascii").rstrip("=")


def decode_global_id(global_id: str) -> tuple[str, str]:
    """Return the type and the key of a globalId. Raises `InputError`."""
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
