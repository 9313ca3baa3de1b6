"""GraphQL over HTTP: Strawberry's router, whose GraphiQL opens with questions that this graph can answer."""

import json
import re
from datetime import timedelta
from hashlib import sha256

import strawberry
from starlette.requests import HTTPConnection
from strawberry.exceptions import ConnectionRejectionError
from strawberry.fastapi import GraphQLRouter
from strawberry.http.ides import get_graphql_ide_html
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.types.unset import UnsetType

from graph.clearance import Readers
from graph.errors import UnauthenticatedError
from graph.graphql.context import Context
from graph.graphql.examples import EXAMPLES
from graph.graphql.loaders import Loaders
from graph.http.requests import PlatformOf, ReaderOf

_QUERY = re.compile(r"const EXAMPLE_QUERY = `[^`]*`;")
_PROPERTY = "fetcher: fetcher,"
_INIT_PATIENCE = timedelta(seconds=10)

MAX_OPERATIONS = 16
"""Operations that are under way on one WebSocket at most."""


class Playground(GraphQLRouter[Context, None]):
    """Strawberry's router with pages of its own words."""

    graphql_ide_html = ""

    async def on_ws_connect(self, context: Context) -> UnsetType | dict[str, object] | None:
        """Take the token of a client that cannot send headers: `authorization` in the payload of connection_init."""
        stated = context.connection_params if isinstance(context.connection_params, dict) else {}
        token = stated.get("authorization", stated.get("Authorization"))
        if token is not None and context.request is not None:
            readers: Readers = context.request.app.state.readers
            try:
                context.reader = readers.find(token if isinstance(token, str) else "?")
                context.subscriber = subscriber_of(context.request, str(token))
            except UnauthenticatedError as error:
                raise ConnectionRejectionError from error
        return await super().on_ws_connect(context)


def graphql_router(schema: strawberry.Schema) -> Playground:
    """Return the routes of `/graphql`."""
    router = Playground(
        schema,
        path="/graphql",
        context_getter=_context,
        subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL,),
        connection_init_wait_timeout=_INIT_PATIENCE,
        max_subscriptions_per_connection=MAX_OPERATIONS,
    )
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


async def _context(platform: PlatformOf, reader: ReaderOf, connection: HTTPConnection) -> Context:
    subscriber = subscriber_of(connection, connection.headers.get("authorization", ""))
    return Context(platform, reader, Loaders(platform.store, reader), subscriber)


def subscriber_of(connection: HTTPConnection, authorization: str) -> str:
    """Return in whose share of the subscriptions those of a connection are: its token's, or its address's."""
    if authorization:
        return "token " + sha256(authorization.encode()).hexdigest()
    return "address " + (connection.client.host if connection.client is not None else "")


def _script_text(value: object) -> str:
    """Return JSON that may stand in a script of a page."""
    return json.dumps(value).replace("<", "\\u003c")
