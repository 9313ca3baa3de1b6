"""The checker of files: one page with its script and style in it, which asks no server and can be saved to a disk."""

import asyncio
import re
from importlib.resources import files

from fastapi import APIRouter
from fastapi.responses import Response

from graph.http.assets import FOLDER
from graph.web.page import HEADERS, PagesOf

router = APIRouter()

_FILE = "verify.html"
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)"')


@router.get("/verify", include_in_schema=False)
async def verify(pages: PagesOf) -> Response:
    """Return the checker; until it is built, a page that says so."""
    file = files("graph.http") / FOLDER / _FILE
    if not file.is_file():
        return pages.render("verify_missing", {})
    text = await asyncio.to_thread(file.read_text, encoding="utf-8")
    policy = _POLICY.search(text)
    assert policy is not None, "the build puts the policy into the page"
    headers = {**HEADERS, "content-security-policy": f"{policy[1]}; frame-ancestors 'none'"}
    return Response(text, headers=headers, media_type="text/html")
