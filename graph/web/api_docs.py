"""The OpenAPI description of this node as a page: its operations by tag, without a script."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf, Twin

router = APIRouter(route_class=PageRoute, include_in_schema=False)

_NO_TAG = "graphql"
_REFERENCE = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation: its name, place, type in words, description and default."""

    name: str
    place: str
    required: bool
    type: str
    description: str
    default: str | None


@dataclass(frozen=True, slots=True)
class Body:
    """A body by its media type, and its type in words."""

    media_type: str
    type: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A response of an operation by its status; `default` is every other."""

    status: str
    description: str
    bodies: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the description, its method in capitals; `summary` is a sentence, `paragraphs` the rest."""

    name: str
    method: str
    path: str
    summary: str
    paragraphs: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    bodies: tuple[Body, ...]
    answers: tuple[Answer, ...]


@router.get("/docs")
async def api_docs(pages: PagesOf) -> Response:
    """Show the HTTP interface of this node."""
    described = pages.request.app.openapi()
    shown = {
        "info": described["info"],
        "tags": operations_by_tag(described),
        "schemas": {
            name: json.dumps(schema, ensure_ascii=False, indent=2)
            for name, schema in described.get("components", {}).get("schemas", {}).items()
        },
    }
    return pages.render("api_docs", shown, twins=(Twin("OpenAPI", "openapi.json"),))


def operations_by_tag(described: Mapping[str, Any]) -> dict[str, list[Operation]]:
    """Return the operations of an OpenAPI description by their first tag, tags in alphabetical order."""
    found: dict[str, list[Operation]] = {}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            tag = next(iter(operation.get("tags", ())), _NO_TAG)
            found.setdefault(tag, []).append(_operation(path, method, operation))
    return {tag: sorted(found[tag], key=lambda one: one.path) for tag in sorted(found)}


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> Operation:
    bodies = operation.get("requestBody", {}).get("content", {})
    summary, paragraphs = operation["summary"], re.split(r"\n\s*\n", operation.get("description", ""))
    # FastAPI makes a summary of a function's name; its documentation says more.
    if summary.istitle() and paragraphs[0]:
        summary, *paragraphs = paragraphs
    return Operation(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=summary,
        paragraphs=tuple(paragraphs),
        parameters=tuple(_parameter(one) for one in operation.get("parameters", ())),
        bodies=tuple(_bodies(bodies)),
        answers=tuple(
            Answer(status, answer.get("description", ""), tuple(_bodies(answer.get("content", {}))))
            for status, answer in sorted(operation["responses"].items())
        ),
    )


def _parameter(stated: Mapping[str, Any]) -> Parameter:
    schema = stated.get("schema", {})
    default = schema.get("default")
    return Parameter(
        name=stated["name"],
        place=stated["in"],
        required=stated.get("required", False),
        type=_type_of(schema),
        description=stated.get("description", ""),
        default=None if default is None else json.dumps(default),
    )


def _bodies(content: Mapping[str, Any]) -> Iterator[Body]:
    for media_type, body in content.items():
        yield Body(media_type, _type_of(body.get("schema", {})))


def _type_of(schema: Mapping[str, Any]) -> str:
    """Return the type of a schema in words, "" if it states none."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_REFERENCE)
    if "anyOf" in schema:
        return " or ".join(filter(None, map(_type_of, schema["anyOf"])))
    stated = schema.get("type", "")
    return " or ".join(stated) if isinstance(stated, list) else str(stated)
