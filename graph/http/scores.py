"""GET of the changes of the scores of statements and agents, from a size of the log on."""

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter
from starlette.responses import StreamingResponse

from graph.errors import InputError
from graph.http.requests import IN_EXPORT_PLACE, PlatformOf
from graph.log.entry import log_size
from graph.past.score_history import ScoreHistory
from graph.past.score_replay import COLUMNS, ScoreChange

router = APIRouter(tags=["exports"])

MOST_ENTRIES = 1000
"""The most log entries whose changes one response has; for more, a client sends another request."""

PATIENCE = 10.0
"""Seconds that a client waits for the changes to be found, before it is told to try again."""

SCORES_VERSION = 1


@router.get("/scores", operation_id="scores", dependencies=[IN_EXPORT_PLACE])
async def get_scores(platform: PlatformOf, since: int = 0, size: int | None = None) -> StreamingResponse:
    """Give each change of a score behind `since` log entries, up to `size` of them, as NDJSON in the order of the log.

    Scores are a function of the log, and the node replays it to find earlier scores. The first line, and the header
    `A2AP-Log-Size`, say how far the response goes: if that is less than was requested, request the rest since there.
    While no change is found, the response is 503 with the code `NOT_READY`, and `Retry-After`.
    """
    now = await log_size(platform.store)
    until = now if size is None else min(size, now)
    if since < 0 or since > until:
        raise InputError(f"since is {since}, and the log has {until} entries", "since")
    if not platform.pasts.most:
        raise InputError("this node keeps no graphs of the past", "since")
    reached = await platform.pasts.scores.reach(since, until, MOST_ENTRIES, PATIENCE)
    lines = _lines(platform.pasts.scores, since, reached)
    headers = {"a2ap-log-size": str(reached), "x-content-type-options": "nosniff"}
    return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)


async def _lines(history: ScoreHistory, since: int, reached: int) -> AsyncIterator[bytes]:
    yield _line({"scores": {"v": SCORES_VERSION, "since": since, "logSize": reached}})
    for change in history.between(since, reached) if since < reached else ():
        yield _line(_row(change))


def _row(change: ScoreChange) -> dict[str, Any]:
    return {
        change.kind: change.name,
        "logSize": change.log_size,
        **dict(zip(COLUMNS[change.kind], change.values, strict=True)),
    }


def _line(members: dict[str, Any]) -> bytes:
    return (json.dumps(members, separators=(",", ":")) + "\n").encode()
