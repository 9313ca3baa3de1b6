"""POST of a question in plain language, and of a Cypher query: the results of GraphQL's `ask` and `cypher`, as JSON."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from a2ap.errors import MessageError
from a2ap.json_text import read_json
from graph.answers.answer import Answer, Sentence
from graph.answers.own_query import OwnAnswer
from graph.errors import InputError
from graph.graphql.chunk import Evidence
from graph.graphql.context import check_first
from graph.graphql.loaders import Loaders
from graph.graphql.question import chosen_text
from graph.http.answers import SAFE_HEADERS, write_members
from graph.http.requests import PlatformOf, ReaderOf, ShareOf, read_body
from graph.http.standing import standings_of
from graph.verifier.claim_kind import as_sentence

router = APIRouter(tags=["questions"])

MAX_BODY = 2**18
_HEADERS = {"cache-control": "no-store", "vary": "Authorization", **SAFE_HEADERS}
_BODY = {"content": {"application/json": {"schema": {"type": "object"}}}, "required": True}


@router.post("/ask", operation_id="ask", openapi_extra={"requestBody": _BODY})
async def ask(request: Request, platform: PlatformOf, reader: ReaderOf, share: ShareOf) -> Response:
    """Answer `{"question": …, "first": …}`: the query, its rows, and the statements with evidence behind the answer."""
    asked = await _members(request, {"question": str, "first": int}, "question")
    first = check_first(asked.get("first", 20))
    answer = await platform.asking.answer(reader, asked["question"], first=first, share=share)
    return _response(await _answer(answer, Loaders(platform.store, reader, platform.names.look_alikes)))


@router.post("/cypher", operation_id="cypher", openapi_extra={"requestBody": _BODY})
async def cypher(request: Request, platform: PlatformOf, reader: ReaderOf, share: ShareOf) -> Response:
    """Run `{"name": …}` or `{"text": …}`, with `"parameters"`: a query that only reads."""
    asked = await _members(request, {"name": str, "text": str, "parameters": dict})
    text = chosen_text(asked.get("name"), asked.get("text"))
    return _response(_own(await platform.asking.run(reader, text, asked.get("parameters", {}), share)))


async def _members(request: Request, known: dict[str, type], *needed: str) -> dict[str, Any]:
    try:
        found = read_json(await read_body(request, MAX_BODY))
    except MessageError as error:
        raise InputError(f"the body is not strict JSON: {error}") from error
    if type(found) is not dict or not set(found) <= set(known) or not set(needed) <= set(found):
        raise InputError(f"the body is no JSON object of {', '.join(known)}")
    for name, value in found.items():
        if type(value) is not known[name]:
            raise InputError(f"{name} is not of the kind {known[name].__name__}", name)
    return found


async def _answer(answer: Answer, loaders: Loaders) -> dict[str, Any]:
    return {
        "question": answer.question,
        "answeredBy": answer.by,
        "template": answer.template,
        "note": answer.note,
        "query": _own(answer.own),
        "accepted": [await _sentence(one, loaders, accepted=True) for one in answer.accepted],
        "notYetAccepted": [await _sentence(one, loaders, accepted=False) for one in answer.not_yet_accepted],
    }


async def _sentence(sentence: Sentence, loaders: Loaders, *, accepted: bool) -> dict[str, Any]:
    statement = await loaders.statement_with(sentence.statement)
    evidence = await loaders.documents.evidence_of(sentence.statement)
    (standing,) = await standings_of(loaders, [(sentence.statement, statement.claim_text, statement.verified)])
    return {
        "text": as_sentence(sentence.text, standing["claimKind"]) if accepted else sentence.text,
        "missing": list(sentence.missing),
        "statement": {
            "id": statement.id,
            "signedHash": statement.signed_hash,
            "claimText": statement.claim_text,
            "agent": statement.generated_by.id,
            "verified": statement.verified,
            "consensusScore": statement.consensus_score,
            **standing,
            "evidence": [_evidence(one) for one in evidence],
        },
    }


def _evidence(one: Evidence) -> dict[str, Any]:
    return {
        "sourceDocument": one.source_document,
        "documentHash": one.chunk.document.hash,
        "byteRange": {"start": one.byte_range.start, "end": one.byte_range.end},
        "quote": one.quote,
        "withheld": one.withheld,
    }


def _own(own: OwnAnswer) -> dict[str, Any]:
    return {
        "cypher": own.query.text,
        "parameters": dict(own.query.parameters),
        "columns": list(own.table.columns),
        "kinds": [kind.word for kind in own.query.kinds],
        "rows": [list(row) for row in own.table.rows],
        "truncated": own.table.truncated,
        "withheld": own.withheld,
    }


def _response(members: dict[str, Any]) -> Response:
    return Response(write_members(members), media_type="application/json", headers=_HEADERS)
