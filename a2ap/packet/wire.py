"""Values to members on the wire and back: by the names and types of their dataclasses, for packets and records."""

from collections.abc import Hashable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from a2ap.packet.errors import PacketFormError

T = TypeVar("T")


def wire_members(value: Any) -> Any:
    """Return a value as on the wire: an object of the members that are there, in the order of its class."""
    if is_dataclass(value):
        members = {one.name.rstrip("_"): wire_members(getattr(value, one.name)) for one in fields(value)}
        return {name: member for name, member in members.items() if member is not None and member != {}}
    if isinstance(value, tuple):
        return [wire_members(item) for item in value]
    return str(value) if isinstance(value, str) else value


def read_members(kind: type[T], members: Any, path: str = "") -> T:
    """Return the value of a class from an object on the wire; members that the class does not have are ignored.

    Raises PacketFormError at the first member that is missing or of another type.
    """
    if not isinstance(members, Mapping):
        raise PacketFormError(f"{path or 'the document'} is not an object")
    hints = _hints(cast(Hashable, kind))
    found = {}
    for one in fields(kind):  # type: ignore[arg-type]
        name = one.name.rstrip("_")
        place = f"{path}.{name}" if path else name
        value = members.get(name)
        if value is not None:
            found[one.name] = _read(hints[one.name], value, place)
        elif NoneType in get_args(hints[one.name]):
            found[one.name] = None
        elif one.default is MISSING and one.default_factory is MISSING:
            raise PacketFormError(f"{place} is missing")
    return kind(**found)


def _read(hint: Any, value: Any, path: str) -> Any:
    if isinstance(hint, UnionType):
        return _read_one_of([one for one in get_args(hint) if one is not NoneType], value, path)
    if get_origin(hint) is tuple:
        if not isinstance(value, list):
            raise PacketFormError(f"{path} is not a list")
        return tuple(_read(get_args(hint)[0], item, f"{path}[{index}]") for index, item in enumerate(value))
    if is_dataclass(hint) and isinstance(hint, type):
        return read_members(hint, value, path)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        try:
            return hint(value)
        except ValueError:
            raise PacketFormError(f"{path} is none of {', '.join(hint)}") from None
    if get_origin(hint) is not None:
        if not isinstance(value, dict):
            raise PacketFormError(f"{path} is not an object")
        return value
    if type(value) is not hint:
        raise PacketFormError(f"{path} is not {_WORDS.get(hint, hint.__name__)}")
    return value


def _read_one_of(hints: list[Any], value: Any, path: str) -> Any:
    # Of two forms, that of an object is taken for an object and for nothing else.
    for hint in hints[:-1]:
        if is_dataclass(hint) == isinstance(value, dict):
            return _read(hint, value, path)
    return _read(hints[-1], value, path)


@cache
def _hints(kind: Hashable) -> dict[str, Any]:
    return get_type_hints(cast(type, kind))


_WORDS = {str: "a text", int: "an integer", bool: "true or false"}
