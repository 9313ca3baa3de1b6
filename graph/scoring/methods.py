"""Look up scoring methods by the names that clients give."""

from enum import StrEnum
from typing import TypeVar

from graph.errors import InputError

Method = TypeVar("Method", bound=StrEnum)


def method_named(methods: type[Method], name: str | None) -> Method | None:
    """Return the method with this name, None without a name. Raises `InputError` for an unknown name."""
    try:
        return methods(name) if name is not None else None
    except ValueError as error:
        known = " or ".join(method.value for method in methods)
        raise InputError(f"method is {name!r}, not {known}", "method") from error
