"""GET of the proofs that logs have contradicted themselves: reported here, or found by an audit of this node's."""

import asyncio
import json
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from graph.audit.equivocations import MEDIA_TYPE, kept_equivocations
from graph.http.requests import PlatformOf
from graph.store import Row

_MOST = 100

router = APIRouter(tags=["log"])


@router.get("/log/equivocations", operation_id="get_equivocations")
async def get_equivocations(platform: PlatformOf) -> Response:
    """Give up to 100 proofs of equivocation, newest first: two checkpoints of one log that cannot both be true."""
    reported = [_members(row) for row in await platform.store.read("list_equivocations", first=_MOST)]
    seen = {tuple(sorted(proof["checkpoints"])) for proof in reported}
    folder = platform.settings.data / "audit" / "equivocations"
    found = await asyncio.to_thread(lambda: list(kept_equivocations(folder)))
    kept = [proof for proof in found if tuple(sorted(proof["checkpoints"])) not in seen]
    content = json.dumps({"equivocations": [*reported, *kept][:_MOST]}).encode() + b"\n"
    return Response(content, media_type="application/json", headers={"x-content-type-options": "nosniff"})


def _members(row: Row) -> dict[str, Any]:
    return {
        "mediaType": MEDIA_TYPE,
        "origin": row["origin"],
        "checkpoints": row["checkpoints"],
        "consistencyProof": row["consistency_proof"] or [],
        "reportedBy": row["reporting_agent"],
        "signedHash": row["signed_hash"],
        "logIndex": row["log_index"],
    }
