"""A dossier: chosen statements on one page, with quotes, scores and the state of the log, to print or as Markdown.

The chosen statements are parameters of the address, and nothing else remembers them. With `asOf` the address gives the
same dossier later.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

from fastapi import APIRouter
from fastapi.responses import Response

from graph.errors import InputError, NotAcceptableError
from graph.http.accept import choose_type
from graph.http.answers import SAFE_HEADERS
from graph.web.address import node_address
from graph.web.dossier_markdown import write_markdown
from graph.web.page import Pages, PagesOf, Twin

router = APIRouter(include_in_schema=False)

MOST = 30
"""The maximum number of statements of a dossier."""

_MARKDOWN, _PAGE = _TYPES = ("text/markdown", "text/html")
_SPACE = re.compile(r"\s+")


@router.get("/dossier")
async def dossier(pages: PagesOf) -> Response:
    """Show the statements that the address names, in the form that the client prefers."""
    media_type = choose_type(pages.request.headers.get("accept"), _TYPES)
    if media_type is None:
        raise NotAcceptableError(f"none of {', '.join(_TYPES)} is accepted", "Accept")
    names = stated_names(pages.request.query_params.getlist("statement"))
    statements, missing = await _find(pages, names)
    data = await pages.ask("dossier_log", size=pages.as_of)
    log = {**data["log"], "size": data["log"]["size"] if pages.as_of is None else pages.as_of}
    node = node_address(data["thisNode"]["url"], pages.request)
    hashes = [one["signedHash"] for one in statements]
    if media_type == _MARKDOWN:
        headers = {
            **SAFE_HEADERS,
            "vary": "Accept, Authorization",
            "cache-control": "no-cache",
            "content-disposition": 'inline; filename="dossier.md"',
        }
        return Response(write_markdown(statements, log, node), headers=headers, media_type=_MARKDOWN)
    shown = {
        "log": log,
        "node": node,
        "statements": [
            {**one, "without": _address([other for other in hashes if other != one["signedHash"]])}
            for one in statements
        ],
        "hashes": hashes,
        "missing": missing,
        "permanent": _address(hashes, log["size"]),
        "most": MOST,
    }
    twins = tuple(
        Twin(twin.name, f"{_address(hashes, log['size'])}&{urlsplit(twin.address).query}")
        for twin in Twin.of("dossier", "Markdown")
    )
    return pages.render("dossier", shown, twins=twins if hashes else ())


def stated_names(stated: Sequence[str]) -> list[str]:
    """Return the names of statements in the fields of a form, each once: ids, hashes, or addresses of their pages.

    Raises `InputError` if there are more than a dossier has.
    """
    words = [word for text in stated for word in _SPACE.split(text) if word]
    names = list(dict.fromkeys(_name_of(word) for word in words))
    if len(names) > MOST:
        raise InputError(f"{len(names)} statements are named, more than {MOST}", "statement")
    return names


def _name_of(word: str) -> str:
    """Return the name at the end of the address of a statement's page, else the word itself."""
    path = urlsplit(word).path
    return unquote(path.rpartition("/statements/")[2]) if "/statements/" in path else word


async def _find(pages: Pages, names: Sequence[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the statements of these names, each once, and the names that no statement has."""
    found: dict[str, dict[str, Any]] = {}
    missing = []
    for name in names:
        statement = (await pages.ask("dossier", statementId=name))["statement"]
        if statement is None:
            missing.append(name)
        else:
            found[statement["signedHash"]] = {**statement, "verdicts": verdict_counts(statement)}
    return list(found.values()), missing


def verdict_counts(statement: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return the numbers of verdicts by conclusion; retracted ones and the node's own check do not count."""
    given = statement["verificationsConnection"]["nodes"]
    counted = Counter(one["verdict"] for one in given if not one["machine"] and one["retraction"] is None)
    return sorted(counted.items())


def _address(hashes: Sequence[str], size: int | None = None) -> str:
    stated: list[tuple[str, object]] = [("statement", one) for one in hashes]
    return "dossier?" + urlencode([*stated, ("asOf", size)] if size is not None else stated)
