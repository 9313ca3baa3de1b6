"""The HTTP application: its routes, and its responses to errors (`graph.problem_table` has the texts).

`create_app` takes an open platform; the caller that opened it closes it after the server has stopped.
"""

import logging
from dataclasses import replace

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from a2ap.errors import A2APError
from graph.errors import GraphError
from graph.graphql.persisted import read_queries
from graph.graphql.schema import OperationRules, create_schema
from graph.http import (
    assets,
    bundles,
    documents,
    doors,
    equivocations,
    exports,
    health,
    leases,
    log,
    messages,
    packets,
    packs,
    passports,
    questions,
    scores,
    search,
    sources,
    sparql,
    submissions,
    well_known,
)
from graph.http.answers import NEGOTIATED_HEADERS
from graph.http.api_description import describe
from graph.http.body_limit import BodyLimit
from graph.http.compression import PageCompression
from graph.http.playground import graphql_router
from graph.http.readers import KnownReaders
from graph.http.schema_text import schema_text_router
from graph.http.session import SessionCookie
from graph.platform import Platform
from graph.problem import MEDIA_TYPE, Problem
from graph.problem_table import problem_of
from graph.settings import Settings
from graph.sparql.stores import SparqlStores
from graph.web.negotiation import MediaTypeParameter
from graph.web.problem_page import problem_page
from graph.web.registry import PAGES

logger = logging.getLogger(__name__)

_HTTP_CODES = {404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED"}

# A document of a mebibyte as a JSON string, escapes and all, or a small source in base64.
MAX_GRAPHQL_BODY = 16 * 2**20


def create_app(platform: Platform, settings: Settings) -> FastAPI:
    """Return the application of an open platform. Raises SettingsError for an unusable file of reader tokens."""
    app = FastAPI(
        title="A2AP provenance platform",
        description="Signed claims, traced to the exact bytes they rest on, checked and weighed.",
        version="0.1",
        docs_url=None,  # both pages would load scripts from elsewhere
        redoc_url=None,
    )
    app.state.platform = platform
    app.state.readers = KnownReaders(settings)
    app.state.sparql = SparqlStores.of(
        platform.store,
        platform.content,
        settings,
        patience=settings.sparql_timeout,
        budget=platform.own_queries,
    )
    rules = _rules(settings)
    schema = create_schema(rules)
    # The pages run their own queries, which an operator's list need not have.
    app.state.pages_schema = create_schema(replace(rules, queries=None))
    # Routes are tried in this order, and most requests are operations.
    app.include_router(graphql_router(schema))
    app.include_router(schema_text_router(schema, introspection=rules.introspection))
    # A page matches before the data at its address, for clients that prefer it.
    for page in PAGES:
        app.include_router(page.router)
    for module in (
        submissions,
        leases,
        documents,
        sources,
        exports,
        scores,
        health,
        messages,
        log,
        well_known,
        doors,
        equivocations,
        bundles,
        passports,
        packets,
        packs,
        assets,
        search,
        questions,
        sparql,
    ):
        app.include_router(module.router)
    app.add_middleware(PageCompression)
    app.add_middleware(MediaTypeParameter)
    app.add_middleware(SessionCookie)
    app.add_middleware(BodyLimit, path="/graphql", limit=MAX_GRAPHQL_BODY)
    for kind in (A2APError, GraphError, OSError, Exception):
        app.add_exception_handler(kind, _answer_error)
    app.add_exception_handler(ClientDisconnect, _leave_unanswered)
    app.add_exception_handler(RequestValidationError, _answer_validation_error)
    app.add_exception_handler(HTTPException, _answer_http_error)
    describe(app)
    return app


def _rules(settings: Settings) -> OperationRules:
    return OperationRules(
        introspection=settings.graphql_introspection == "on",
        max_cost=settings.graphql_max_cost,
        timeout=settings.graphql_timeout,
        queries=read_queries(settings.graphql_queries) if settings.graphql_queries is not None else None,
    )


async def _answer_error(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    if problem.is_fault:
        logger.error("%s %s failed", request.method, request.url.path, exc_info=error)
    elif problem.status >= 500:
        logger.warning("%s %s: %s", request.method, request.url.path, error)
    headers = {"www-authenticate": "Bearer"} if problem.status == 401 else {}
    return _response(request, problem, headers)


async def _leave_unanswered(request: Request, error: Exception) -> Response:
    """Return a response that nobody reads: the client disconnected before its body had arrived."""
    logger.debug("%s %s: the client has gone", request.method, request.url.path)
    return Response(status_code=400)


async def _answer_validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    path = ".".join(str(part) for part in first["loc"])
    return _response(request, Problem(400, "INVALID_INPUT", "An argument cannot be used", first["msg"], path), {})


async def _answer_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = _HTTP_CODES.get(error.status_code, "INVALID_INPUT")
    problem = Problem(error.status_code, code, error.detail, f"{request.method} {request.url.path}")
    return _response(request, problem, dict(error.headers or {}))


def _response(request: Request, problem: Problem, headers: dict[str, str]) -> Response:
    if problem.retry_after is not None:
        headers = {"retry-after": str(problem.retry_after)} | headers
    page = problem_page(request, problem, headers)
    if page is not None:
        return page
    return Response(problem.content, problem.status, {**NEGOTIATED_HEADERS, **headers}, media_type=MEDIA_TYPE)
