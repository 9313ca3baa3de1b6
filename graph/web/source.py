"""The page of a source: its text in sections, each cited passage marked and linked with the statements that cite it."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from graph.errors import ForbiddenError, InputError, NotFoundError, RedactedError
from graph.http.sources import find_readable
from graph.web.address import address_of, path_of, query_of, root_of
from graph.web.cited_text import CitedBlock, Passage, cite_blocks
from graph.web.media_address import media_address, web_address
from graph.web.negotiation import PageRoute
from graph.web.page import Pages, PagesOf, Twin
from graph.web.source_sections import Section, read_section

router = APIRouter(route_class=PageRoute, include_in_schema=False)

_PATIENCE = 30.0  # seconds that a reader waits for a place to have a source read
_MOST_PASSAGES = 5
"""The most requests for the passages of one section, of 60 each."""
_BYTES = "application/octet-stream"


@router.get("/sources/{name:path}")
async def source(name: str, pages: PagesOf, at: str = "") -> Response:
    """Show the section of a source with the byte `at`, by the source's hash; lead from its other name to its hash."""
    place = _place(at)
    section, reason = await _section(pages, name, place or 0)
    data, variables, is_cut = await _passages(pages, name, section)
    nodes = data["documents"]["nodes"]
    if not nodes and section is None:
        raise reason or NotFoundError(f"no source {name} is here")
    document = nodes[0] if nodes else None
    if document is not None and document["hash"] not in (None, name):
        return _lead(pages, document["hash"])
    passages = [Passage.of(chunk, document["hash"]) for chunk in document["chunks"]["nodes"]] if document else []
    shown = {
        "name": name,
        "document": document,
        "others": nodes[1:],
        "origin": _origin(document),
        "section": section,
        "reason": None if reason is None else str(reason),
        "passages": passages,
        "is_cut": is_cut,
        "blocks": _blocks(section, passages, place),
        "checks": _checks(passages),
        "log": data["log"],
        "media_address": media_address,
    }
    twins = () if section is None else (Twin("Bytes", f"{address_of('sources', name)}?_mediatype={_BYTES}"),)
    return pages.render("source", shown, query="source", variables=variables, twins=twins)


def _place(at: str) -> int | None:
    if at == "":
        return None
    if not (at.isascii() and at.isdigit() and len(at) < 16):
        raise InputError(f"at is {at[:40]!r}, not the number of a byte", "at")
    return int(at)


async def _section(pages: Pages, name: str, at: int) -> tuple[Section | None, Exception | None]:
    """Return the section of a source, or why this reader gets none; neither for a name that is no hash."""
    if not name.startswith("sha256:"):
        return None, None
    context = pages.context
    platform = context.platform
    try:
        await find_readable(platform, context.reader, name)
    except (ForbiddenError, NotFoundError, RedactedError) as error:
        return None, error
    async with platform.operations.place(context.share, _PATIENCE):
        length = await platform.content.size(name)
        return await read_section(platform.content, platform.evidence, name, length, min(at, length)), None


async def _passages(pages: Pages, name: str, section: Section | None) -> tuple[dict[str, Any], dict[str, object], bool]:
    """Return the data of the page with all passages of a section, the variables, and whether passages are left out."""
    variables: dict[str, object] = {"name": name}
    if section is not None and section.count > 1:
        variables |= {"start": section.start, "end": section.end}
    data = await pages.ask("source", **variables)
    found = more = data
    for _ in range(_MOST_PASSAGES - 1):
        part = next((one["chunks"] for one in more["documents"]["nodes"]), None)
        if part is None or not part["pageInfo"]["hasNextPage"]:
            return found, variables, False
        pages = await pages.again()
        more = await pages.ask("source", **variables, after=part["pageInfo"]["endCursor"])
        for known, one in zip(found["documents"]["nodes"], more["documents"]["nodes"], strict=False):
            known["chunks"]["nodes"] += one["chunks"]["nodes"]
    left = next((one["chunks"]["pageInfo"]["hasNextPage"] for one in more["documents"]["nodes"]), False)
    return found, variables, left


def _lead(pages: Pages, document_hash: str) -> Response:
    address = root_of(path_of(pages.request)) + address_of("sources", document_hash)
    return RedirectResponse(address + query_of(pages.request), 307, {"vary": "Accept, Authorization"})


def _origin(document: dict[str, Any] | None) -> str | None:
    """Return the address on the web that the source was found at, if a registration states one."""
    addresses = (web_address(one["origin"]) for one in (document or {"sources": []})["sources"])
    return next((one for one in addresses if one is not None), None)


def _blocks(section: Section | None, passages: list[Passage], at: int | None) -> list[CitedBlock]:
    return [] if section is None else cite_blocks(section.blocks or (), passages, at)


def _checks(passages: list[Passage]) -> list[dict[str, object]]:
    """Return the ranges that the browser compares with their hashes and quotes."""
    return [
        {"start": one.start, "end": one.end, "hash": one.chunk["contentHash"], "quotes": one.quotes}
        for one in passages
        if one.chunk["contentHash"] is not None
    ]
