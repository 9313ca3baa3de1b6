"""GET of the bare address: a program gets the endpoints of the node; a browser gets the home page (`graph.web`)."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from graph.errors import NotAcceptableError
from graph.http.accept import choose_type
from graph.http.answers import document_response, write_members
from graph.node_description import DOORS, SOFTWARE

_JSON, _PAGE = "application/json", "text/html"

router = APIRouter(tags=["node"])


@router.head("/", include_in_schema=False)
@router.get("/", operation_id="list_doors")
async def list_doors(request: Request) -> Response:
    """List the paths where this node answers; a client that prefers HTML gets the home page."""
    if choose_type(request.headers.get("accept"), (_JSON,)) is None:
        raise NotAcceptableError(f"none of {_JSON}, {_PAGE} is accepted", "Accept")
    name, version = SOFTWARE
    members = {"software": {"name": name, "version": version}, "doors": {"node": "/.well-known/a2ap", **DOORS}}
    return document_response(request, write_members(members), _JSON)
