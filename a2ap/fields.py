"""Reading one member of a message: its presence, type and range, each fault a `FieldError` that names it."""

import json
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from a2ap.errors import FieldError
from a2ap.identifiers import MAX_ID_BYTES, agent_id_problem, hash_problem, id_problem, key_agent, uuid_problem
from a2ap.json_text import MAX_INTEGER

E = TypeVar("E", bound=StrEnum)

Members = Mapping[str, Any]

# In one list of a message: the grounds of a claim, the answers of a verdict, the capabilities of an agent.
MAX_ITEMS = 500
MAX_NOTE_BYTES = 64 * 1024


def member_path(path: str, name: str) -> str:
    """Return the path of a member of the object at `path`."""
    return f"{path}.{name}" if path else name


def read_text(members: Members, name: str, path: str = "") -> str:
    """Return a required text, any text: control characters and the empty text are data."""
    value = members.get(name)
    if type(value) is not str:
        raise _fault(members, name, path, "a text")
    return value


def read_optional_text(members: Members, name: str, path: str = "") -> str | None:
    """Return a text, or `None` if there is no such member; `null` is not a text."""
    return read_text(members, name, path) if name in members else None


def read_line(members: Members, name: str, path: str = "") -> str:
    """Return a required text of 1 to 512 bytes without spaces and control characters: a key, a secret, a name."""
    value = read_text(members, name, path)
    if not 1 <= len(value.encode()) <= MAX_ID_BYTES or not value.isprintable() or " " in value:
        raise _fault(members, name, path, f"1 to {MAX_ID_BYTES} bytes without spaces")
    return value


def read_note(members: Members, name: str, path: str = "") -> str:
    """Return a required signed note (C2SP signed-note), as text; its signatures are not checked here."""
    note = read_text(members, name, path)
    check_note(note, member_path(path, name))
    return note


def check_note(note: str, path: str) -> None:
    """Raise `FieldError` unless a text has the frame of a signed note: text, an empty line, signature lines."""
    text, separator, signatures = note.rpartition("\n\n")
    if not text or not separator or not signatures.startswith("\u2014 ") or not signatures.endswith("\n"):
        raise FieldError(path, "is no signed note")
    if len(note.encode()) > MAX_NOTE_BYTES:
        raise FieldError(path, f"has more than {MAX_NOTE_BYTES} bytes")


def read_texts(members: Members, name: str, path: str = "") -> tuple[str, ...]:
    """Return a required list of texts, in document order."""
    values = read_list(members, name, path)
    for index, value in enumerate(values):
        if type(value) is not str:
            raise FieldError(f"{member_path(path, name)}[{index}]", f"is {shown(value)}, not a text")
    return tuple(values)


def read_id(members: Members, name: str, path: str = "") -> str:
    """Return a required id: an absolute IRI of at most 512 bytes."""
    return _read_sound(members, name, path, id_problem)


def read_agent_id(members: Members, name: str, path: str = "") -> str:
    """Return the required id of an agent: an IRI without `|` and `#`."""
    return _read_sound(members, name, path, agent_id_problem)


def read_uuid(members: Members, name: str, path: str = "") -> str:
    """Return a required `urn:uuid:…` in lower case."""
    return _read_sound(members, name, path, uuid_problem)


def read_hash(members: Members, name: str, path: str = "") -> str:
    """Return a required hash, `sha256:` and 64 hexadecimal digits."""
    return _read_sound(members, name, path, hash_problem)


def read_optional_hash(members: Members, name: str, path: str = "") -> str | None:
    """Return a hash, or `None` if there is no such member."""
    return read_hash(members, name, path) if name in members else None


def read_share(members: Members, name: str, path: str = "") -> float:
    """Return a required number from 0 to 1, both included (a confidence, a relevance, a threshold)."""
    value = members.get(name)
    # type(), not isinstance(): true is not a number.
    if type(value) not in (int, float) or not 0 <= value <= 1:  # type: ignore[operator]
        raise _fault(members, name, path, "a number from 0 to 1")
    return float(value)  # type: ignore[arg-type]


def read_optional_share(members: Members, name: str, path: str = "") -> float | None:
    """Return a number from 0 to 1, or `None` if there is no such member."""
    return read_share(members, name, path) if name in members else None


def read_integer(members: Members, name: str, path: str = "", *, least: int = 0, most: int = MAX_INTEGER) -> int:
    """Return a required integer from `least` to `most`, both included."""
    value = members.get(name)
    if type(value) is not int or not least <= value <= most:
        raise _fault(members, name, path, f"an integer from {least} to {most}")
    return value


def read_object(members: Members, name: str, path: str = "", *, type_name: str | None = None) -> dict[str, Any]:
    """Return a required object; if it has an `@type`, that must be `type_name`."""
    value = members.get(name)
    if type(value) is not dict:
        raise _fault(members, name, path, "an object")
    if type_name is not None:
        check_type(value, type_name, member_path(path, name))
    return value


def read_list(members: Members, name: str, path: str = "") -> list[Any]:
    """Return a required list of at most `MAX_ITEMS`."""
    value = members.get(name)
    if type(value) is not list:
        raise _fault(members, name, path, "a list")
    if len(value) > MAX_ITEMS:
        raise FieldError(member_path(path, name), f"has {len(value)} items, more than {MAX_ITEMS}")
    return value


def read_choice(members: Members, name: str, choices: type[E], path: str = "") -> E:
    """Return a required word out of an enumeration."""
    value = members.get(name)
    try:
        return choices(value)  # type: ignore[arg-type]
    except ValueError:
        raise _fault(members, name, path, "one of " + ", ".join(choices)) from None


def read_boolean(members: Members, name: str, path: str = "") -> bool:
    """Return a required true or false."""
    value = members.get(name)
    if type(value) is not bool:
        raise _fault(members, name, path, "true or false")
    return value


def read_key_id(members: Members, name: str, path: str = "", *, agent_id: str) -> str:
    """Return the required id of a key of this agent: `<agent>#<name>`."""
    value = read_text(members, name, path)
    check_key_id(value, agent_id, member_path(path, name))
    return value


def check_key_id(value: str, agent_id: str, path: str) -> None:
    """Raise `FieldError` unless `value` is the id of a key of this agent."""
    if problem := id_problem(value):
        raise FieldError(path, problem)
    if key_agent(value) != agent_id or value.endswith("#"):
        raise FieldError(path, f"is {value!r}, not {agent_id}# and the name of a key")


def check_type(members: Members, type_name: str, path: str) -> None:
    """Raise `FieldError` if an object has another `@type`; without one it passes, as in A2AP §2.3."""
    if members.get("@type", type_name) != type_name:
        raise FieldError(member_path(path, "@type"), f"is {shown(members['@type'])}, not {type_name}")


def check_distinct(values: Sequence[str], path: str) -> None:
    """Raise `FieldError` if a value is there twice."""
    if len(set(values)) != len(values):
        repeated = next(value for index, value in enumerate(values) if value in values[:index])
        raise FieldError(path, f"has {shown(repeated)} twice")


def shown(value: Any) -> str:
    """Return a value as JSON, shortened, for an error message."""
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _fault(members: Members, name: str, path: str, expected: str) -> FieldError:
    if name not in members:
        return FieldError(member_path(path, name), "is missing")
    return FieldError(member_path(path, name), f"is {shown(members[name])}, not {expected}")


def _read_sound(members: Members, name: str, path: str, problem_of: Callable[[str], str | None]) -> str:
    value = read_text(members, name, path)
    if problem := problem_of(value):
        raise FieldError(member_path(path, name), problem)
    return value
