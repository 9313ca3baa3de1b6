"""References that bind: another message by its id and its signed hash (docs/how-to/requests.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import check_distinct, read_hash, read_list, read_uuid


@dataclass(frozen=True, slots=True)
class Reference:
    """Another message, by its id and its signed hash."""

    id: str
    target_hash: str


def read_reference(value: Any, path: str) -> Reference:
    """Read `{"@id": …, "targetHash": …}`; raises `FieldError` naming the place."""
    if type(value) is not dict:
        raise FieldError(path, "is not an object with @id and targetHash")
    return Reference(read_uuid(value, "@id", path), read_hash(value, "targetHash", path))


def read_optional_reference(message: Mapping[str, Any], name: str) -> Reference | None:
    """Read a member that is a reference, `None` if there is no such member."""
    return read_reference(message[name], name) if name in message else None


def read_references(message: Mapping[str, Any], name: str) -> tuple[Reference, ...]:
    """Read a member that is a list of references, empty if there is no such member."""
    if name not in message:
        return ()
    return tuple(read_reference(value, f"{name}[{index}]") for index, value in enumerate(read_list(message, name)))


def read_distinct_references(message: Mapping[str, Any], name: str) -> tuple[Reference, ...]:
    """Read a list of references, each to another message."""
    references = read_references(message, name)
    check_distinct([reference.target_hash for reference in references], name)
    return references


def reference_member(reference: Reference) -> dict[str, str]:
    """Return a reference as it stands in a message."""
    return {"@id": reference.id, "targetHash": reference.target_hash}


def reference_members(references: Sequence[Reference]) -> list[dict[str, str]]:
    """Return references as they stand in a message."""
    return [reference_member(reference) for reference in references]
