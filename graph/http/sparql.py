"""SPARQL 1.1 Protocol, queries only: GET with `query`, POST of a form or of the query itself."""

from collections.abc import Mapping, Sequence
from typing import Annotated, cast
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from graph.errors import InputError, NotAcceptableError
from graph.http.accept import choose_type
from graph.http.requests import ReaderOf, ShareOf, read_body
from graph.requests.share import Share
from graph.sparql.stores import SparqlStores, Wanted

router = APIRouter(tags=["sparql"])

_MAX_BODY = 256 * 1024
_FORM = "application/x-www-form-urlencoded"
_QUERY = "application/sparql-query"
_UPDATE = "application/sparql-update"

# The first of each is for a reader that names none.
_RESULTS = {
    "application/sparql-results+json": "json",
    "application/json": "json",
    "application/sparql-results+xml": "xml",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
}
_TRIPLES = {"text/turtle": "turtle", "application/n-triples": "nt"}


def _stores(request: Request) -> SparqlStores:
    return cast(SparqlStores, request.app.state.sparql)


StoresOf = Annotated[SparqlStores, Depends(_stores)]


@router.get("/sparql", operation_id="sparqlQuery")
async def get_sparql(request: Request, stores: StoresOf, reader: ReaderOf, share: ShareOf) -> Response:
    """Answer the SPARQL query in `query` over the triples of the exports, as far as the reader is cleared."""
    return await _answered(request, stores, reader, share, request.query_params.multi_items())


@router.post("/sparql", operation_id="sparqlQueryPosted")
async def post_sparql(request: Request, stores: StoresOf, reader: ReaderOf, share: ShareOf) -> Response:
    """Answer the SPARQL query that is posted, as a form or as `application/sparql-query`. Updates are refused."""
    stated = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = _decoded(await read_body(request, _MAX_BODY))
    if stated == _QUERY:
        return await _answered(request, stores, reader, share, [("query", body), *request.query_params.multi_items()])
    if stated == _FORM:
        return await _answered(request, stores, reader, share, parse_qsl(body, keep_blank_values=True))
    if stated == _UPDATE:
        raise InputError("the body is an update, and only queries are answered")
    raise InputError(f"the content type is {stated[:100]!r}, not {_QUERY} or {_FORM}")


async def _answered(
    request: Request, stores: SparqlStores, reader: ReaderOf, share: Share, parameters: Sequence[tuple[str, str]]
) -> Response:
    if any(name in ("update", "using-graph-uri", "using-named-graph-uri") for name, _ in parameters):
        raise InputError("the request is an update, and only queries are answered", "update")
    queries = [value for name, value in parameters if name == "query"]
    if len(queries) != 1:
        raise InputError(f"there are {len(queries)} queries in the request, not one", "query")
    accept = request.headers.get("accept")
    results, triples = choose_type(accept, list(_RESULTS)), choose_type(accept, list(_TRIPLES))
    if results is None and triples is None:
        raise NotAcceptableError(f"answers are {', '.join((*_RESULTS, *_TRIPLES))}")
    wanted = Wanted(
        _RESULTS[results] if results else "json",
        _TRIPLES[triples] if triples else "turtle",
        _named(parameters, "default-graph-uri"),
        _named(parameters, "named-graph-uri"),
    )
    answer = await stores.ask(reader.clearance, queries[0], wanted, share)
    media_type = (
        _type_of(_TRIPLES, triples, wanted.triples)
        if answer.is_triples
        else _type_of(_RESULTS, results, wanted.results)
    )
    headers = {
        "vary": "Accept, Authorization",
        "x-a2ap-log-size": str(answer.size),
        "x-content-type-options": "nosniff",
    }
    return Response(answer.content, headers=headers, media_type=media_type)


def _type_of(types: Mapping[str, str], chosen: str | None, form: str) -> str:
    """Return the media type of an answer: the chosen one, or if none of its kind was chosen, the form's own."""
    return chosen or next(name for name, known in types.items() if known == form)


def _named(parameters: Sequence[tuple[str, str]], name: str) -> tuple[str, ...] | None:
    return tuple(value for key, value in parameters if key == name) or None


def _decoded(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"the body is not UTF-8 at byte {error.start}") from error
