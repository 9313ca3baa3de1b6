"""The page of an answer: the claims behind it by their standing, facets that narrow it, and the query that found it."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from graph.answers.question import topic_of
from graph.scoring.standing import ClaimKind
from graph.web.facets import FACETS, facets_of, is_within
from graph.web.negotiation import DataRoute
from graph.web.page import Pages, PagesOf, playground_address

router = APIRouter(route_class=DataRoute, include_in_schema=False)

_FIRST = 50
_OTHER_TOPICS = 3
_SHOWN_ROWS = 50
_AGAINST = frozenset({"OPEN", "DECIDED"})
_STANDING_CHALLENGES = frozenset({"OPEN", "ANSWERED", "UPHELD"})

_PARAMETER = re.compile(r"\$(\w+)")

# The columns of rows that tell no more than the claims do.
_TOLD_BY_CLAIMS = frozenset({"claim", "claim_text"})


@dataclass(frozen=True, slots=True)
class Group:
    """Claims of one standing: a name, a heading, its meaning, and sentences of GraphQL's `ask`."""

    name: str
    heading: str
    meaning: str
    sentences: tuple[Mapping[str, Any], ...]


@router.get("/ask")
async def ask(pages: PagesOf, q: str = "") -> Response:
    """Show the answer to a question; without one, lead to the home page."""
    question = q.strip()
    if not question:
        return RedirectResponse("./", 303, {"vary": "Accept, Authorization"})
    variables: dict[str, object] = {"question": question, "first": _FIRST}
    data = await pages.ask("ask", **variables)
    found = data["ask"]
    sentences = [*found["accepted"], *found["notYetAccepted"]]
    statements = [sentence["statement"] for sentence in sentences]
    chosen = {name: value for name in FACETS if (value := pages.request.query_params.get(name))}
    groups = groups_of(found, chosen)
    query = found["query"]
    asked = {"text": query["cypher"], "parameters": used_parameters(query["cypher"], query["parameters"])}
    shown = {
        **data,
        "question": question,
        "groups": groups,
        "total": len(statements),
        "left": sum(len(group.sentences) for group in groups),
        "facets": facets_of(statements, chosen),
        "chosen": chosen,
        "rows": [cells_of(query["columns"], row) for row in query["rows"][:_SHOWN_ROWS]],
        "rows_tell_more": bool(query["rows"]) and _TOLD_BY_CLAIMS.isdisjoint(query["columns"]),
        "parameters": json.dumps(query["parameters"], ensure_ascii=False, indent=2),
        "topic": topic_of(question),
        "topics": [] if sentences or query["rows"] else await _other_topics(pages),
        "cypher_address": playground_address("cypher", pages.variables("cypher", asked)),
    }
    return pages.render("ask", shown, query="ask", variables=variables)


def groups_of(found: Mapping[str, Any], chosen: Mapping[str, str]) -> tuple[Group, ...]:
    """Return the claims of an answer that have the chosen values, by their standing; a group may be empty."""
    accepted = [one for one in found["accepted"] if is_within(one["statement"], chosen)]
    others = [one for one in found["notYetAccepted"] if is_within(one["statement"], chosen)]
    holding = [one for one in accepted if one["statement"]["claimKind"] == ClaimKind.ASSERTS]
    disputed = [one for one in others if is_disputed(one["statement"])]
    return (
        Group("holding", "Holding", "The verdicts establish each claim by the evidence that it cites.", tuple(holding)),
        Group(
            "said",
            "Said, as quoted",
            "The verdicts establish that the cited source says it, not that it is so.",
            tuple(one for one in accepted if one not in holding),
        ),
        Group(
            "pending",
            "Not yet accepted",
            "The verdicts do not establish the claim; each lists the conditions that it does not meet.",
            tuple(one for one in others if one not in disputed),
        ),
        Group("disputed", "Disputed", "Another statement or a verifier contradicts the claim.", tuple(disputed)),
    )


def is_disputed(statement: Mapping[str, Any]) -> bool:
    """Return whether a statement is a side of a dispute, or has a challenge that is not dismissed."""
    disputes, challenges = statement["contradictions"]["nodes"], statement["challenges"]["nodes"]
    return any(one["state"] in _AGAINST for one in disputes) or any(
        one["challengeState"] and one["challengeState"]["status"] in _STANDING_CHALLENGES for one in challenges
    )


def used_parameters(text: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that a query names: one of a limit is a number in the query that ran."""
    named = set(_PARAMETER.findall(text))
    return {name: value for name, value in parameters.items() if name in named}


def cells_of(columns: Sequence[str], row: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the values of a row as lists of texts, each with the name to find its page by, if it may be one."""
    return [{"column": column, "parts": _parts_of(value)} for column, value in zip(columns, row, strict=True)]


def _parts_of(value: Any) -> list[dict[str, str | None]]:
    if isinstance(value, list):
        return [part for item in value for part in _parts_of(item)]
    if isinstance(value, dict):
        named = value.get("signed_hash") or value.get("agent_id") or value.get("document_key")
        return _parts_of(named) if named else [{"text": ", ".join(f"{k}: {v}" for k, v in value.items()), "name": None}]
    if value is None:
        return [{"text": "–", "name": None}]
    if isinstance(value, bool):
        return [{"text": "yes" if value else "no", "name": None}]
    if isinstance(value, float):
        return [{"text": f"{value:.4g}", "name": None}]
    text = str(value)
    return [{"text": text, "name": text if text.startswith(("sha256:", "urn:")) else None}]


async def _other_topics(pages: Pages) -> list[str]:
    """Return topics of which there are statements, for a question about another one."""
    data = await (await pages.again()).ask("topics", first=_OTHER_TOPICS)
    return [topic["name"] for topic in data["topics"]]
