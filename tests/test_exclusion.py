"""Which of several statements that exclude each other may be verified: a rule that nobody can turn against others."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from graph.disputes.exclusion import CLEAR_MARGIN, Contradiction, Side, objections, wins

NAMES = tuple("abcdef")
OPERATORS = ("north", "south", "east")

scores = st.integers(0, 10_000).map(lambda number: number / 10_000)
operators = st.frozensets(st.sampled_from(OPERATORS))


@st.composite
def worlds(draw: st.DrawFn) -> tuple[dict[str, Side], list[Contradiction]]:
    """Draw some statements and what excludes what."""
    names = NAMES[: draw(st.integers(2, len(NAMES)))]
    sides = {
        name: Side(name, f"urn:uuid:{name}", draw(scores), draw(st.booleans()), draw(operators), draw(operators))
        for name in names
    }
    pair = st.tuples(st.sampled_from(names), st.sampled_from(names), st.sampled_from(["one", "other", "both", "seen"]))
    drawn = draw(st.lists(pair, max_size=10))
    return sides, [contradiction(*one) for one in drawn]


def contradiction(one: str, other: str, how: str) -> Contradiction:
    return Contradiction(
        one, other, by_one=how in ("one", "both"), by_other=how in ("other", "both"), detected=how == "seen"
    )


def verified(sides: dict[str, Side], contradictions: list[Contradiction]) -> set[str]:
    against = objections(sides, contradictions)
    return {name for name, side in sides.items() if side.carried and not against[name]}


def a_side(name: str, score: float = 0.9, **changes: object) -> Side:
    return replace(Side(name, f"urn:uuid:{name}", score, carried=True), **changes)  # type: ignore[arg-type]


@given(world=worlds())
def test_two_that_exclude_each_other_are_never_both_verified(
    world: tuple[dict[str, Side], list[Contradiction]],
) -> None:
    sides, contradictions = world
    found = verified(sides, contradictions)
    assert not any({one.one, one.other} <= found for one in contradictions if one.one != one.other)


@given(world=worlds(), data=st.data())
def test_the_order_does_not_matter(world: tuple[dict[str, Side], list[Contradiction]], data: st.DataObject) -> None:
    sides, contradictions = world
    turned = [
        Contradiction(one.other, one.one, one.by_other, one.by_one, one.detected)
        for one in data.draw(st.permutations(contradictions))
    ]
    shuffled = {name: sides[name] for name in data.draw(st.permutations(list(sides)))}
    assert objections(shuffled, turned) == objections(sides, contradictions)


@given(world=worlds(), data=st.data())
def test_a_higher_score_never_loses_a_statement_its_verification_nor_gives_it_to_an_opponent(
    world: tuple[dict[str, Side], list[Contradiction]], data: st.DataObject
) -> None:
    sides, contradictions = world
    name = data.draw(st.sampled_from(list(sides)))
    better = replace(sides[name], score=max(sides[name].score, data.draw(scores)), carried=True)
    before, after = verified(sides, contradictions), verified({**sides, name: better}, contradictions)
    assert name not in before or name in after
    assert after - {name} <= before


@given(world=worlds(), data=st.data())
def test_another_contradiction_never_gets_anything_verified(
    world: tuple[dict[str, Side], list[Contradiction]], data: st.DataObject
) -> None:
    sides, contradictions = world
    names = st.sampled_from(list(sides))
    more = contradiction(data.draw(names), data.draw(names), "seen")
    assert verified(sides, [*contradictions, more]) <= verified(sides, contradictions)


@given(world=worlds(), data=st.data())
def test_what_its_verdicts_do_not_carry_takes_nothing_from_anybody(
    world: tuple[dict[str, Side], list[Contradiction]], data: st.DataObject
) -> None:
    sides, contradictions = world
    how = st.sampled_from(["one", "other", "both", "seen"])
    stranger = Side("stranger", "urn:uuid:stranger", data.draw(scores), carried=False)
    more = [contradiction("stranger", name, data.draw(how)) for name in sides]
    assert verified({**sides, "stranger": stranger}, [*contradictions, *more]) == verified(sides, contradictions)


@given(world=worlds(), data=st.data())
def test_what_alone_says_that_it_contradicts_others_takes_nothing_until_one_operator_judges_so(
    world: tuple[dict[str, Side], list[Contradiction]], data: st.DataObject
) -> None:
    """A trivial truth that contradicts everything, and is carried because it is true."""
    sides, contradictions = world
    trivial = Side("trivial", "urn:uuid:trivial", 1.0, carried=True, carried_by=frozenset({"west"}))
    more = [Contradiction("trivial", name, by_one=True) for name in sides]
    found = verified({**sides, "trivial": trivial}, [*contradictions, *more])
    assert found - {"trivial"} == verified(sides, contradictions)
    assert ("trivial" in found) == (not any(side.carried for side in sides.values()))


def test_the_better_one_wins_by_a_clear_margin_and_by_no_less() -> None:
    assert wins(a_side("a", 0.9), a_side("b", 0.9 - CLEAR_MARGIN))
    assert not wins(a_side("a", 0.9), a_side("b", 0.9 - CLEAR_MARGIN + 1e-4))
    # As published: four decimals.
    assert wins(a_side("a", 0.89996), a_side("b", 0.80004))


def test_each_side_is_told_why() -> None:
    sides = {"a": a_side("a", 0.93), "b": a_side("b", 0.71), "c": a_side("c", 0.9)}
    found = objections(sides, [contradiction("a", "b", "seen")])
    assert found == {"a": (), "b": ("It is excluded by urn:uuid:a, which scores 0.9300.",), "c": ()}
    found = objections(sides, [contradiction("a", "c", "seen")])
    assert found["a"] == ("It is in open dispute with urn:uuid:c, which scores 0.9000: neither is clearly ahead.",)


def test_an_operator_that_judges_for_the_one_and_against_the_other_makes_a_declaration_bind_both() -> None:
    said = Contradiction("x", "y", by_one=True)
    declaring = a_side("x", 0.95, carried_by=frozenset({"north", "south"}))
    alone = objections({"x": declaring, "y": a_side("y", 0.8)}, [said])
    assert alone["y"] == ()
    assert alone["x"] == (
        "It says that it contradicts urn:uuid:y, which scores 0.8000, and no verifier that counts has judged so.",
    )
    judged = objections({"x": declaring, "y": a_side("y", 0.8, opposed_by=frozenset({"north"}))}, [said])
    assert judged["x"] == ()
    assert judged["y"] == ("It is excluded by urn:uuid:x, which scores 0.9500.",)
    unrelated = objections({"x": declaring, "y": a_side("y", 0.8, opposed_by=frozenset({"east"}))}, [said])
    assert unrelated["y"] == ()
