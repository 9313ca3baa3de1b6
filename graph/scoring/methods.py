"""Methods of scoring by the names that readers give them."""

from enum import StrEnum
from typing import TypeVar

from graph.errors import InputError

Method = TypeVar("Method", bound=StrEnum)


def method_named(methods: type[Method], name: str | None) -> Method | None:
    """Return the method of a name, None where there is no name. Raises `InputError` for an unknown one."""
    try:
        return methods(name) if name is not None else None
    except ValueError as error:
        known = " or ".join(method.value for method in methods)
        raise InputError(f"method is {name!r}, not {known}", "method") from error
