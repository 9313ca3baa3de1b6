"""A platform's GraphQL schema, as far as it gives the type of each value of an answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from a2ap.errors import FrameError

SCHEMA_QUERY = """
query FrameSchema { __schema { queryType { name } types {
  name kind enumValues(includeDeprecated: true) { name }
  fields(includeDeprecated: true) { name type { ...T ofType { ...T ofType { ...T ofType { ...T } } } } } } } }
fragment T on __Type { kind name }
"""


@dataclass(frozen=True, slots=True)
class FieldType:
    """The named type of a field; `many` if it is a list of these, `nested` if it is a list of lists."""

    name: str
    many: bool
    nested: bool = False


@dataclass(frozen=True, slots=True)
class Schema:
    """The fields of each type that has some, the values of each enumeration, and the type of the root."""

    root: str
    fields: Mapping[str, Mapping[str, FieldType]]
    enums: Mapping[str, tuple[str, ...]]

    def field(self, owner: str, name: str) -> FieldType:
        """Return the type of a field. Raises FrameError if there is none of that name."""
        if name == "__typename":
            return FieldType("String", many=False)
        found = self.fields.get(owner, {}).get(name)
        if found is None:
            raise FrameError(f"{owner} has no field {name}")
        return found


def read_schema(data: Mapping[str, Any]) -> Schema:
    """Return the schema that the answer to `SCHEMA_QUERY` describes."""
    described = data["__schema"]
    fields = {
        one["name"]: {field["name"]: _type_of(field["type"]) for field in one["fields"]}
        for one in described["types"]
        if one["fields"] is not None
    }
    enums = {
        one["name"]: tuple(value["name"] for value in one["enumValues"])
        for one in described["types"]
        if one["enumValues"] is not None
    }
    return Schema(described["queryType"]["name"], fields, enums)


def _type_of(described: Mapping[str, Any] | None) -> FieldType:
    lists = 0
    while described is not None and described["kind"] in ("LIST", "NON_NULL"):
        lists += described["kind"] == "LIST"
        described = described["ofType"]
    # A list of lists is deeper than the requested field, and has no name then.
    return FieldType(described["name"] if described else "", many=lists > 0, nested=lists > 1 or described is None)
