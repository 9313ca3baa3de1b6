"""The page of the graph around a thing: its neighbours by each relation, or the paths between two things.

Without its script the page is a list. The script draws the same data, which stand in the page beside its queries.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response

from graph.errors import InputError
from graph.graphql.path import PathDirection
from graph.lineage.walk import Kind, Relation
from graph.web.address import address_of
from graph.web.find import FOLDERS, page_of
from graph.web.negotiation import DataRoute
from graph.web.page import Pages, PagesOf, Twin, query_text
from graph.web.relations import KINDS, NAMED, OF_RECORDS, RELATIONS, RelationWords, relation_words

router = APIRouter(route_class=DataRoute, include_in_schema=False)

SHOWN = 50
"""The number of neighbours of a group on one page."""

_TWINS = {"STATEMENT": "statements", "VERIFICATION": "verifications", "AGENT": "agents"}
_FORMS = ("JSON", "JSON-LD", "Turtle", "N-Quads")
_HASH_SHOWN = 12


@router.get("/graph")
async def graph(pages: PagesOf) -> Response:
    """Show the neighbours of a thing (`of`), the paths between two (`from`, `to`), or a form that asks for a name."""
    asked = pages.request.query_params
    names = {name: asked.get(name, "") for name in ("of", "from", "to")}
    if names["from"] and names["to"]:
        return await _paths(pages, names["from"], names["to"])
    if names["of"]:
        return await _neighbours(pages, names["of"])
    if names["from"] or names["to"]:
        raise InputError("the address states one end of a path, not both", "to" if names["from"] else "from")
    return pages.render("graph", {**_BLANK, "name": ""})


_BLANK: Mapping[str, Any] = {"of": [], "groups": [], "paths": None, "script": None, "to": "", "as_of": None}


async def _neighbours(pages: Pages, name: str) -> Response:
    asked = pages.request.query_params
    variables: dict[str, object] = {
        "of": name,
        "kind": (_choice("kind", asked.get("kind"), Kind) or [None])[0],
        "relations": _choice("relation", asked.get("relation"), Relation),
        "direction": (_choice("direction", asked.get("direction"), PathDirection) or [None])[0],
        "kinds": _choice("kinds", asked.get("kinds"), Kind),
        "first": SHOWN,
        "after": asked.get("after"),
    }
    data = await pages.ask("graph", **variables)
    found = data["neighbours"]
    shown = {
        **_BLANK,
        "name": name,
        "of": [_shown(thing) for thing in found["of"]],
        "groups": [_group(group) for group in found["groups"]],
        "script": _script(pages, {"neighbours": found}),
        "as_of": found["asOf"],
    }
    first = found["of"][0]
    folder = _TWINS.get(first["kind"])
    twins = () if folder is None else Twin.of(address_of(folder, first["name"]), *_FORMS)
    return pages.render("graph", shown, query="graph", variables=variables, twins=twins)


async def _paths(pages: Pages, start: str, end: str) -> Response:
    variables = {"from": start, "to": end}
    found = (await pages.ask("graph_path", **variables))["path"]
    paths = [{"start": _shown(one["start"]), "steps": [_step(*ends) for ends in _along(one)]} for one in found["paths"]]
    shown = {
        **_BLANK,
        "name": start,
        "to": end,
        "paths": {**found, "shown": paths},
        "script": _script(pages, {"path": found}),
        "as_of": found["asOf"],
    }
    return pages.render("graph", shown, query="graph_path", variables=variables)


def _choice(name: str, stated: str | None, known: Any) -> list[Any] | None:
    """Return the one stated value of an enumeration as a list; raise `InputError` for another."""
    if not stated:
        return None
    if stated not in known.__members__:
        raise InputError(f"{name} is {stated[:40]!r}, not one of {', '.join(known.__members__)}", name)
    return [known[stated].name]


def _along(path: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Return each step of a path with the thing before it."""
    before = [path["start"], *(step["to"] for step in path["steps"])]
    return list(zip(before, path["steps"], strict=False))


def _step(near: Mapping[str, Any], step: Mapping[str, Any]) -> dict[str, Any]:
    words, onward = _words(near["kind"], step["relation"], step["direction"], step["to"]["kind"])
    return {"heading": words.onward if onward else words.back, "term": words.term, "to": _shown(step["to"])}


def _group(group: Mapping[str, Any]) -> dict[str, Any]:
    words, onward = _words(group["of"]["kind"], group["relation"], group["direction"], group["kind"])
    kind = KINDS[Kind[group["kind"]]]
    page = group["things"]["pageInfo"]
    following = {
        "of": group["of"]["name"],
        "kind": group["of"]["kind"],
        "relation": group["relation"],
        "direction": group["direction"],
        "kinds": group["kind"],
    }
    return {
        "heading": words.onward if onward else words.back,
        "term": words.term,
        "onward": onward,
        "of": group["of"],
        "many": kind.one if group["total"] == 1 else kind.many,
        "total": group["total"],
        "things": [_shown(thing) for thing in group["things"]["nodes"]],
        "next": f"graph?{urlencode({**following, 'after': page['endCursor']})}" if page["hasNextPage"] else None,
    }


