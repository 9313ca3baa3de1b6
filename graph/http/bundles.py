"""GET of a statement's bundle: one file with all that its score rests on, which can be verified offline."""

from fastapi import APIRouter
from starlette.responses import Response

from a2ap.bundle.bundle import MEDIA_TYPE
from a2ap.messages.message import MessageType
from graph.audit.bundles import BundleMaker
from graph.errors import NotFoundError
from graph.http.requests import IN_PLACE, PlatformOf, ReaderOf
from graph.platform import Platform

router = APIRouter(tags=["documents"])


@router.get("/statements/{name}/bundle", operation_id="get_bundle", dependencies=[IN_PLACE])
async def get_bundle(name: str, platform: PlatformOf, reader: ReaderOf) -> Response:
    """Give the bundle of a statement, by its id or its signed hash; of several with one id, of the first in the log."""
    maker = BundleMaker(platform.store, platform.content, platform.log, reader)
    headers = {"vary": "Authorization", "cache-control": "no-cache", "x-content-type-options": "nosniff"}
    return Response(await maker.make(await statement_hash(platform, name)), media_type=MEDIA_TYPE, headers=headers)


async def statement_hash(platform: Platform, name: str) -> str:
    """Return the signed hash of the statement of that id or hash; raises `NotFoundError`."""
    if name.startswith("sha256:"):
        rows = await platform.store.read("log_entries_by_hash", hashes=[name])
    else:
        rows = await platform.store.read("log_entries_of", ids=[name])
    found = [row["signed_hash"] for row in rows if row["type"] == MessageType.STATEMENT]
    if not found:
        raise NotFoundError(f"no statement {name} is here")
    return str(found[0])
