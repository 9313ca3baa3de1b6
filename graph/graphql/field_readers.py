"""Readers of the values of an answer: of plain attributes, and of fields that are answered for many objects at once.

A reader raises an arbitrary exception if a value does not conform to the schema. No reader awaits, or checks whether a
value can be awaited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Any

from graphql import GraphQLField, GraphQLLeafType, GraphQLObjectType, Undefined, is_enum_type
from graphql.execution.collect_fields import FieldDetailsList
from strawberry.types.field import StrawberryField

Answers = Mapping["Asked", Mapping[int, Any]]
"""The values of fields that were answered for many objects at once, by the `id` of the object."""

Read = Callable[[Any, Answers], Any]
"""A function from a value to its part of the answer."""

Find = Callable[[Any], Iterable[Any]]
"""A function from a value to the objects in it whose field is answered for many at once."""

_AS_THEY_ARE = {"String": str, "ID": str, "Boolean": bool}
"""Leaf types whose values, if exactly of this class, go into the answer unchanged."""

_FITTING: dict[str, Callable[[Any], bool]] = {
    "Float": lambda value: type(value) is float and isfinite(value),
    "Int": lambda value: type(value) is int and -(2**31) <= value < 2**31,
}
"""Leaf types whose values go into the answer unchanged if the predicate holds."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A field of an operation that is answered for many objects at once."""

    parent_type: GraphQLObjectType
    field: GraphQLField
    definition: StrawberryField
    details: FieldDetailsList


Asking = tuple[tuple[Asked, Find], ...]
"""The fields to answer, each with the function that finds its objects in a value."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of a value, once the fields in `asking` are answered; values of class `as_it_is` go in unchanged."""

    read: Read
    asking: Asking = ()
    as_it_is: type | None = None


@dataclass(frozen=True, slots=True)
class FieldReader:
    """A reader of an object's field: its name in the answer, the attribute, and the reader of the attribute's value."""

    name: str
    attribute: str
    value: Reader

    @property
    def asking(self) -> tuple[tuple[Asked, Find], ...]:
        """The fields to answer first, each with the function that finds its objects in the object."""
        return tuple((asked, _of_attribute(self.attribute, find)) for asked, find in self.value.asking)


def attribute_reader(name: str, attribute: str, value: Reader) -> FieldReader:
    """Return a reader of an attribute."""
    return FieldReader(name, attribute, value)


def method_reader(name: str, method: str, value: Reader) -> FieldReader:
    """Return a reader of the value of a method without arguments."""
    asking = tuple((asked, _of_value(find)) for asked, find in value.asking)
    return FieldReader(name, method, Reader(lambda call, answers: value.read(call(), answers), asking))


def asked_reader(name: str, method: str, asked: Asked, value: Reader) -> FieldReader:
    """Return a reader of a field that is answered for many objects at once; `method` answers it for one object."""

    def read(call: Any, answers: Answers) -> Any:
        return value.read(answers[asked][id(call.__self__)], answers)

    return FieldReader(name, method, Reader(read, ((asked, lambda call: (call.__self__,)),)))


def type_name_reader(name: str, object_type: GraphQLObjectType) -> FieldReader:
    """Return a reader of `__typename`."""
    type_name = object_type.name
    return FieldReader(name, "__class__", Reader(lambda _class, _answers: type_name))


def fields_reader(fields: Iterable[FieldReader]) -> Reader:
    """Return a reader of fields of an object into a dict."""
    fields = tuple(fields)
    columns = tuple((field.name, field.attribute, field.value.as_it_is, field.value.read) for field in fields)

    def read(source: Any, answers: Answers) -> dict[str, Any]:
        return {
            name: value if type(value := getattr(source, attribute)) is as_it_is else read_value(value, answers)
            for name, attribute, as_it_is, read_value in columns
        }

    return Reader(read, tuple(one for field in fields for one in field.asking))


def object_reader(cls: type, fields: Reader, required: bool) -> Reader:
    """Return a reader of objects of exactly one class; it raises for other classes, even of the same type."""

    def read(value: Any, answers: Answers) -> Any:
        if type(value) is cls:
            return fields.read(value, answers)
        if value is None:
            return _nothing(required)
        raise TypeError("the object may be of another type")

    return Reader(read, tuple((asked, _unless_none(find)) for asked, find in fields.asking))


def list_reader(item: Reader, required: bool) -> Reader:
    """Return a reader of lists."""
    as_it_is, read_item = item.as_it_is, item.read

    def read(values: Any, answers: Answers) -> Any:
        if values is None:
            return _nothing(required)
        if type(values) not in (list, tuple):
            raise TypeError("the values are in no list")
        return [value if type(value) is as_it_is else read_item(value, answers) for value in values]

    return Reader(read, tuple((asked, _of_each(find)) for asked, find in item.asking))


def leaf_reader(leaf_type: GraphQLLeafType, required: bool) -> Reader:
    """Return a reader of scalars and enumerations (GraphQL, "Result Coercion")."""
    coerce = leaf_type.coerce_output_value
    if is_enum_type(leaf_type):
        coerce = lru_cache(maxsize=None, typed=True)(coerce)  # an invalid value raises, and is not cached
    fits = _FITTING.get(leaf_type.name)

    def read(value: Any, _answers: Answers) -> Any:
        if fits is not None and fits(value):
            return value
        if value is None:
            return _nothing(required)
        completed = coerce(value)
        if completed is None or completed is Undefined:
            raise ValueError("the value is none of its type")
        return completed

    return Reader(read, as_it_is=_AS_THEY_ARE.get(leaf_type.name))


def _nothing(required: bool) -> Any:
    """Return None for a missing value; raise if the value is required."""
    if required:
        raise ValueError("there is no value")
    return None


def _of_attribute(attribute: str, find: Find) -> Find:
    return lambda source: find(getattr(source, attribute))


def _of_value(find: Find) -> Find:
    return lambda call: find(call())


def _of_each(find: Find) -> Find:
    return lambda values: [one for value in values or () for one in find(value)]


def _unless_none(find: Find) -> Find:
    return lambda value: () if value is None else find(value)
