"""Messages on spans, in the JSON form of the GenAI conventions: a role, and parts of texts, calls of tools and others.

Attributes have them as JSON text or, with newer instrumentations, structured. Other values are left as they are.
"""

import json
from collections.abc import Mapping
from typing import Any


def plain(value: Any) -> Any:
    """Return the value of an attribute as JSON: read-only mappings and tuples become objects and lists."""
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value


def prompts_of(instructions: Any, messages: Any) -> list[tuple[str, Any]]:
    """Return the prompts of a model by role: its instructions, and each message with its text or its parts."""
    prompts = [] if instructions is None else [("system", _text_of(_parsed(instructions)))]
    found = _parsed(messages)
    if _is_list_of(found, "role", "parts"):
        return prompts + [(str(one["role"]), _text_of(one["parts"])) for one in found]
    return prompts if messages is None else [*prompts, ("input", plain(messages))]


def completion_of(messages: Any) -> Any:
    """Return the completion of a model: the text of its only message, or the messages."""
    found = _parsed(messages)
    if _is_list_of(found, "role", "parts") and len(found) == 1:
        return _text_of(found[0]["parts"])
    return plain(messages)


def _text_of(parts: Any) -> Any:
    """Return the text of a message that has one part, of text; otherwise the parts."""
    if _is_list_of(parts, "type", "content") and len(parts) == 1 and parts[0]["type"] == "text":
        return parts[0]["content"]
    return parts


def _is_list_of(value: Any, *members: str) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, dict) and all(name in one for name in members) for one in value
    )


def _parsed(value: Any) -> Any:
    if not isinstance(value, str):
        return plain(value)
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
