"""GET /search: statements found by words and by meaning."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from graph.errors import InputError
from graph.graphql.loaders import Loaders
from graph.http.answers import SAFE_HEADERS, write_members
from graph.http.requests import IN_PLACE, PlatformOf, ReaderOf
from graph.http.standing import standings_of
from graph.search.highlights import Hit, ShownEvidence, ShownText, hits_of
from graph.search.query import MAX_TEXT

MAX_FIRST = 200

router = APIRouter(tags=["search"])


@router.get("/search", operation_id="search", dependencies=[IN_PLACE])
async def search(
    platform: PlatformOf,
    reader: ReaderOf,
    q: Annotated[str, Query(description='Words, "phrases", beginnings*, fields, AND, OR, NOT.')],
    first: Annotated[int, Query(description=f"How many at most, from 1 to {MAX_FIRST}.")] = 20,
) -> Response:
    """Find statements by words and by meaning, best first, with the places where the words stand."""
    if not 1 <= first <= MAX_FIRST:
        raise InputError(f"first is {first}, not from 1 to {MAX_FIRST}", "first")
    if len(q) > MAX_TEXT:
        raise InputError(f"the query has {len(q)} characters, and {MAX_TEXT} are read", "q")
    answer = await platform.search.find(reader, q, first=first)
    hits = await hits_of(platform.store, reader, answer)
    claims = [(hit.ranked.signed_hash, hit.claim.text, hit.verified) for hit in hits]
    standings = await standings_of(Loaders(platform.store, reader, platform.names.look_alikes), claims)
    shown = [_members(hit) | standing for hit, standing in zip(hits, standings, strict=True)]
    content = write_members({"query": q, "byMeaning": answer.by_meaning, "hits": shown})
    headers = {"cache-control": "no-cache", "vary": "Authorization", **SAFE_HEADERS}
    return Response(content, media_type="application/json", headers=headers)


def _members(hit: Hit) -> dict[str, Any]:
    return {
        "rank": hit.ranked.rank,
        "score": hit.ranked.score,
        "foundBy": [found_by.value for found_by in hit.ranked.places],
        "statement": {"id": hit.statement_id, "hash": hit.ranked.signed_hash, "agent": hit.agent_id},
        "verified": hit.verified,
        "consensusScore": hit.consensus_score,
        "claim": _text(hit.claim),
        "evidence": [_evidence(one) for one in hit.evidence],
    }


def _evidence(shown: ShownEvidence) -> dict[str, Any]:
    return {
        "chunkId": shown.chunk_id,
        "sourceDocument": shown.source_document,
        "byteRange": {"start": shown.byte_start, "end": shown.byte_end},
        "quote": _text(shown.quote),
        "withheld": shown.withheld,
    }


def _text(shown: ShownText) -> dict[str, Any]:
    return {"text": shown.text, "highlights": [{"start": start, "end": end} for start, end in shown.highlights]}
