"""What rests on what comes in order, and a circle is entered at one of its own names."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from graph.lineage.causal_order import causal_order

Name = tuple[str]


def ordered(causes: dict[str, set[str]], places: dict[str, int]) -> list[str]:
    waits = {(name,): {(one,) for one in causes.get(name, ())} for name in places}
    follows: defaultdict[Name, list[Name]] = defaultdict(list)
    for name, named in waits.items():
        for one in named:
            follows[one].append(name)
    return [name for (name,) in causal_order(waits, follows, lambda name: (places[name[0]], *name))]


def reached(name: str, causes: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    pending = [name]
    while pending:
        fresh = causes.get(pending.pop(), set()) - found
        found |= fresh
        pending += fresh
    return found


def test_an_effect_of_a_circle_that_is_older_than_it_comes_behind() -> None:
    causes = {"a": {"b"}, "b": {"a"}, "effect": {"b"}, "last": {"effect"}}
    assert ordered(causes, {"effect": 0, "last": 1, "a": 2, "b": 3}) == ["a", "b", "effect", "last"]


@given(
    st.integers(1, 9).flatmap(
        lambda size: st.tuples(
            st.permutations(range(size)), st.sets(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)))
        )
    )
)
def test_every_name_comes_once_and_after_what_it_comes_from_but_in_a_circle(
    drawn: tuple[list[int], set[tuple[int, int]]],
) -> None:
    order, edges = drawn
    places = {f"n{at}": place for at, place in enumerate(order)}
    causes: dict[str, set[str]] = {name: set() for name in places}
    for first, second in edges:
        if first != second:
            causes[f"n{first}"].add(f"n{second}")
    found = ordered(causes, places)
    assert sorted(found) == sorted(places)
    for name in found:
        for cause in causes[name]:
            in_a_circle = name in reached(cause, causes)
            assert in_a_circle or found.index(cause) < found.index(name)
