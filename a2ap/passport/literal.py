"""The formula of §03 taken at its word: `JSON.stringify(payload, Object.keys(payload).sort())`.

The second argument is not an order but an allow-list, and it holds at every level: a member of a nested object is
written only if the payload itself has a member of that name (ECMA-262, JSON.stringify and SerializeJSONObject).
"""

from typing import Any

from a2ap.passport.ecmascript import utf16_order, write_number, write_text
from a2ap.passport.errors import NoFormError


def literal_bytes(payload: Any) -> bytes:
    """Return the bytes that the formula hashes. Raises NoFormError for `null`, which has no keys."""
    if payload is None:
        raise NoFormError("the payload has no form v1-literal: Object.keys(null) is an error")
    allowed = sorted(_keys(payload), key=utf16_order)
    return _write(payload, {name: place for place, name in enumerate(allowed)}).encode("utf-8")


def _keys(payload: Any) -> list[str]:
    # An array and a text have their indexes for keys; a text is counted in UTF-16 code units.
    if isinstance(payload, dict):
        return list(payload)
    if isinstance(payload, list):
        return [str(index) for index in range(len(payload))]
    return []  # those of a text name no member, since nothing is nested in it


def _write(value: Any, allowed: dict[str, int]) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return write_text(value)
    if isinstance(value, int | float):
        return write_number(value)
    if isinstance(value, list):
        return "[" + ",".join(_write(item, allowed) for item in value) + "]"
    members = []
    # Its own names, not all that are allowed: those may be many, and the objects as well.
    names = {name for name in (*value, "__proto__") if name in allowed}
    for name in sorted(names, key=allowed.__getitem__):
        if name in value:
            members.append(f"{write_text(name)}:{_write(value[name], allowed)}")
        else:
            # Members are got, not listed: a nested object inherits this one, and its own is null.
            members.append('"__proto__":{"__proto__":null}')
    return "{" + ",".join(members) + "}"
