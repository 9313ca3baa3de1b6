"""The lists of Context Passports, Packs and Packets, and the way from the hash of a record to its page."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from a2ap.packet.vocabulary import Level
from graph.errors import InputError, NotFoundError
from graph.web.address import address_of, path_of, root_of
from graph.web.negotiation import DataRoute
from graph.web.page import HEADERS, PagesOf
from graph.web.paging import PageLinks, page_variables

PAGE_SIZE = 50

router = APIRouter(route_class=DataRoute, include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a list: the member of the filter, its label on the page, and the words to choose from."""

    name: str
    label: str
    words: tuple[tuple[str, str], ...] = ()


CONDITIONS: Mapping[str, tuple[Condition, ...]] = {
    "passports": (
        Condition("agent", "Agent"),
        Condition("trace", "Run"),
        Condition("event", "Event"),
        Condition("branch", "Branch"),
    ),
    "packs": (
        Condition("model", "Model"),
        Condition("content", "Content, by hash"),
        Condition("parent", "Follows the pack"),
    ),
    "packets": (
        Condition("recipient", "Recipient"),
        Condition("producer", "Producer"),
        Condition("packetType", "Type"),
        Condition("task", "Task"),
        Condition("level", "Level", tuple((level.value, level.value) for level in Level)),
        Condition("superseded", "Superseded", (("true", "yes"), ("false", "no"))),
    ),
}
"""The kinds of records, each with the conditions of its list."""


@router.get("/records")
async def records(pages: PagesOf) -> Response:
    """Show the newest records of each kind, or a page of the list of one kind (`?kind=`)."""
    stated = pages.request.query_params
    kind = stated.get("kind", "")
    if not kind:
        data = await pages.ask("records")
        lists = {name: data[name] for name in CONDITIONS}
        shown = {**data, "lists": lists, "kind": "", "conditions": (), "parameters": ""}
        return pages.render("records", shown, query="records")
    if kind not in CONDITIONS:
        raise InputError(f"kind is {kind[:40]!r}, not one of {', '.join(CONDITIONS)}", "kind")
    filled = {one.name: stated[one.name].strip() for one in CONDITIONS[kind] if stated.get(one.name, "").strip()}
    variables = {"filter": _filter(filled), **page_variables(pages.request, PAGE_SIZE)}
    data = await pages.ask(kind, **variables)
    shown = {
        **data,
        "lists": {kind: data[kind]},
        "kind": kind,
        "conditions": CONDITIONS[kind],
        "filled": filled,
        "parameters": urlencode({"kind": kind, **filled}) + "&",
        "links": PageLinks.of(pages.request, data[kind]["pageInfo"]),
    }
    return pages.render("records", shown, query=kind, variables=variables)


@router.get("/records/{name}")
async def record(name: str, pages: PagesOf) -> Response:
    """Redirect to the page of a record, by the hash of its bytes."""
    found = await pages.ask("record", hash=name, name=name)
    kind = next((kind for kind in ("passport", "pack", "packet") if found[kind] is not None), None)
    if kind is None:
        raise NotFoundError(f"no record {name} is here")
    address = root_of(path_of(pages.request)) + address_of(f"{kind}s", found[kind]["recordHash"])
    query = f"?{urlencode({'asOf': pages.as_of})}" if pages.as_of is not None else ""
    return RedirectResponse(address + query, 307, HEADERS)


def _filter(filled: Mapping[str, str]) -> dict[str, object] | None:
    members: dict[str, object] = dict(filled)
    if "level" in members:
        members["level"] = [members["level"]]
    if "superseded" in members:
        if members["superseded"] not in ("true", "false"):
            raise InputError(f"superseded is {filled['superseded'][:40]!r}, not true or false", "superseded")
        members["superseded"] = members["superseded"] == "true"
    return members or None
