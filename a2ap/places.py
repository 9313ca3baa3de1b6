"""The path of a value in a document, as `evidence[0].byteRange`, found only once there is an error to report."""

from collections.abc import Callable
from typing import Any

# The place of the object or list that holds the value, and its name or index there. `None` is the document itself.
_Place = tuple[Any, str | int] | None


def find_value(document: Any, is_sought: Callable[[Any], bool]) -> tuple[str, Any] | None:
    """Return the path of a value that is sought, and the value; does not recurse."""
    pending: list[tuple[_Place, Any]] = [(None, document)]
    while pending:
        place, value = pending.pop()
        if is_sought(value):
            return _path(place), value
        members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for step, member in members:
            if isinstance(member, dict | list):
                pending.append(((place, step), member))
            elif is_sought(member):
                return _path((place, step)), member
    return None


def _path(place: _Place) -> str:
    steps: list[str] = []
    while place is not None:
        place, step = place
        if isinstance(step, int):
            steps.append(f"[{step}]")
        else:
            steps.append("." + step[:64].encode("utf-8", "replace").decode("utf-8"))
    return "".join(reversed(steps)).removeprefix(".")
