"""The HTTP application: its routes, and the one table that says what each error is told as (design §9).

`create_app` takes a platform that is open already; whoever opened it closes it after the server has stopped.
"""

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from a2ap.errors import (
    A2APError,
    ContentHashError,
    ContextError,
    DisclosureError,
    FieldError,
    JsonTextError,
    KeyFormatError,
    MessageError,
    RecordTextError,
    SignatureError,
    StatementIdError,
    TypeNameError,
)
from graph.clearance import Readers
from graph.errors import (
    CommitUncertainError,
    ConflictError,
    ContentDamagedError,
    ContentMismatchError,
    ContentNotFoundError,
    EvidenceError,
    ForbiddenError,
    GraphError,
    InputError,
    KeyNotInUseError,
    NotAcceptableError,
    NotFoundError,
    NotReadyError,
    NotRegisteredError,
    RedactedError,
    RefusedError,
    SignerError,
    StoreBusyError,
    StoreUnavailableError,
    TargetError,
    TooLargeError,
    TooManyOpenError,
    TooManySubscribersError,
    TooManyWaitingError,
    UnauthenticatedError,
)
from graph.graphql.schema import create_schema
from graph.http import (
    bundles,
    documents,
    equivocations,
    exports,
    health,
    leases,
    log,
    messages,
    packets,
    packs,
    passports,
    sources,
    submissions,
    well_known,
)
from graph.http.body_limit import BodyLimit
from graph.http.playground import graphql_router
from graph.platform import Platform
from graph.problem import MEDIA_TYPE, Problem
from graph.settings import Settings

logger = logging.getLogger(__name__)

# The first row whose class the error is of. Status and title are HTTP's, the code is GraphQL's `extensions.code`.
ERRORS: tuple[tuple[type[Exception], int, str, str], ...] = (
    (JsonTextError, 400, "INVALID_JSON", "The document is not strict JSON"),
    (ContextError, 400, "INVALID_CONTEXT", "The JSON-LD context is not one of this protocol"),
    (TypeNameError, 400, "WRONG_TYPE", "The document is not a message of this type"),
    (StatementIdError, 400, "INVALID_ID", "The statement's id is not one that its author may give it"),
    (FieldError, 400, "INVALID_FIELD", "A member of the document is missing or wrong"),
    (ContentHashError, 422, "INVALID_CONTENT_HASH", "The content hash is not that of the claim and its evidence"),
    (DisclosureError, 422, "INVALID_DISCLOSURE", "A disclosed text is not the one that was signed"),
    (MessageError, 400, "INVALID_MESSAGE", "The document is not a message"),
    (SignatureError, 422, "INVALID_SIGNATURE", "The signature does not hold"),
    (RecordTextError, 400, "INVALID_RECORD", "The bytes are no record of that format"),
    (KeyFormatError, 400, "INVALID_KEY", "A key is not an Ed25519 key"),
    (NotRegisteredError, 403, "NOT_REGISTERED", "An agent, key or source is not registered"),
    (KeyNotInUseError, 403, "KEY_NOT_IN_USE", "The key was replaced or revoked"),
    (ConflictError, 409, "CONFLICT", "What is here already does not allow it"),
    (TargetError, 404, "UNKNOWN_TARGET", "What the message points at is not here"),
    (EvidenceError, 422, "EVIDENCE_REFUSED", "The source does not say what is cited"),
    (RedactedError, 410, "REDACTED", "It was erased"),
    (ForbiddenError, 403, "FORBIDDEN", "That is not allowed"),
    (TooManyOpenError, 429, "TOO_MANY", "As many requests are open as one agent may have"),
    (RefusedError, 422, "REFUSED", "The message cannot be accepted"),
    (NotFoundError, 404, "NOT_FOUND", "Nothing of that name is here"),
    (ContentNotFoundError, 404, "NOT_FOUND", "Nothing of that name is here"),
    (ContentDamagedError, 500, "DAMAGED", "What is kept in this node is damaged"),
    (ContentMismatchError, 422, "HASH_MISMATCH", "The bytes do not have that hash"),
    (TooLargeError, 413, "TOO_LARGE", "Larger than allowed"),
    (NotAcceptableError, 406, "NOT_ACCEPTABLE", "There is no such form of it"),
    (InputError, 400, "INVALID_INPUT", "An argument cannot be used"),
    (TooManySubscribersError, 429, "TOO_MANY", "As many subscribe as can be served"),
    (TooManyWaitingError, 429, "TOO_MANY", "As many wait as can be served"),
    (UnauthenticatedError, 401, "UNAUTHENTICATED", "The token is not known"),
    (StoreUnavailableError, 503, "UNAVAILABLE", "The graph database does not answer"),
    (StoreBusyError, 503, "UNAVAILABLE", "Too many writers at once; try again"),
    (CommitUncertainError, 503, "UNAVAILABLE", "It is not known whether this was written; send the same again"),
    (SignerError, 503, "UNAVAILABLE", "The node's key does not sign"),
    (NotReadyError, 503, "UNAVAILABLE", "The node cannot answer for its log"),
)
_UNEXPECTED = (500, "INTERNAL", "Something failed in this node")

_HTTP_CODES = {404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED"}

# A document of a mebibyte as a JSON string, escapes and all, or a small source in base64.
MAX_GRAPHQL_BODY = 16 * 2**20


def problem_of(error: Exception) -> Problem:
    """Return what callers are told of an error: all of what was found, and nothing of a failure inside."""
    for kind, status, code, title in ERRORS:
        if isinstance(error, kind):
            detail = str(error) if status < 500 else title
            return Problem(status, code, title, detail, getattr(error, "path", "") or "")
    status, code, title = _UNEXPECTED
    return Problem(status, code, title, "the node's log says what")


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
    app.state.readers = Readers.from_settings(settings)
    app.state.problem_of = problem_of
    for module in (
        submissions,
        leases,
        documents,
        sources,
        exports,
        health,
        messages,
        log,
        well_known,
        equivocations,
        bundles,
        passports,
        packets,
        packs,
    ):
        app.include_router(module.router)
    app.include_router(graphql_router(create_schema(problem_of)))
    app.add_middleware(BodyLimit, path="/graphql", limit=MAX_GRAPHQL_BODY)
    for kind in (A2APError, GraphError, Exception):
        app.add_exception_handler(kind, _answer_error)
    app.add_exception_handler(RequestValidationError, _answer_validation_error)
    app.add_exception_handler(HTTPException, _answer_http_error)
    return app


async def _answer_error(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    if problem.status >= 500:
        logger.error("%s %s failed", request.method, request.url.path, exc_info=error)
    headers = {"www-authenticate": "Bearer"} if problem.status == 401 else {}
    return _response(problem, headers | ({"retry-after": "1"} if problem.status == 503 else {}))


async def _answer_validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    path = ".".join(str(part) for part in first["loc"])
    return _response(Problem(400, "INVALID_INPUT", "An argument cannot be used", first["msg"], path), {})


async def _answer_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = _HTTP_CODES.get(error.status_code, "INVALID_INPUT")
    problem = Problem(error.status_code, code, error.detail, f"{request.method} {request.url.path}")
    return _response(problem, dict(error.headers or {}))


def _response(problem: Problem, headers: dict[str, str]) -> Response:
    return Response(problem.content, problem.status, headers, media_type=MEDIA_TYPE)
