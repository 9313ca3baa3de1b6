"""Selections that are read without graphql-core, or asked together, beside what graphql-core makes of them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest
import strawberry
from cost import calls_of

from graph.graphql.fields import resolved_together
from graph.graphql.plain_fields import PlainFieldsExecutor


@strawberry.enum
class Colour(Enum):
    RED = "red"
    GREEN = "green"


@strawberry.interface
class Named:
    name: str


async def shades_of(leaves: Sequence["Leaf"], info: strawberry.Info[list[int] | None, None], times: int) -> list[str]:
    if info.context is not None:
        info.context.append(len(leaves))
    if times > 9 or any(leaf.colour is Colour.GREEN for leaf in leaves):
        raise ValueError("it has no shade")
    await asyncio.sleep(0)
    return [leaf.name * times for leaf in leaves]


async def kin_of(leaves: Sequence["Leaf"]) -> list[list["Leaf"]]:
    return [[Leaf(name=leaf.name, size=size) for size in range(leaf.size)] for leaf in leaves]


@strawberry.type
class Leaf(Named):
    size: int
    colour: Colour | None = None
    broken: int = 1

    @resolved_together(shades_of)
    async def shade(self, info: strawberry.Info[list[int] | None, None], times: int = 1) -> str | None:
        return (await shades_of([self], info, times))[0]

    @resolved_together(kin_of)
    async def kin(self) -> list["Leaf"]:
        return (await kin_of([self]))[0]

    @strawberry.field
    def title(self) -> str:
        return self.name.title()

    @strawberry.field
    async def slow(self) -> int:
        await asyncio.sleep(0)
        return self.size


@strawberry.type
class Tree:
    leaf: Leaf
    leaves: list[Leaf]
    grid: list[list[int]]
    missing: Leaf | None = None

    @strawberry.field
    def first(self, number: int) -> list[Leaf]:
        return self.leaves[:number]

    @strawberry.field
    async def named(self) -> list[Named]:
        return list(self.leaves)

    @strawberry.field
    def branch(self) -> "Tree":
        return Tree(leaf=self.leaf, leaves=self.leaves[1:], grid=[])


@dataclass
class Stranger:
    name: str = "stranger"
    size: int = 1


def tree() -> Tree:
    leaves = [Leaf(name=f"n{number}", size=number, colour=Colour.RED if number else None) for number in range(3)]
    return Tree(leaf=leaves[0], leaves=leaves, grid=[[1, 2], []])


@strawberry.type
class Query:
    @strawberry.field
    def tree(self) -> Tree:
        return tree()

    @strawberry.field
    def wrong(self) -> Tree | None:
        found = tree()
        found.leaves[1].size = None  # type: ignore[assignment]
        return found

    @strawberry.field
    def strange(self) -> Tree | None:
        found = tree()
        found.missing = Stranger()  # type: ignore[assignment]
        return found

    @strawberry.field
    def unfit(self) -> Tree | None:
        found = tree()
        found.leaves[2].broken = "three"  # type: ignore[assignment]
        return found

    @strawberry.field
    def shadeless(self) -> list[Tree | None]:
        found = [tree(), tree()]
        found[1].leaves[2].colour = Colour.GREEN
        return list(found)

    @strawberry.field
    def forest(self) -> list[Tree]:
        return [tree() for _ in range(200)]


WITH = strawberry.Schema(query=Query, execution_context_class=PlainFieldsExecutor)
WITHOUT = strawberry.Schema(query=Query)

LEAF = "{ name size colour __typename }"
OPERATIONS = [
    "{ tree { leaf { size again: size name } leaves { name colour } grid missing { name } __typename } }",
    f"{{ tree {{ first(number: 2) {LEAF} leaf {LEAF} last: first(number: 3) {{ slow size }} grid }} }}",
    "{ tree { leaf { slow } ...More } } fragment More on Tree { leaf { size } leaves { ...Some slow } } "
    "fragment Some on Named { name ... on Leaf { size } }",
    "{ tree { named { name ... on Leaf { size slow } } leaf { name } } }",
    "query ($no: Boolean = false) { tree { leaf { size @include(if: $no) name @skip(if: $no) } "
    "grid @include(if: $no) } }",
    "{ wrong { leaves { size } } tree { leaf { size } } }",
    "{ wrong { leaves { size slow } grid } }",
    "{ strange { missing { name size } grid } }",
    "{ unfit { leaves { name broken } } wrong { leaves { colour } } }",
    "{ tree { leaf { shade title } leaves { name shade(times: 2) thrice: shade(times: 3) kin { size __typename } } "
    "missing { shade } branch { grid leaves { shade name } } } }",
    "query ($times: Int!) { tree { leaves { kin { kin { title } shade } shade(times: $times) slow } } }",
    "{ tree { named { name ... on Leaf { shade kin { slow } } } first(number: 2) { shade } } }",
    "{ shadeless { leaves { shade name } grid } forest { leaf { size } } }",
    "{ shadeless { leaves { slow shade } } wrong { leaves { shade size } } tree { leaf { shade(times: 10) } } }",
    "{ wrong { leaves { shade kin { size } size name } } unfit { branch { leaves { shade broken } } } }",
]


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_the_answer_is_that_of_graphql_core(operation: str) -> None:
    variables = {"times": 2} if "$times" in operation else None
    answer, expected = [await schema.execute(operation, variable_values=variables) for schema in (WITH, WITHOUT)]
    assert as_told(answer) == as_told(expected)


async def test_what_is_resolved_together_is_asked_once_for_all_objects_of_an_answer() -> None:
    asked: list[int] = []
    answer = await WITH.execute("{ forest { leaves { shade } branch { leaf { shade } } } }", context_value=asked)
    assert answer.errors is None
    assert sorted(asked) == [200, 600]


async def test_what_is_resolved_together_is_asked_in_each_list_where_graphql_core_has_a_part_in_it() -> None:
    asked: list[int] = []
    await WITH.execute("{ tree { leaves { slow shade } } }", context_value=asked)
    assert asked == [1, 1, 1]


def as_told(result: Any) -> tuple[str, list[Any]]:
    """Return the data, its order included, and the errors."""
    errors = [(str(error.path), error.message, error.locations) for error in result.errors or []]
    return str(result.data), sorted(errors, key=lambda error: error[:2])


def test_attributes_cost_a_fraction() -> None:
    operation = "{ forest { leaf { name size } leaves { name size colour } grid } }"

    def cost(schema: strawberry.Schema) -> int:
        schema.execute_sync(operation)
        return calls_of(lambda: schema.execute_sync(operation))

    assert 4 * cost(WITH) < cost(WITHOUT)
