"""What an operation may look like, by its text and its variables alone."""

from typing import Any

import pytest
from graphql import get_introspection_query, parse
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT

from graph.errors import TooLargeError
from graph.graphql.examples import EXAMPLES, Example
from graph.graphql.shape import (
    MAX_ALIASES,
    MAX_DEPTH,
    MAX_DIRECTIVES,
    MAX_DIRECTIVES_OF_FIELD,
    MAX_FIELDS,
    MAX_FRAGMENTS,
    MAX_OPERATIONS,
    MAX_REPEATS,
    MAX_ROOT_FIELDS,
    MAX_VALUE_DEPTH,
    MAX_VALUES,
    check_shape,
    check_variables,
)


def nested(levels: int) -> str:
    return "{ a " * levels + "}" * levels


def named(number: int, suffix: str = "") -> str:
    return " ".join(f"f{place}{suffix}" for place in range(number))


def doubling(levels: int) -> str:
    """Return a document whose fragments, expanded, have 2**levels fields."""
    fragments = [f"fragment f{n} on Q {{ ...f{n + 1} b {{ ...f{n + 1} }} }}" for n in range(levels)]
    return " ".join(["{ x { ...f0 } }", *fragments, f"fragment f{levels} on Q {{ a }}"])


TOO_MUCH = {
    "deep": (nested(MAX_DEPTH + 1), "fields deep"),
    "deep through a fragment": ("{ a { ...f } } fragment f on Q " + nested(MAX_DEPTH), "fields deep"),
    "aliases": ("{ x { " + named(MAX_ALIASES + 1, ": a") + " } }", f"{MAX_ALIASES} aliases"),
    "aliases through fragments": (
        f"{{ x {{ ...f y {{ ...f }} }} }} fragment f on Q {{ {named(MAX_ALIASES // 2 + 1, ': a')} }}",
        "aliases",
    ),
    "one field again and again": ("{ a { " + "b " * (MAX_REPEATS + 1) + "} }", "b stands more than"),
    "one fragment again and again": (
        "{ " + "...f " * (MAX_REPEATS + 1) + "} fragment f on Q { a }",
        "...f stands more than",
    ),
    "root fields": ("{ " + named(MAX_ROOT_FIELDS + 1) + " }", "root fields"),
    "root fields of a fragment": (
        f"{{ ...f a }} fragment f on Q {{ {named(MAX_ROOT_FIELDS)} }}",
        "root fields",
    ),
    "fields": ("{ x { " + named(MAX_FIELDS) + " } }", f"{MAX_FIELDS} fields"),
    "fields that double": (doubling(12), "fields"),
    "fields that double and double": (doubling(MAX_FRAGMENTS - 1), "fields"),
    "directives at one place": ("{ a " + "@x " * (MAX_DIRECTIVES_OF_FIELD + 1) + "}", "directives at one place"),
    "directives on an operation": (
        "query " + "@x " * (MAX_DIRECTIVES_OF_FIELD + 1) + "{ a }",
        "directives at one place",
    ),
    "directives": ("{ x { " + named(MAX_DIRECTIVES + 1, " @x") + " } }", f"{MAX_DIRECTIVES} directives"),
    "fragments": (
        "{ a } " + " ".join(f"fragment f{n} on Q {{ a }}" for n in range(MAX_FRAGMENTS + 1)),
        f"{MAX_FRAGMENTS} fragments",
    ),
    "operations": (" ".join(f"query q{n} {{ a }}" for n in range(MAX_OPERATIONS + 1)), "operations"),
}


@pytest.mark.parametrize(("query", "said"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_what_is_too_much_is_refused_by_name(query: str, said: str) -> None:
    with pytest.raises(TooLargeError, match=said):
        check_shape(parse(query))


ENOUGH = {
    "deep": nested(MAX_DEPTH),
    "aliases": "{ x { " + named(MAX_ALIASES, ": a") + " } }",
    "repeats": "{ a { " + "b " * MAX_REPEATS + "} }",
    "root fields": "{ " + named(MAX_ROOT_FIELDS) + " }",
    "directives": "{ x { " + named(MAX_DIRECTIVES, " @x") + " } }",
    "a fragment in itself": "{ ...f } fragment f on Q { a ...f }",
    "fragments in each other": "{ ...f } fragment f on Q { a ...g } fragment g on Q { ...f }",
    "a fragment that is not there": "{ ...f }",
    "what GraphiQL asks": get_introspection_query(specified_by_url=True, directive_is_repeatable=True),
}


@pytest.mark.parametrize("query", ENOUGH.values(), ids=ENOUGH)
def test_what_is_within_the_bounds_passes(query: str) -> None:
    check_shape(parse(query))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_examples_are_within_the_bounds(example: Example) -> None:
    check_shape(parse(example.query))


def test_variables_have_bounds_too() -> None:
    check_variables(None)
    check_variables({"ids": ["x"] * (MAX_VALUES - 1)})
    with pytest.raises(TooLargeError, match=f"{MAX_VALUES} values"):
        check_variables({"ids": ["x"] * MAX_VALUES})
    deep: Any = "x"
    for _ in range(MAX_VALUE_DEPTH - 1):
        deep = [deep]
    check_variables({"a": deep})
    with pytest.raises(TooLargeError, match="values deep"):
        check_variables({"a": [deep]})


@given(st.recursive(st.none() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
@PATIENT
def test_any_variables_are_counted_or_refused(value: Any) -> None:
    def depth(one: Any) -> int:
        within = list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else None
        return 1 + max(map(depth, within), default=0) if within is not None else 1

    if depth(value) <= MAX_VALUE_DEPTH:
        check_variables({"a": value})
    else:
        with pytest.raises(TooLargeError):
            check_variables({"a": value})
