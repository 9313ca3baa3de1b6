"""The topics of this node, and the page of one: positions that statements take for and against, and its speakers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from graph.errors import NotFoundError
from graph.search.query import MAX_TERMS
from graph.search.words import words_of
from graph.web.negotiation import DataRoute
from graph.web.page import PagesOf

router = APIRouter(route_class=DataRoute, include_in_schema=False)

_TOPICS = 100
_STATEMENTS = 100

_Statement = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Voice:
    """The claims of one speaker; of claims without a speaker, those of one agent."""

    name: str
    agent: Mapping[str, Any] | None
    statements: tuple[_Statement, ...]


@router.get("/topics")
async def topics(pages: PagesOf) -> Response:
    """Show the topics of the newest statements."""
    return await pages.show("topics", first=_TOPICS)


@router.get("/topics/{name:path}")
async def topic(name: str, pages: PagesOf) -> Response:
    """Show the claims about a topic: the words of its name together, or else all of them."""
    words = [word.text for word in words_of(name)][:MAX_TERMS]
    if not words:
        raise NotFoundError(f"no statement is about {name}")
    variables: dict[str, object] = {"query": f'"{" ".join(words)}"', "first": _STATEMENTS}
    data = await pages.ask("topic", **variables)
    if not data["statementsAbout"]:
        variables["query"] = " AND ".join(words)
        data = await (await pages.again()).ask("topic", **variables)
    statements = data["statementsAbout"]
    if not statements:
        raise NotFoundError(f"no statement is about {name}")
    shown = {
        **data,
        "name": name,
        "disputes": data["contradictions"]["nodes"],
        "supported": supported_of(statements, data["contradictions"]["nodes"]),
        "voices": voices_of(statements),
        "is_cut": len(statements) == _STATEMENTS,
    }
    return pages.render("topic", shown, query="topic", variables=variables)


def voices_of(statements: Sequence[_Statement]) -> tuple[Voice, ...]:
    """Return the statements by speaker, or by agent if they name none; the voices with most statements first."""
    found: dict[tuple[str, str], list[_Statement]] = {}
    for statement in statements:
        speaker, agent = statement["speaker"], statement["generatedBy"]["id"]
        found.setdefault(("", agent) if speaker is None else (speaker[:1].upper() + speaker[1:], ""), []).append(
            statement
        )
    voices = [
        Voice(speaker, None if speaker else said[0]["generatedBy"], tuple(said)) for (speaker, _), said in found.items()
    ]
    return tuple(sorted(voices, key=lambda voice: -len(voice.statements)))


def supported_of(
    statements: Sequence[_Statement], disputes: Sequence[Mapping[str, Any]]
) -> list[tuple[_Statement, list[_Statement]]]:
    """Return the statements that others support, with these, but for the sides of disputes, which show their own."""
    sides = {side["statement"]["signedHash"] for dispute in disputes for side in dispute["sides"]}
    found: dict[str, tuple[_Statement, list[_Statement]]] = {}
    for statement in statements:
        for target in statement["supports"]:
            if target["signedHash"] not in sides:
                found.setdefault(target["signedHash"], (target, []))[1].append(statement)
    return list(found.values())
