"""GET of the GraphQL schema in its definition language: for code generators, and to compare two versions.

It is printed from the schema that answers, once a process, so that there is no second copy of it. If introspection is
off, it is refused as well.
"""

import asyncio

import strawberry
from fastapi import APIRouter, Request
from starlette.responses import Response

from graph.errors import ForbiddenError
from graph.graphql.sdl import definition_of
from graph.http.answers import document_response

PATH = "/graphql/schema.graphql"


def schema_text_router(schema: strawberry.Schema, *, introspection: bool) -> APIRouter:
    """Return the route of a schema's text."""
    router = APIRouter(tags=["node"])
    printed: list[bytes] = []

    @router.head(PATH, include_in_schema=False)
    @router.get(PATH, operation_id="get_graphql_schema")
    async def get_graphql_schema(request: Request) -> Response:
        """Give the GraphQL schema as text (SDL); 403 if this node does not describe its schema."""
        if not introspection:
            raise ForbiddenError("introspection is off on this node, and the text of its schema with it")
        if not printed:
            printed.append((await asyncio.to_thread(definition_of, schema)).encode())
        return document_response(request, printed[0], "text/plain; charset=utf-8")

    return router
