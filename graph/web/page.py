"""Renders a page: runs the page's GraphQL query for the reader, and shows its data with a template.

The query runs through the schema that programs use, so a page shows exactly the fields, and withholds exactly the
texts, that the schema gives this reader. Each page links to its query in the playground, with its variables.
"""

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, Request
from fastapi.responses import Response
from strawberry import Schema

from graph.clearance import Reader
from graph.errors import InputError, NotFoundError
from graph.graphql.context import Context
from graph.http.answers import NEGOTIATED_HEADERS
from graph.http.assets import built_entry
from graph.http.playground import operation_context
from graph.node_description import SOFTWARE
from graph.web.address import path_of, root_of
from graph.web.negotiation import DataRoute, prefers_page
from graph.web.templates import environment

SCRIPT = "src/page.ts"

# Texts of agents are shown on these pages: no script or style of theirs may run, and nothing is sent anywhere else.
_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
HEADERS: Mapping[str, str] = {
    "content-security-policy": "; ".join(f"{name} {value}" for name, value in _POLICY.items()),
    "cache-control": "no-cache",
    # Without a referrer a browser states no origin for a form, which `graph.http.known_names` refuses.
    "referrer-policy": "same-origin",
    "vary": "Accept, Authorization",
    "x-content-type-options": "nosniff",
}

_MAX_LOG_SIZE = 2**31 - 1  # an Int of GraphQL
_MAX_DIGITS = 10

_MEDIA_TYPES: Mapping[str, str] = {
    "JSON": "application/json",
    "JSON-LD": "application/ld+json",
    "Turtle": "text/turtle",
    "N-Quads": "application/n-quads",
    "BibTeX": "application/x-bibtex",
    "CSL-JSON": "application/vnd.citationstyles.csl+json",
    "Markdown": "text/markdown",
}


class QueryError(Exception):
    """The schema refused a page's own query; the message says why."""


@dataclass(frozen=True, slots=True)
class Twin:
    """The same data in a form for programs: the name of the form, and its address from the root."""

    name: str
    address: str

    @classmethod
    def of(cls, address: str, *names: str) -> "tuple[Twin, ...]":
        """Return the twins of an address in the forms of these names."""
        return tuple(cls(name, f"{address}?{urlencode({'_mediatype': _MEDIA_TYPES[name]})}") for name in names)


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of one request: its schema, its reader's context, and for a program the data of the queries so far."""

    request: Request
    schema: Schema
    context: Context
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def as_of(self) -> int | None:
        """Return the log size that the address states (`?asOf=`), None for the present; raise `InputError`."""
        stated = self.request.query_params.get("asOf")
        if stated is None or stated == "":
            return None
        is_number = stated.isascii() and stated.isdigit() and len(stated) <= _MAX_DIGITS
        if not is_number or int(stated) > _MAX_LOG_SIZE:
            raise InputError(f"asOf is {stated[:40]!r}, not a size of the log", "asOf")
        return int(stated)

    async def ask(self, query: str, /, **variables: object) -> dict[str, Any]:
        """Return the data of a query of `queries/`; raise its first error if there is one.

        A query with a variable `asOf` is asked about the log size of the address.
        """
        result = await self.schema.execute(
            query_text(query), variable_values=self.variables(query, variables), context_value=self.context
        )
        for error in result.errors or ():
            raise error.original_error or QueryError(f"{query}.graphql: {error.message}")
        if result.data is None:
            raise QueryError(f"{query}.graphql gave no data")
        if not self._is_page:
            self.answers[query] = deepcopy(result.data)  # The page may add to its data.
        return result.data

    async def ask_for(self, query: str, thing: str, name: str, /, **variables: object) -> dict[str, Any]:
        """Return the data of a query; raise `NotFoundError` if its root field `thing` is null: none has this name."""
        data = await self.ask(query, **variables)
        if data[thing] is None:
            raise NotFoundError(f"no {thing} {name} is here")
        return data

    async def again(self) -> "Pages":
        """Return the same pages for another query of this request."""
        return replace(self, context=await self.context.of_one_operation())

    @property
    def _is_page(self) -> bool:
        return prefers_page(self.request.headers.get("accept"))

    @property
    def _data_address(self) -> str:
        """Return the address from the root of the data of this page."""
        stated = [*self.request.query_params.multi_items(), ("_mediatype", _MEDIA_TYPES["JSON"])]
        return f"{path_of(self.request).removeprefix('/')}?{urlencode(stated)}"

    def variables(self, query: str, variables: Mapping[str, object]) -> dict[str, object]:
        """Return the variables of a query, with the log size of the address if the query has `$asOf`."""
        if "$asOf" not in query_text(query):
            return dict(variables)
        return {**variables, "asOf": None if self.as_of is None else {"logSize": self.as_of}}

    async def show(self, name: str, /, **variables: object) -> Response:
        """Return the page `name`: the data of its query in its template."""
        return self.render(name, await self.ask(name, **variables), query=name, variables=variables)

    def render(
        self,
        template: str,
        data: Mapping[str, object],
        *,
        query: str | None = None,
        variables: Mapping[str, object] | None = None,
        twins: tuple[Twin, ...] = (),
    ) -> Response:
        """Return a page of the template `template` with this data; `query` is linked as the query behind the page."""
        if query is not None and not self._is_page:
            return Response(
                json.dumps({"data": self.answers[query]}, ensure_ascii=False),
                headers=NEGOTIATED_HEADERS,
                media_type="application/json",
            )
        if isinstance(self.request.scope.get("route"), DataRoute):
            twins = (*twins, Twin("Data of this page as JSON", self._data_address))
        asked = None if query is None else playground_address(query, self.variables(query, variables or {}))
        page = page_facts(self.request, self.context.reader, asked, twins, self.as_of)
        return page_response(template, page, data)


