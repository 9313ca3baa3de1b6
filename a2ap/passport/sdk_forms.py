"""The forms that the published libraries hash: context-passport of PyPI and @contextpassport/core of npm."""

import json
import math
from typing import Any

from a2ap.passport.ecmascript import own_key_order, write_number, write_text
from a2ap.passport.errors import NoFormError


def python_1_bytes(value: Any) -> bytes:
    """Return the bytes of Python's own encoder, escaped to ASCII: 1.0 stays 1.0, and 1e400 is `Infinity`."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def python_2_bytes(value: Any) -> bytes:
    """Return the bytes of version 2.0.0, which intends RFC 8785 and differs from it.

    Names are in the order of code points, and fractions as Python writes them; an integer may have any size. Raises
    NoFormError for infinite numbers and lone surrogates.
    """
    text = json.dumps(_fold(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise NoFormError("the payload has no form v2-python: it has a lone surrogate") from error


def typescript_bytes(value: Any, *, finite: bool) -> bytes:
    """Return the bytes of the TypeScript library: sorted into new objects, then `JSON.stringify`.

    If `finite`, as from version 2.0.0 on, an infinite number raises NoFormError; before it was written as `null`.
    """
    return _write(value, finite).encode("utf-8")


def _fold(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _fold(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_fold(item) for item in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NoFormError("the payload has no form v2-python: it has an infinite number")
        return int(value) if value.is_integer() else value
    return value


def _write(value: Any, finite: bool) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return write_text(value)
    if isinstance(value, int | float):
        return _number(value, finite)
    if isinstance(value, list):
        return "[" + ",".join(_write(item, finite) for item in value) + "]"
    # Assigning to __proto__ makes no member.
    names = sorted((name for name in value if name != "__proto__"), key=own_key_order)
    return "{" + ",".join(f"{write_text(name)}:{_write(value[name], finite)}" for name in names) + "}"


def _number(value: int | float, finite: bool) -> str:
    text = write_number(value)
    if finite and text == "null":
        raise NoFormError("the payload has no form v2-typescript: it has an infinite number")
    return text
