"""The citation of a statement: a page, BibTeX or CSL-JSON, each with the size and the root hash of the log."""

from fastapi import APIRouter
from fastapi.responses import Response

from graph.errors import NotAcceptableError
from graph.http.accept import choose_type
from graph.http.answers import SAFE_HEADERS
from graph.web.address import address_of, node_address
from graph.web.citation import Citation
from graph.web.page import PagesOf, Twin

router = APIRouter(include_in_schema=False)

_CSL, _JSON, _BIBTEX, _PAGE = _TYPES = (
    "application/vnd.citationstyles.csl+json",
    "application/json",
    "application/x-bibtex",
    "text/html",
)


@router.get("/cite/{name}")
async def cite(name: str, pages: PagesOf) -> Response:
    """Show the citation of a statement by its id or its signed hash, in the form that the client prefers."""
    media_type = choose_type(pages.request.headers.get("accept"), _TYPES)
    if media_type is None:
        raise NotAcceptableError(f"none of {', '.join(_TYPES)} is accepted", "Accept")
    variables = {"statementId": name, "size": pages.as_of}
    data = await pages.ask_for("cite", "statement", name, **variables)
    size = data["log"]["size"] if pages.as_of is None else pages.as_of
    citation = Citation.of(data, node_address(data["thisNode"]["url"], pages.request), size)
    if media_type == _PAGE:
        twins = Twin.of(address_of("cite", citation.signed_hash), "BibTeX", "CSL-JSON")
        shown = {**data, "citation": citation}
        return pages.render("cite", shown, query="cite", variables=variables, twins=twins)
    is_bibtex = media_type == _BIBTEX
    headers = {
        **SAFE_HEADERS,
        "vary": "Accept, Authorization",
        "cache-control": "no-cache",
        "content-disposition": f'inline; filename="{citation.key}.{"bib" if is_bibtex else "json"}"',
    }
    return Response(citation.bibtex if is_bibtex else citation.csl, headers=headers, media_type=media_type)
