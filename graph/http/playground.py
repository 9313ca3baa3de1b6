"""GraphQL over HTTP: Strawberry's router, whose GraphiQL opens with questions that this graph can answer."""

import json
import re

import strawberry
from strawberry.fastapi import GraphQLRouter
from strawberry.http.ides import get_graphql_ide_html

from graph.graphql.context import Context
from graph.graphql.examples import EXAMPLES
from graph.graphql.loaders import Loaders
from graph.http.requests import PlatformOf, ReaderOf

_QUERY = re.compile(r"const EXAMPLE_QUERY = `[^`]*`;")
_PROPERTY = "fetcher: fetcher,"


class Playground(GraphQLRouter[Context, None]):
    """Strawberry's router with pages of its own words."""

    graphql_ide_html = ""


def graphql_router(schema: strawberry.Schema) -> Playground:
    """Return the routes of `/graphql`."""
    router = Playground(schema, path="/graphql", context_getter=_context)
    router.graphql_ide_html = playground_page(get_graphql_ide_html("graphiql"))
    return router


def playground_page(page: str) -> str:
    """Return Strawberry's GraphiQL page with a tab for each example, the first of them open.

    Raises `LookupError` where the page is not as it was: then this file has to follow.
    """
    tabs = _script_text([{"query": example.query} for example in EXAMPLES])
    first = _script_text(EXAMPLES[0].query)
    page, queries = _QUERY.subn(lambda _: f"const EXAMPLE_TABS = {tabs};\n      const EXAMPLE_QUERY = {first};", page)
    if queries != 1 or page.count(_PROPERTY) != 1:
        raise LookupError("GraphiQL's page has no example query to replace")
    # A link that brings a query opens that one alone.
    page = page.replace(_PROPERTY, f"{_PROPERTY}\n          defaultTabs: parameters.q ? undefined : EXAMPLE_TABS,")
    return page.replace("<title>Strawberry GraphiQL</title>", "<title>A2AP questions</title>")


async def _context(platform: PlatformOf, reader: ReaderOf) -> Context:
    return Context(platform, reader, Loaders(platform.store, reader))


def _script_text(value: object) -> str:
    """Return JSON that may stand in a script of a page."""
    return json.dumps(value).replace("<", "\\u003c")
