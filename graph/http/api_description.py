"""The parts of `/openapi.json` that FastAPI does not write: the form of errors, and the requests that GraphQL takes."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI

from graph.export.archive import MEDIA_TYPE as ARCHIVE
from graph.export.formats import FORMATS
from graph.problem import MEDIA_TYPE

_PROBLEM: dict[str, Any] = {
    "type": "object",
    "title": "Problem",
    "description": "An error as it is told (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "The fault that was found."},
        "code": {"type": "string", "description": "The kind of the error, as GraphQL tells it."},
        "path": {"type": "string", "description": "The member or argument at fault."},
        "retryAfter": {"type": "integer", "description": "Seconds after which the same may be tried again."},
    },
}
_DEFAULT: dict[str, Any] = {
    "description": "It was not done, and why.",
    "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
_OPERATION: dict[str, Any] = {
    "type": "object",
    "title": "Operation",
    "properties": {
        "query": {"type": "string", "description": "The text of the operation."},
        "operationName": {"type": ["string", "null"], "description": "Which operation of the text is run."},
        "variables": {"type": ["object", "null"]},
        "extensions": {"type": ["object", "null"], "description": "`cost`, `persistedQuery`."},
    },
}
_ANSWERS: dict[str, Any] = {
    media_type: {"schema": {"type": "object"}}
    for media_type in ("application/json", "application/graphql-response+json")
}
_MESSAGE = ("application/json", "application/ld+json", "text/turtle", "application/n-quads")
_FORMS: Mapping[str, tuple[str, ...]] = {
    "/statements/{name}": _MESSAGE,
    "/verifications/{name}": _MESSAGE,
    "/agents/{name}": _MESSAGE,
    "/sources/{document_hash}": ("*/*",),
    "/export": tuple(dict.fromkeys([*(one.media_type for one in FORMATS.values()), ARCHIVE])),
    "/scores": ("application/x-ndjson",),
    "/log/checkpoint": ("text/plain",),
    "/graphql/schema.graphql": ("text/plain",),
    "/log/tile/{path}": ("application/octet-stream",),
}
"""The media types of the routes that choose by `Accept` or by an argument."""


def describe(app: FastAPI) -> None:
    """Have an application describe its errors as they are reported, and its GraphQL."""
    describe_routes = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _described(describe_routes())
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _described(description: dict[str, Any]) -> dict[str, Any]:
    schemas = description.setdefault("components", {}).setdefault("schemas", {})
    schemas |= {"Problem": _PROBLEM, "Operation": _OPERATION}
    for path in description["paths"].values():
        for operation in path.values():
            # FastAPI promises a body of its own for arguments that cannot be used, which are told like everything else.
            operation["responses"].pop("422", None)
            operation["responses"].setdefault("default", _DEFAULT)
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    for name, media_types in _FORMS.items():
        if name in description["paths"]:
            description["paths"][name]["get"]["responses"]["200"]["content"] = {one: {} for one in media_types}
    _describe_graphql(description["paths"]["/graphql"])
    return description


def _describe_graphql(path: dict[str, Any]) -> None:
    refused = {"description": "No operation, or one that was not run.", "content": _ANSWERS}
    for method in ("get", "post"):
        path[method]["responses"] |= {
            "200": {"description": "The answer.", "content": {**_ANSWERS, "text/event-stream": {}}},
            **{status: refused for status in ("400", "405", "415", "503")},
        }
    path["get"]["responses"].pop("404", None)
    path["get"]["responses"]["200"]["content"]["text/html"] = {"schema": {"type": "string"}}
    path["get"]["summary"] = "Ask in GraphQL, or open GraphiQL"
    path["get"]["parameters"] = [
        {"name": name, "in": "query", "required": False, "schema": {"type": "string"}}
        for name in ("query", "operationName", "variables", "extensions")
    ]
    path["post"]["summary"] = "Ask or act in GraphQL"
    path["post"]["requestBody"] = {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Operation"}}},
    }