def page_facts(
    request: Request,
    reader: Reader | None = None,
    query: str | None = None,
    twins: tuple[Twin, ...] = (),
    as_of: int | None = None,
) -> dict[str, Any]:
    """Return the facts about a page that its layout shows.

    The `reader` is None if it is not known; `query` is the address of the page's query in the playground.
    """
    path = path_of(request)
    root = root_of(path)
    return {
        "root": root,
        "path": root + path.removeprefix("/"),
        "query": query,
        "twins": twins,
        "as_of": as_of,
        "reader": reader,
        "parameters": dict(request.query_params),
        "script": built_entry(SCRIPT),
        "software": SOFTWARE,
    }


def page_response(template: str, page: Mapping[str, Any], data: Mapping[str, object], status: int = 200) -> Response:
    """Return the response for a template, the facts about the page, and the page's data."""
    text = environment().get_template(f"{template}.html").render(page=page, **data)
    return Response(text, status, HEADERS, media_type="text/html")


@cache
def query_text(name: str) -> str:
    """Return the query of a page, with the fragment for the names of agents if the query uses it."""
    queries = files("graph.web") / "queries"
    text = (queries / f"{name}.graphql").read_text(encoding="utf-8")
    if "...AgentName" not in text:
        return text
    return text + "\n" + (queries / "fragments" / "agent_name.graphql").read_text(encoding="utf-8")


def playground_address(query: str, variables: Mapping[str, object]) -> str:
    """Return the address of a query of `queries/` in the playground, with its variables."""
    stated = {name: value for name, value in variables.items() if value is not None}
    asked = {"q": query_text(query), "v": json.dumps(stated, ensure_ascii=False, indent=2)}
    return "graphql?" + urlencode(asked)


async def _pages(request: Request, context: Annotated[Context, Depends(operation_context)]) -> Pages:
    # Strawberry's own router sets the request of its contexts; the time limit of operations follows it.
    context.request = request
    return Pages(request, request.app.state.pages_schema, context)


PagesOf = Annotated[Pages, Depends(_pages)]
