"""The forms in which payloads are hashed: seven that are in use, of which no two agree on every payload.

| profile | whose | members in the order of | numbers | leaves out |
|---|---|---|---|---|
| `v1-literal` | the formula of §03, run as it stands | UTF-16 | ECMAScript | nested names that are none of the top |
| `v1-python` | context-passport 1.x of PyPI | code points | Python, 1.0 is 1.0 | nothing |
| `v1-typescript` | @contextpassport/core 1.x of npm | ECMAScript objects | ECMAScript | `__proto__` |
| `v1-darkmatter` | DarkMatter's server | UTF-16 | ECMAScript, fractions in 17 digits | nothing |
| `v2` | version 2.0 of the specification, RFC 8785 | UTF-16 | ECMAScript | nothing |
| `v2-python` | context-passport 2.0.0 | code points | Python, 1.0 is 1 | nothing |
| `v2-typescript` | @contextpassport/core 2.0.0 | ECMAScript objects | ECMAScript | `__proto__` |
"""

import json
import math
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice
from typing import Any, NamedTuple

from a2ap.canonical import canonicalize
from a2ap.json_text import MAX_INTEGER
from a2ap.passport.darkmatter import darkmatter_bytes
from a2ap.passport.errors import NoFormError
from a2ap.passport.literal import literal_bytes
from a2ap.passport.sdk_forms import python_1_bytes, python_2_bytes, typescript_bytes

MAX_PATHS = 100
"""The maximum number of paths that are listed for one payload."""
MAX_PATH = 400
"""The maximum characters of a path; a path that is cut ends in three dots."""


class PayloadProfile(StrEnum):
    """The name of a form, which travels with every hash that we state."""

    V1_PYTHON = "v1-python"
    V1_TYPESCRIPT = "v1-typescript"
    V1_DARKMATTER = "v1-darkmatter"
    V1_LITERAL = "v1-literal"
    V2 = "v2"
    V2_PYTHON = "v2-python"
    V2_TYPESCRIPT = "v2-typescript"

    @property
    def major(self) -> int:
        """Return the major version of the specification to which the form belongs."""
        return int(self.value[1])


def payload_bytes(profile: PayloadProfile, payload: Any) -> bytes:
    """Return the bytes of a payload that are hashed under a profile.

    `payload` is as `json_text` reads it. Raises NoFormError if the program of that form refuses the payload.
    """
    try:
        match profile:
            case PayloadProfile.V1_LITERAL:
                return literal_bytes(payload)
            case PayloadProfile.V1_PYTHON:
                return python_1_bytes(payload)
            case PayloadProfile.V1_TYPESCRIPT:
                return typescript_bytes(payload, finite=False)
            case PayloadProfile.V1_DARKMATTER:
                return darkmatter_bytes(payload)
            case PayloadProfile.V2:
                return canonicalize(payload)
            case PayloadProfile.V2_PYTHON:
                return python_2_bytes(payload)
            case PayloadProfile.V2_TYPESCRIPT:
                return typescript_bytes(payload, finite=True)
    except NoFormError:
        raise
    except (ValueError, RecursionError) as error:
        raise NoFormError(f"the payload has no form {profile}: {error}") from error


def uncovered_paths(profile: PayloadProfile, payload: Any, path: str = "payload") -> tuple[str, ...]:
    """Return the paths in a payload that may change without changing its hash under a profile, in their order.

    These are members that are left out, and, if numbers are ECMAScript's, numbers that a double does not hold. Only the
    first `MAX_PATHS` are returned, and long ones are cut: the author of a payload decides how many there are.
    """
    return tuple(_written(path, link) for link in islice(_uncovered(profile, payload), MAX_PATHS))


def covers_all(profile: PayloadProfile, payload: Any) -> bool:
    """Say whether nothing in a payload may change without changing its hash under a profile."""
    return next(_uncovered(profile, payload), None) is None


class _Link(NamedTuple):
    """The place of a value: its name or number in another; a path is written only for a value that is found."""

    within: "_Link | None"
    name: str | int


def _uncovered(profile: PayloadProfile, payload: Any) -> Iterator[_Link]:
    allowed = frozenset(payload) if isinstance(payload, dict) else frozenset(map(str, range(_length(payload))))
    top = _Link(None, "")
    pending: list[tuple[_Link, Any]] = [(top, payload)]
    while pending:
        link, value = pending.pop()
        if isinstance(value, list):
            pending.extend((_Link(link, index), value[index]) for index in range(len(value) - 1, -1, -1))
        elif isinstance(value, dict):
            members = []
            for name, member in value.items():
                if _leaves_out(profile, name, allowed, link is top):
                    yield _Link(link, name)
                else:
                    members.append((_Link(link, name), member))
            pending.extend(reversed(members))
        elif profile in _OF_DOUBLES and _is_rounded(value):
            yield link


def _written(path: str, link: _Link) -> str:
    names: list[str | int] = []
    while link.within is not None:
        names.append(link.name)
        link = link.within
    for name in reversed(names):
        path += f"[{name}]" if isinstance(name, int) else _member(name)
        if len(path) > MAX_PATH:
            return f"{path[:MAX_PATH]}…"
    return path


_OF_DOUBLES = (
    PayloadProfile.V1_DARKMATTER,
    PayloadProfile.V1_LITERAL,
    PayloadProfile.V1_TYPESCRIPT,
    PayloadProfile.V2_TYPESCRIPT,
)


def _is_rounded(value: Any) -> bool:
    # ECMAScript writes these as a neighbour, or as null.
    if isinstance(value, float):
        return not math.isfinite(value)
    return isinstance(value, int) and not -MAX_INTEGER <= value <= MAX_INTEGER


def _leaves_out(profile: PayloadProfile, name: str, allowed: frozenset[str], is_top: bool) -> bool:
    if profile is PayloadProfile.V1_LITERAL:
        return not is_top and name not in allowed
    return name == "__proto__" and profile in (PayloadProfile.V1_TYPESCRIPT, PayloadProfile.V2_TYPESCRIPT)


def _length(payload: Any) -> int:
    return len(payload) if isinstance(payload, list) else 0


def _member(name: str) -> str:
    name = name[: MAX_PATH + 1]
    return f".{name}" if name.isidentifier() else f"[{json.dumps(name)}]"