def _words(near: str, relation: str, direction: str, far: str) -> tuple[RelationWords, bool]:
    """Return the words of a relation from a thing to its neighbour, and whether it goes onward."""
    onward = direction == PathDirection.FORWARD.name
    later, earlier = (near, far) if onward else (far, near)
    return relation_words(Kind[later], Relation[relation], Kind[earlier]), onward


def _shown(thing: Mapping[str, Any]) -> dict[str, Any]:
    """Return a thing as the list shows it: its words, its shape, its page and its own graph."""
    kind = KINDS[record_kind_of(thing) or Kind[thing["kind"]]]
    return {
        "label": label_of(thing),
        "kind": kind.one,
        "shape": kind.shape.value,
        "address": address_of_thing(thing),
        "graph": f"graph?{urlencode({'of': thing['name']})}" if Kind[thing["kind"]] in NAMED else None,
        "logIndex": thing["logIndex"],
    }


def label_of(thing: Mapping[str, Any]) -> str:
    """Return the words that name a thing, or its kind and the beginning of its hash."""
    node = thing["node"] or {}
    stated = kind = None
    match thing["kind"]:
        case "STATEMENT":
            stated = node.get("claimText")
        case "VERIFICATION" if node:
            verdict = node["verdict"].replace("_", " ").capitalize()
            stated = f"{verdict} by {'this node' if node['machine'] else node['agent']['name']}"
        case "AGENT":
            alike = "".join(f" (looks like {one['name']})" for one in node.get("lookAlikes", ()))
            stated = (node.get("name") or thing["name"]) + alike
        case "KEY":
            stated = thing["name"]
        case "SOURCE":
            kind = record_kind_of(thing)
            stated = node.get("title") or (thing["id"] if kind is None else None)
        case "CHUNK" if node:
            stated = node["text"] or f"Passage, bytes {node['byteStart']} to {node['byteEnd']}"
        case "PASSPORT":
            stated = " of ".join(one for one in (node.get("eventType"), node.get("agentName")) if one)
        case "PACK" if node.get("model"):
            stated = f"Run of {node['model']}" + (f", {node['created']}" if node["created"] else "")
        case "PACKET":
            stated = node.get("packetId")
    name = thing["name"].removeprefix("sha256:")[:_HASH_SHOWN]
    return stated or f"{KINDS[kind or Kind[thing['kind']]].one.capitalize()} {name}…"


def address_of_thing(thing: Mapping[str, Any]) -> str | None:
    """Return the address of a thing's page: of a passage within its source, of a key that of its agent.

    Bytes that are a record have the page of the record.
    """
    node = thing["node"] or {}
    if thing["kind"] == "KEY":
        return address_of("agents", thing["name"].partition("#")[0])
    if (record := record_kind_of(thing)) is not None:
        return address_of(FOLDERS[record.name], thing["name"])
    if thing["kind"] == "CHUNK" and node:
        document = address_of("sources", node["document"]["hash"] or node["document"]["id"])
        return f"{document}?at={node['byteStart']}#bytes-{node['byteStart']}-{node['byteEnd']}"
    return page_of(thing)


def record_kind_of(thing: Mapping[str, Any]) -> Kind | None:
    """Return the kind of record that the bytes of a source are; None for others."""
    stated = (thing["node"] or {}).get("recordKind")
    return None if stated is None else Kind[stated.upper()]


def _script(pages: Pages, start: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of the page's script: the graph to begin with, the queries for more, and the words."""
    return {
        **start,
        "asOf": None if pages.as_of is None else {"logSize": pages.as_of},
        "queries": {name: query_text(f"graph{suffix}") for name, suffix in _QUERIES.items()},
        "kinds": {
            kind.name: {
                "one": words.one,
                "many": words.many,
                "shape": words.shape.value,
                "type": words.type,
                "label": words.label,
                "key": words.key,
                "folder": FOLDERS.get(kind.name),
                "named": kind in NAMED,
            }
            for kind, words in KINDS.items()
        },
        "relations": [
            {
                "later": words.later.name,
                "relation": words.relation.name,
                "earlier": words.earlier.name,
                "onward": words.onward,
                "back": words.back,
                "term": words.term,
                "pattern": words.pattern,
                "isInverse": words.is_inverse,
            }
            for words in (*OF_RECORDS, *RELATIONS)
        ],
    }


_QUERIES = {"neighbours": "", "path": "_path", "impact": "_impact", "names": "_names"}
