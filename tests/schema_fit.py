"""Whether a value fits a JSON Schema, for the words of JSON Schema that ours use."""

import re
from collections.abc import Mapping
from typing import Any

from a2ap.packet.looks import word_set

KINDS: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}
WORDS = word_set(
    "$schema title description default examples $defs $ref type const enum anyOf minLength maxLength pattern minItems"
    " maxItems items properties required additionalProperties minimum maximum"
)


def fits(schema: Any, value: Any, root: Mapping[str, Any] | None = None) -> bool:
    """Say whether a value fits a schema; references lead into `root`, which is the schema itself at first."""
    root = schema if root is None else root
    if isinstance(schema, bool):
        return schema
    assert set(schema) <= WORDS, set(schema) - WORDS
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return fits(root["$defs"][name], value, root)
    return (
        _is_of(schema, value)
        and ("anyOf" not in schema or any(fits(one, value, root) for one in schema["anyOf"]))
        and _has_size(schema, value)
        and _has_parts(schema, value, root)
    )


def _is_of(schema: Mapping[str, Any], value: Any) -> bool:
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    flag = isinstance(value, bool)
    if kinds and not any(isinstance(value, KINDS[one]) and (one == "boolean") is flag for one in kinds):
        return False
    if "const" in schema and (value != schema["const"] or flag is not isinstance(schema["const"], bool)):
        return False
    return "enum" not in schema or value in schema["enum"]


def _has_size(schema: Mapping[str, Any], value: Any) -> bool:
    if isinstance(value, str):
        length = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
        return length and re.search(schema.get("pattern", ""), value) is not None
    if isinstance(value, list):
        return bool(schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return True


def _has_parts(schema: Mapping[str, Any], value: Any, root: Mapping[str, Any]) -> bool:
    if isinstance(value, list):
        return all(fits(schema.get("items", True), one, root) for one in value)
    if isinstance(value, dict):
        named, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        return set(schema.get("required", ())) <= set(value) and all(
            fits(named.get(name, others), one, root) for name, one in value.items()
        )
    return True
