"""GET of the bare address: a browser is redirected to GraphiQL, and a program gets the endpoints of the node."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from graph.errors import NotAcceptableError
from graph.http.accept import choose_type
from graph.http.answers import document_response, write_members
from graph.node_description import DOORS, SOFTWARE

_JSON, _PAGE = _TYPES = ("application/json", "text/html")

# Relative (RFC 9110 §10.2.2): the node may be behind a path of another server's, which it does not see.
_PLAYGROUND = DOORS["graphql"].removeprefix("/")

router = APIRouter(tags=["node"])


@router.head("/", include_in_schema=False)
@router.get("/", operation_id="list_doors", responses={307: {"description": "A browser is led to GraphiQL."}})
async def list_doors(request: Request) -> Response:
    """List the paths where this node answers, or lead a browser to GraphiQL."""
    media_type = choose_type(request.headers.get("accept"), _TYPES)
    if media_type is None:
        raise NotAcceptableError(f"none of {', '.join(_TYPES)} is accepted", "Accept")
    if media_type == _PAGE:
        return RedirectResponse(_PLAYGROUND, headers={"vary": "Accept"})
    name, version = SOFTWARE
    members = {"software": {"name": name, "version": version}, "doors": {"node": "/.well-known/a2ap", **DOORS}}
    return document_response(request, write_members(members), _JSON)
