"""Whether the process is up, and whether it can answer."""

import asyncio

from fastapi import APIRouter
from starlette.responses import JSONResponse

from graph.errors import NotReadyError, StoreSilentError
from graph.http.requests import PlatformOf

_PATIENCE = 0.8  # seconds; a watcher of the node waits for one

router = APIRouter(tags=["health"])


@router.get("/healthz", operation_id="is_up")
async def is_up() -> JSONResponse:
    """Say that the process answers."""
    return JSONResponse({"status": "up"})


@router.get("/readyz", operation_id="is_ready")
async def is_ready(platform: PlatformOf) -> JSONResponse:
    """Say within a second that the graph answers, that the log's last entry is where its head says, and space is left.

    If the node is not ready, the problem has the reason: 503, and 507 if there is no space left.
    """
    platform.space.check()
    try:
        async with asyncio.timeout(_PATIENCE):
            rows = await platform.store.read("check_log")
    except TimeoutError as error:
        raise StoreSilentError(f"the graph database did not answer within {_PATIENCE} seconds") from error
    if not rows or rows[0]["last"] is None or rows[0]["beyond"] is not None:
        raise NotReadyError("the log's entries do not match its head")
    found = {"status": "ready", "engine": platform.store.kind, "logSize": rows[0]["size"]}
    # A task that fails beside the writer is tried again, and stops neither writing nor reading. Our log has the reason.
    failing = sorted(platform.epochs.failures)
    return JSONResponse(found | {"failing": failing} if failing else found)
